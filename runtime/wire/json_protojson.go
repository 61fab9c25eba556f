package wire

import (
	"bytes"
	"math"
	"strconv"
	"time"
)

// What is another in protojson's form than in that of this package's other methods:
// a schema chooses it with the option (coordgen.schema).json.

// ProtojsonFloat32 appends a number, as [JSONWriter.ProtojsonFloat64] does.
func (w *JSONWriter) ProtojsonFloat32(b []byte, v float32) []byte {
	low, high := float32(1e-6), float32(1e21)
	return appendProtojsonFloat(b, float64(v), float64(low), float64(high), 32)
}

// ProtojsonFloat64 appends a number in the fewest digits that read back the same, or,
// as text, NaN or an infinity.
func (w *JSONWriter) ProtojsonFloat64(b []byte, v float64) []byte {
	if n, ok := millionths(v); ok {
		return bytes.TrimSuffix(appendMillionths(b, v < 0, n), []byte(".0"))
	}
	return appendProtojsonFloat(b, v, 1e-6, 1e21, 64)
}

// appendProtojsonFloat appends a number with an exponent if it is not from low to high.
func appendProtojsonFloat(b []byte, v, low, high float64, size int) []byte {
	switch abs := math.Abs(v); {
	case math.IsNaN(v):
		return append(b, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(b, `"-Infinity"`...)
	case abs == 0 || low <= abs && abs < high:
		return strconv.AppendFloat(b, v, 'f', -1, size)
	}
	b = strconv.AppendFloat(b, v, 'e', -1, size)
	if n := len(b); string(b[n-4:n-1]) == "e-0" { // e-07 is e-7
		b = append(b[:n-2], b[n-1])
	}
	return b
}

// ProtojsonTime appends a time in RFC 3339, in UTC, with no fraction or one of three,
// six or nine digits. Its year must be 1 to 9999.
func (w *JSONWriter) ProtojsonTime(b []byte, t time.Time) []byte {
	start := len(b)
	if b = w.Time(b, t); w.stopped() {
		return b
	}
	b = b[:len(b)-len(`+00:00"`)]
	if n := len(b); n-start > len(`"2006-01-02T15:04:05`) && string(b[n-3:]) == "000" {
		b = b[:n-3]
	}
	return append(b, `Z"`...)
}

// ProtojsonEnum appends the name of a value of e: of several with its number the first
// one, and the number itself where e has none.
func (w *JSONWriter) ProtojsonEnum(b []byte, e *Enum, name string) []byte {
	n, ok := e.number(name)
	if written := w.enumName(b, e, name); written != e.Written(name) {
		return w.String(b, written)
	}
	if !ok {
		return w.String(b, name)
	}
	for i := range e.Values {
		if v := &e.Values[i]; v.Number == n && !v.Alias {
			return w.String(b, v.Name)
		}
	}
	return w.Int32(b, n)
}

// ProtojsonValue appends a value of any type that [JSONWriter.Value] takes.
func (w *JSONWriter) ProtojsonValue(b []byte, v any) []byte {
	return w.protojsonValue(b, v, w.inside())
}

// ProtojsonStruct appends a map of values with its keys sorted.
func (w *JSONWriter) ProtojsonStruct(b []byte, v map[string]any) []byte {
	return w.protojsonMap(b, v, w.inside())
}

// ProtojsonListValue appends a list of values.
func (w *JSONWriter) ProtojsonListValue(b []byte, v []any) []byte {
	return w.protojsonList(b, v, w.inside())
}

// protojsonValue appends v, around which depth levels are open. A number that has no
// form in protobuf, since a float of 64 bits does not hold it, is written as it is.
func (w *JSONWriter) protojsonValue(b []byte, v any, depth int) []byte {
	switch v := v.(type) {
	case map[string]any:
		return w.protojsonMap(b, v, depth)
	case []any:
		return w.protojsonList(b, v, depth)
	}
	n, _, exact := freeNumberOf(v)
	if !exact || math.IsNaN(n) || math.IsInf(n, 0) {
		return w.value(b, v, depth)
	}
	return w.ProtojsonFloat64(b, n)
}

func (w *JSONWriter) protojsonMap(b []byte, v map[string]any, depth int) []byte {
	return appendMap(w, b, v, depth, func(b []byte, v any) []byte { return w.protojsonValue(b, v, depth+1) })
}

func (w *JSONWriter) protojsonList(b []byte, v []any, depth int) []byte {
	return appendList(w, b, v, depth, func(b []byte, v any) []byte { return w.protojsonValue(b, v, depth+1) })
}

// ProtojsonFloat32 reads a number, rounded to 32 bits, or the text of NaN or an
// infinity.
func (r *JSONReader) ProtojsonFloat32(b []byte) (float32, []byte) {
	r.at(b)
	if v, ok := r.notFinite(); ok {
		return float32(v), r.rest()
	}
	return r.Float32(b)
}

// ProtojsonFloat64 reads a number, or the text of NaN or an infinity.
func (r *JSONReader) ProtojsonFloat64(b []byte) (float64, []byte) {
	r.at(b)
	if v, ok := r.notFinite(); ok {
		return v, r.rest()
	}
	return r.Float64(b)
}

// notFinite reads the text of NaN or an infinity, or fails, if a string comes next. It
// says false, and has read nothing, where the value is another one.
func (r *JSONReader) notFinite() (v float64, ok bool) {
	if r.peek() != '"' {
		return 0, false
	}
	at := r.pos
	text, _ := r.text("a number")
	switch string(text) {
	case "NaN":
		return math.NaN(), true
	case "Infinity":
		return math.Inf(1), true
	case "-Infinity":
		return math.Inf(-1), true
	}
	if r.failed() {
		return 0, true
	}
	r.pos = at
	return 0, false
}

// ProtojsonNull reads null, or the name or the number of the one value that
// google.protobuf.NullValue has, and returns that value.
func ProtojsonNull[T any](r *JSONReader, b []byte, value T) (T, []byte) {
	r.at(b)
	r.protojsonNull()
	return value, r.rest()
}

// protojsonNull is ProtojsonNull where the position is set.
func (r *JSONReader) protojsonNull() {
	if r.isNull() {
		r.pos += len("null")
		return
	}
	const name = "NULL_VALUE"
	at := r.pos
	if found := r.enum(&Enum{Values: []EnumValue{{Name: name}}}); found != name && !r.failed() {
		r.failf(at, ErrValue, "found %.64q, want null", found)
	}
}
