package wire

import (
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestJSONFloats(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "0.1": 0.1, "0.75": 0.75, "1e-07": 1e-7, "0.0001": 1e-4, "9.999e-05": 9.999e-5,
		"1e+16": 1e16, "9999999999999998.0": 9999999999999998, "1e+300": 1e300, "5e-324": 5e-324, "1.7976931348623157e+308": math.MaxFloat64,
		"-123456.789": -123456.789,
	} {
		assert.Equal(t, want, string(new(JSONWriter).Float64(nil, f)))
	}
	assert.Equal(t, "0.1", string(new(JSONWriter).Float32(nil, 0.1)))
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		w := NewJSONWriter(nil)
		_, err := w.Close(w.Float64(nil, f), "test.M")
		assert.ErrorIs(t, err, ErrRange)
	}
	rapid.Check(t, func(t *rapid.T) {
		f := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return
		}
		text := string(new(JSONWriter).Float64(nil, f))
		require.True(t, json.Valid([]byte(text)))
		require.True(t, strings.ContainsAny(text, ".e"), "%s stays a float", text)
		back, err := strconv.ParseFloat(text, 64)
		require.NoError(t, err)
		require.Equal(t, math.Float64bits(f), math.Float64bits(back))
	})
}

func TestJSONStrings(t *testing.T) {
	assert.Equal(t, `"<a&b>`+"\u2028"+`\u0001\u001f\b\f\n\r\t\"\\ö"`, string(new(JSONWriter).String(nil, "<a&b>\u2028\x01\x1f\b\f\n\r\t\"\\ö")))
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s")
		text := new(JSONWriter).String(nil, s)
		var peer string
		require.NoError(t, json.Unmarshal(text, &peer))
		require.Equal(t, s, peer)
		r := NewJSONReader(text)
		require.Equal(t, s, r.string())
		require.NoError(t, r.close())
		text, err := json.Marshal(s) // the other way, with its escapes
		require.NoError(t, err)
		r = NewJSONReader(text)
		require.Equal(t, s, r.string())
		require.NoError(t, r.close())
	})
}

func TestJSONWriterNamesTheField(t *testing.T) {
	deep := map[string]any{}
	deep["self"] = deep
	for _, c := range []struct {
		field string
		cause error
		write func(w *JSONWriter, b []byte) []byte
	}{
		{"load", ErrRange, func(w *JSONWriter, b []byte) []byte { return w.Float64(append(b, `{"id":"a","load":`...), math.NaN()) }},
		{"l[1]", ErrUTF8, func(w *JSONWriter, b []byte) []byte { return w.String(append(b, `{"l":["a",`...), "\xff") }},
		{"a.b[2].c", ErrRange, func(w *JSONWriter, b []byte) []byte {
			return w.Time(append(b, `{"a":{"b":[{},{"x":"]}\","},{"c":`...), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
		}},
		{`m["a key"]`, ErrUTF8, func(w *JSONWriter, b []byte) []byte {
			return w.String(w.Key(append(b, `{"m":{`...), "a key"), "\xff")
		}},
		{"meta.x.y", ErrType, func(w *JSONWriter, b []byte) []byte {
			return w.Struct(append(b, `{"meta":`...), map[string]any{"x": map[string]any{"y": struct{}{}}})
		}},
		{"n", ErrValue, func(w *JSONWriter, b []byte) []byte { return w.Value(append(b, `{"n":`...), json.Number("1x")) }},
		{"meta.self.self", ErrDepth, func(w *JSONWriter, b []byte) []byte { return w.Struct(append(b, `{"meta":`...), deep) }},
		{"first", ErrMissing, func(w *JSONWriter, b []byte) []byte { w.Missing(b, "first"); return append(b, `,"a":1`...) }},
		{"in.first", ErrMissing, func(w *JSONWriter, b []byte) []byte {
			b = append(b, `{"in":`...)
			w.Missing(b, "first")
			return append(b, `,"a":1}`...)
		}},
		{"in.later", ErrMissing, func(w *JSONWriter, b []byte) []byte {
			b = append(b, `{"in":{"a":1`...)
			w.Missing(b, "later")
			return b
		}},
		{"of", ErrType, func(w *JSONWriter, b []byte) []byte { b = append(b, '{'); w.Reject(b, "of", 1); return b }},
		{"u", ErrTruncated, func(w *JSONWriter, b []byte) []byte {
			return w.CloseObject(append(b, '{'), Unknown{{Key: "u", Format: JSON, Raw: []byte(`[1`)}}, &Fields{})
		}},
		{"u", ErrType, func(w *JSONWriter, b []byte) []byte {
			return w.CloseObject(append(b, '{'), Unknown{{Key: "u", Format: Msgpack, Raw: []byte{0xd4, 5, 0}}}, &Fields{})
		}},
	} {
		start := []byte("before")
		w := NewJSONWriter(start)
		b, err := w.Close(c.write(&w, start), "test.M")
		assert.Equal(t, "before", string(b))
		require.ErrorIs(t, err, c.cause, c.field)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "test.M", e.Message)
		assert.Equal(t, -1, e.Offset)
		if errors.Is(c.cause, ErrDepth) {
			assert.True(t, strings.HasPrefix(e.Field, c.field), e.Field)
		} else {
			assert.Equal(t, c.field, e.Field)
		}
	}
}

func TestUnknownFieldsAreTranscoded(t *testing.T) {
	documents := []string{`{"a":[1,-2,3.0,"x",null,true,{"b":{}}],"b":1.5,"big":18446744073709551615}`, `{}`, `{"t":"2026-07-27T09:30:15+00:00"}`}
	fields := Fields{Message: "test.M"}
	for _, document := range documents {
		var u, packed Unknown
		r := NewJSONReader([]byte(document))
		for o := r.place(&fields); r.nextField(&o); {
			r.keep(&o, &u)
		}
		require.NoError(t, r.close())

		mw := NewMsgpackWriter(nil)
		b, err := mw.Close(mw.Unknown(mw.MapHeader(nil, u.Len()), u, &fields), "test.M")
		require.NoError(t, err)
		mr := NewMsgpackReader(b)
		for o := mr.place(&fields); mr.nextField(&o); {
			mr.keep(&o, &packed)
		}
		require.NoError(t, mr.close())

		w := NewJSONWriter(nil)
		b, err = w.Close(w.CloseObject([]byte("{"), packed, &fields), "test.M")
		require.NoError(t, err)
		assert.Equal(t, document, string(b))
	}
	// What msgpack can't hold exactly is refused, not rounded.
	w := NewMsgpackWriter(nil)
	_, err := w.Close(w.Unknown(w.MapHeader(nil, 1), Unknown{{Key: "n", Format: JSON, Raw: []byte(`1e400`)}}, &Fields{}), "test.M")
	assert.ErrorIs(t, err, ErrRange)
}

func TestPointerToAMemberOfAOneof(t *testing.T) {
	w := NewJSONWriter(nil)
	_, err := w.Close(func(b []byte) []byte { w.Reject(b, "of", new(1)); return b }([]byte("{")), "test.M")
	require.ErrorContains(t, err, "a *int is no member of the oneof; its members are values, without &")
}
