package wire

import (
	"encoding/json"
	"time"
)

// Value appends a value of any type that [JSONReader.Value] or
// [MsgpackReader.Value] yields, or of another number type, or a []string or a
// map[string]string.
func (w *JSONWriter) Value(b []byte, v any) []byte { return w.value(b, v, w.inside()) }

// Struct appends a map of values with its keys sorted.
func (w *JSONWriter) Struct(b []byte, v map[string]any) []byte {
	return appendMap(w, b, v, w.inside(), func(b []byte, v any) []byte { return w.value(b, v, w.inside()+1) })
}

// ListValue appends a list of values.
func (w *JSONWriter) ListValue(b []byte, v []any) []byte {
	return appendList(w, b, v, w.inside(), func(b []byte, v any) []byte { return w.value(b, v, w.inside()+1) })
}

// inside is how many levels are open around a free value, which lies in a message.
func (w *JSONWriter) inside() int { return max(w.depth, 1) }

// value appends v, around which depth levels are open.
func (w *JSONWriter) value(b []byte, v any, depth int) []byte {
	if w.stopped() {
		return b
	}
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return w.Bool(b, v)
	case string:
		return w.String(b, v)
	case int64:
		return w.Int64(b, v)
	case float64:
		return w.Float64(b, v)
	case map[string]any:
		return appendMap(w, b, v, depth, func(b []byte, v any) []byte { return w.value(b, v, depth+1) })
	case []any:
		return appendList(w, b, v, depth, func(b []byte, v any) []byte { return w.value(b, v, depth+1) })
	case []byte:
		return w.Bytes(b, v)
	case time.Time:
		return w.Time(b, v)
	case map[string]string:
		return appendMap(w, b, v, depth, w.String)
	case []string:
		return appendList(w, b, v, depth, w.String)
	case json.Number:
		if !isNumber([]byte(v)) {
			return w.failf(b, ErrValue, "found %.64q, want a number", string(v))
		}
		return append(b, v...)
	}
	return w.otherNumber(b, v)
}

func (w *JSONWriter) otherNumber(b []byte, v any) []byte {
	switch v := v.(type) {
	case int:
		return w.Int64(b, int64(v))
	case int8:
		return w.Int64(b, int64(v))
	case int16:
		return w.Int64(b, int64(v))
	case int32:
		return w.Int64(b, int64(v))
	case uint:
		return w.Uint64(b, uint64(v))
	case uint8:
		return w.Uint64(b, uint64(v))
	case uint16:
		return w.Uint64(b, uint64(v))
	case uint32:
		return w.Uint64(b, uint64(v))
	case uint64:
		return w.Uint64(b, v)
	case float32:
		return w.Float32(b, v)
	}
	return w.failf(b, ErrType, "a Go value of type %T can't be written, use a basic type, []any or map[string]any", v)
}

// tooDeep says whether no list or object may be opened inside depth levels.
func (w *JSONWriter) tooDeep(b []byte, depth int) bool {
	if depth >= MaxDepth {
		w.failf(b, ErrDepth, "more than %d levels, or a value that holds itself", MaxDepth)
		return true
	}
	return w.stopped()
}

func appendList[T any](w *JSONWriter, b []byte, list []T, depth int, element func([]byte, T) []byte) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		if b = element(b, v); w.err != nil {
			return b
		}
	}
	return append(b, ']')
}

func appendMap[T any](w *JSONWriter, b []byte, entries map[string]T, depth int, element func([]byte, T) []byte) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = append(b, '{')
	var few [8]string
	for _, key := range sortedKeys(few[:0], entries) {
		b = w.Key(b, key)
		if w.err != nil {
			return b
		}
		if b = element(b, entries[key]); w.err != nil {
			return b
		}
	}
	return append(b, '}')
}
