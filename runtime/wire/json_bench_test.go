package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Writing costs nothing but room in the buffer. Reading costs what the message
// consists of.
func TestJSONAllocations(t *testing.T) {
	m := sampleBeat()
	buf, err := m.AppendJSON(nil)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = m.AppendJSON(buf[:0]) }), "a heartbeat")
	full := memo{Count: new(int64(-7)), Text: new("ö\n"), Until: new(time.Unix(1, 5)), Next: &memo{}}
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = full.AppendJSON(buf[:0]) }), "a memo")
	meta := map[string]any{"zone": "eu-1a", "try": int64(3), "ratio": 0.25, "ok": true, "none": nil, "list": []any{"a", 1.5}}
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		w := NewJSONWriter(buf[:0])
		buf, _ = w.Close(w.Struct(buf[:0], meta), "test.M")
	}), "free values")

	data, err := m.AppendJSON(nil)
	require.NoError(t, err)
	var got beat
	result := 2. // the strings share a piece, and there is a list of them
	assert.Equal(t, result, testing.AllocsPerRun(100, func() {
		r := NewJSONReader(data)
		_ = r.Close(got.readJSON(&r, data))
	}), "a heartbeat")
	require.Equal(t, m.Subs, got.Subs)

	var r JSONReader
	for text, c := range map[string]struct {
		want float64
		read func(b []byte)
	}{
		`1`:                        {0, func(b []byte) { r.Int32(b) }},
		`"-7"`:                     {0, func(b []byte) { r.Int64(b) }},
		`3`:                        {0, func(b []byte) { r.Uint32(b) }},
		`18446744073709551615`:     {0, func(b []byte) { r.Uint64(b) }},
		`0.1`:                      {0, func(b []byte) { r.Float32(b) }},
		`"1.5e-7"`:                 {0, func(b []byte) { r.Float64(b) }},
		`"2026-03-04T05:06:07.1Z"`: {0, func(b []byte) { r.Time(b) }},
		`"1.5s"`:                   {0, func(b []byte) { r.Duration(b) }},
		`"red"`:                    {0, func(b []byte) { r.Enum(b, &kitColors) }},
		`2`:                        {0, func(b []byte) { r.Enum(b, &kitColors) }},
		`"k"`:                      {0, func(b []byte) { r.String(b) }}, // one byte costs nothing
		`12345`:                    {1, func(b []byte) { r.Value(b) }},
		`1.25`:                     {1, func(b []byte) { r.Value(b) }},
		`"AQIDBAUGBw"`:             {1, func(b []byte) { r.Bytes(b) }},
	} {
		data := []byte(text)
		assert.Equal(t, c.want, testing.AllocsPerRun(100, func() {
			r = NewJSONReader(data)
			c.read(data)
		}), text)
		require.False(t, r.failed(), text)
	}
}

func BenchmarkJSONEncode(b *testing.B) {
	m := sampleBeat()
	buf, err := m.AppendJSON(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = m.AppendJSON(buf[:0])
	}
}

func BenchmarkJSONDecode(b *testing.B) {
	data, err := sampleBeat().AppendJSON(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		var m beat
		if err := m.UnmarshalJSON(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkJSONSkip(b *testing.B) {
	data, err := sampleBeat().AppendJSON(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		r := NewJSONReader(data)
		r.skip()
	}
}

func BenchmarkJSONFreeValue(b *testing.B) {
	m := map[string]any{"zone": "eu-1a", "try": int64(3), "ratio": 0.25, "ok": true, "none": nil,
		"nested": map[string]any{"a": []any{int64(1), int64(2), map[string]any{"b": "c"}}}}
	w := NewJSONWriter(nil)
	data := w.Struct(nil, m)
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			data = w.Struct(data[:0], m)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := NewJSONReader(data)
			r.Struct(data)
		}
	})
}

// One scalar at a time.
func BenchmarkJSONScalars(b *testing.B) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC)
	for _, c := range []struct {
		name  string
		write func(w *JSONWriter, b []byte) []byte
		read  func(r *JSONReader)
	}{
		{"string", func(w *JSONWriter, b []byte) []byte { return w.String(b, "order-projection-eu-west-1") }, func(r *JSONReader) { r.text("") }},
		{"escaped", func(w *JSONWriter, b []byte) []byte { return w.String(b, "order\tprojection-eu-west-1") }, func(r *JSONReader) { r.text("") }},
		{"time", func(w *JSONWriter, b []byte) []byte { return w.Time(b, at) }, func(r *JSONReader) { r.time() }},
		{"int64", func(w *JSONWriter, b []byte) []byte { return w.Int64(b, 1234567) }, func(r *JSONReader) { r.int64() }},
		{"short float", func(w *JSONWriter, b []byte) []byte { return w.Float64(b, 0.75) }, func(r *JSONReader) { r.float64() }},
		{"long float", func(w *JSONWriter, b []byte) []byte { return w.Float64(b, 0.1234567890123456) }, func(r *JSONReader) { r.float64() }},
	} {
		w := NewJSONWriter(nil)
		data := c.write(&w, nil)
		b.Run(c.name+" write", func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = c.write(&w, buf[:0])
			}
		})
		b.Run(c.name+" read", func(b *testing.B) {
			b.ReportAllocs()
			r := NewJSONReader(data)
			for b.Loop() {
				r.pos = 0
				c.read(&r)
			}
		})
	}
}
