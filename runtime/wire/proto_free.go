package wire

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Value appends a value of any type that [ProtoReader.Value] yields, or of another
// number type, or a []string, a map[string]string or a json.Number. Numbers must be
// ones that a float64 holds exactly, or gives back in its shortest form, as it does
// 0.1 and 123456789012345680000.
func (w *ProtoWriter) Value(b []byte, v any) []byte {
	return w.freed(len(b), w.value(b, v, w.inside()))
}

// Struct appends a google.protobuf.Struct with its keys sorted.
func (w *ProtoWriter) Struct(b []byte, v map[string]any) []byte {
	return w.freed(len(b), structValue(w, b, v, w.inside(), w.value))
}

// ListValue appends a google.protobuf.ListValue.
func (w *ProtoWriter) ListValue(b []byte, v []any) []byte {
	return w.freed(len(b), listValue(w, b, v, w.inside(), w.value))
}

// freed notes, for the path of a failure, that the free value began at start.
func (w *ProtoWriter) freed(start int, b []byte) []byte {
	if w.err != nil && start <= w.at {
		w.at = start
	}
	return b
}

// value appends v, around which depth levels are open.
func (w *ProtoWriter) value(b []byte, v any, depth int) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, 2, pbNull, 0)
	case bool:
		return w.Bool(append(b, 2, pbTruth), v)
	case string:
		return w.textValue(b, v, depth)
	case float64:
		return w.Float64(append(b, 9, pbNumber), v)
	case map[string]any:
		b = append(b, 0, pbStructIn)
		return w.Length(structValue(w, b, v, depth, w.value), len(b)-1)
	case []any:
		b = append(b, 0, pbListIn)
		return w.Length(listValue(w, b, v, depth, w.value), len(b)-1)
	case map[string]string:
		b = append(b, 0, pbStructIn)
		return w.Length(structValue(w, b, v, depth, w.textValue), len(b)-1)
	case []string:
		b = append(b, 0, pbListIn)
		return w.Length(listValue(w, b, v, depth, w.textValue), len(b)-1)
	}
	n, ok, exact := freeNumberOf(v)
	switch {
	case !ok:
		return w.failf(b, ErrType, "a Go value of type %T has no form in a google.protobuf.Value", v)
	case !exact:
		return w.failf(b, ErrRange, "numbers of a google.protobuf.Value are floats of 64 bits, which can't hold %.64s exactly", fmt.Sprint(v))
	}
	return w.Float64(append(b, 9, pbNumber), n)
}

func (w *ProtoWriter) textValue(b []byte, v string, _ int) []byte {
	start := len(b) + 1
	return w.Length(w.String(append(b, 0, pbText), v), start)
}

// freeNumberOf returns the float that v is, if it is a number, and whether it is v
// exactly.
func freeNumberOf(v any) (n float64, ok, exact bool) {
	switch v := v.(type) {
	case float64:
		return v, true, true
	case float32:
		return float64(v), true, true
	case json.Number:
		return shortest(string(v))
	}
	// The largest integers round to a power of two, and would not come back.
	switch i, u, s := integerOf(v); s {
	case signedInteger:
		if n = float64(i); n < 1<<63 && int64(n) == i {
			return n, true, true
		}
		return shortest(strconv.FormatInt(i, 10))
	case unsignedInteger:
		if n = float64(u); n < 1<<64 && uint64(n) == u {
			return n, true, true
		}
		return shortest(strconv.FormatUint(u, 10))
	}
	return math.NaN(), false, false
}

// shortest returns the float nearest to the number that text is, if it is one, and
// whether the float's shortest form is that number.
func shortest(text string) (n float64, ok, same bool) {
	digits, power, ok := significant(text)
	n, err := strconv.ParseFloat(text, 64)
	d, p, _ := significant(strconv.FormatFloat(n, 'e', -1, 64))
	return n, ok, err == nil && d == digits && p == power
}

// structValue appends the entries of a Struct, whose values the function appends,
// with their length before them.
func structValue[V any](w *ProtoWriter, b []byte, entries map[string]V, depth int, value func([]byte, V, int) []byte) []byte {
	b = append(b, 0)
	start := len(b)
	if w.tooDeep(b, depth) {
		return b
	}
	var few [8]textEntry[V]
	for _, e := range sortedEntries(few[:0], entries) {
		b = append(b, pbFirstBytes, 0)
		entry := len(b)
		b = w.String(append(b, 1<<3+pbBytes), e.key)
		if w.err == nil {
			b = value(append(b, 2<<3+pbBytes), e.value, depth+1)
		}
		if w.err != nil {
			w.path = entryStep(e.key) + w.path
			return b
		}
		b = w.Length(b, entry)
	}
	return w.Length(b, start)
}

// listValue appends the values of a ListValue in the same way.
func listValue[V any](w *ProtoWriter, b []byte, list []V, depth int, value func([]byte, V, int) []byte) []byte {
	b = append(b, 0)
	start := len(b)
	if w.tooDeep(b, depth) {
		return b
	}
	for i, v := range list {
		b = value(append(b, pbFirstBytes), v, depth+1)
		if w.err != nil {
			w.path = "[" + strconv.Itoa(i) + "]" + w.path
			return b
		}
	}
	return w.Length(b, start)
}
