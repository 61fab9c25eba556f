package wire

import (
	"encoding/json"
	"time"
)

// Value appends a value of any type that [MsgpackReader.Value] yields, or of
// another number type, or a []string, a map[string]string or a json.Number.
func (w *MsgpackWriter) Value(b []byte, v any) []byte {
	if w.stopped() {
		return b
	}
	return w.freed(len(b), w.value(b, v, w.inside()))
}

// Struct appends a map of values with its keys sorted.
func (w *MsgpackWriter) Struct(b []byte, v map[string]any) []byte {
	if w.stopped() {
		return b
	}
	return w.freed(len(b), w.structValue(b, v, w.inside()))
}

// ListValue appends a list of values.
func (w *MsgpackWriter) ListValue(b []byte, v []any) []byte {
	if w.stopped() {
		return b
	}
	return w.freed(len(b), w.listValue(b, v, w.inside()))
}

// freed notes, for the path of a failure, where a free value began. It lies in a
// message, so that one level is open around it.
func (w *MsgpackWriter) freed(start int, b []byte) []byte {
	if w.err != nil {
		w.free = start
	}
	return b
}

// value appends v, around which depth levels are open.
func (w *MsgpackWriter) value(b []byte, v any, depth int) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 0xc0)
	case bool:
		return w.Bool(b, v)
	case string:
		return w.String(b, v)
	case int64:
		return w.Int64(b, v)
	case float64:
		return w.Float64(b, v)
	case map[string]any:
		return w.structValue(b, v, depth)
	case []any:
		return w.listValue(b, v, depth)
	case []byte:
		return w.Bytes(b, v)
	case time.Time:
		return w.Time(b, v)
	case map[string]string:
		return w.stringMap(b, v, depth)
	case []string:
		return w.stringList(b, v, depth)
	case json.Number:
		return w.decimal(b, string(v))
	}
	return w.otherNumber(b, v)
}

// otherNumber appends v if it is a number of a type that readers don't yield.
func (w *MsgpackWriter) otherNumber(b []byte, v any) []byte {
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

func (w *MsgpackWriter) listValue(b []byte, list []any, depth int) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = w.ArrayHeader(b, len(list))
	for _, v := range list {
		if b = w.value(b, v, depth+1); w.err != nil {
			return b
		}
	}
	return b
}

func (w *MsgpackWriter) stringList(b []byte, list []string, depth int) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = w.ArrayHeader(b, len(list))
	for _, s := range list {
		b = w.String(b, s)
	}
	return b
}

func (w *MsgpackWriter) structValue(b []byte, entries map[string]any, depth int) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = w.MapHeader(b, len(entries))
	var few [8]textEntry[any]
	for _, e := range sortedEntries(few[:0], entries) {
		b = w.String(b, e.key)
		if w.err != nil {
			return b
		}
		if b = w.value(b, e.value, depth+1); w.err != nil {
			return b
		}
	}
	return b
}

func (w *MsgpackWriter) stringMap(b []byte, entries map[string]string, depth int) []byte {
	if w.tooDeep(b, depth) {
		return b
	}
	b = w.MapHeader(b, len(entries))
	var few [8]textEntry[string]
	for _, e := range sortedEntries(few[:0], entries) {
		b = w.String(b, e.key)
		b = w.String(b, e.value)
	}
	return b
}
