package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func sampleBeat() *beat {
	return &beat{
		ID:       "projection-worker-7",
		At:       time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC),
		Subs:     []string{"order-projection", "billing-projection", "audit"},
		InFlight: 42,
		Leader:   true,
		Load:     0.75,
	}
}

func BenchmarkMsgpackEncode(b *testing.B) {
	m := sampleBeat()
	buf, err := m.AppendMsgpack(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		buf, _ = m.AppendMsgpack(buf[:0])
	}
}

func BenchmarkMsgpackDecode(b *testing.B) {
	data, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		var m beat
		if err := m.UnmarshalMsgpack(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMsgpackSkip(b *testing.B) {
	data, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		r := NewMsgpackReader(data)
		r.skip()
	}
}

func BenchmarkMsgpackFreeValue(b *testing.B) {
	m := map[string]any{"zone": "eu-1a", "try": int64(3), "ratio": 0.25, "ok": true, "none": nil,
		"nested": map[string]any{"a": []any{int64(1), int64(2), map[string]any{"b": "c"}}}}
	w := NewMsgpackWriter(nil)
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
			r := NewMsgpackReader(data)
			r.Struct(data)
		}
	})
}
