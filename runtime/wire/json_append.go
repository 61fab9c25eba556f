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

// otherNumber appends v if it is a number of a type that readers don't yield.
func (w *JSONWriter) otherNumber(b []byte, v any) []byte {
	if f, ok := v.(float32); ok {
		return w.Float32(b, f)
	}
	switch i, u, s := integerOf(v); s {
	case signedInteger:
		return w.Int64(b, i)
	case unsignedInteger:
		return w.Uint64(b, u)
	}
	return w.foreign(b, v)
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
	var few [8]textEntry[T]
	for _, e := range sortedEntries(few[:0], entries) {
		b = w.Key(b, e.key)
		if w.err != nil {
			return b
		}
		if b = element(b, e.value); w.err != nil {
			return b
		}
	}
	return append(b, '}')
}
