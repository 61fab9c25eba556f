package wire

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
)

func FuzzMsgpack(f *testing.F) {
	whole, err := sampleBeat().AppendMsgpack(nil)
	require.NoError(f, err)
	f.Add(whole)
	f.Add(kitWith("free", []any{nil, true, -1, uint64(math.MaxUint64), 1.5, "é", []byte{1}, time.Unix(1, 1), map[string]any{"a": []any{}}}))
	f.Add(kitWith("kits", []any{map[string]any{"name": "in", "x": rawExt{}}}))
	f.Add(kitWith("by_u64", map[string]any{"7": map[string]any{"name": "in"}}))
	f.Add(kitWith("at", "2026-03-04T05:06:07.5+01:00"))
	f.Add(kitWith("data", "AQID"))
	f.Add(kitWith("x", rawBytes(strings.Repeat("\x91", 200)+"\x90")))
	for _, bomb := range bombs {
		f.Add([]byte(bomb))
		f.Add(kitWith("free", rawBytes(bomb)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzMessage[beat](t, data)
		fuzzMessage[kit](t, data)
		fuzzValue(t, data)
	})
}

// fuzzMessage checks that a message that is read can be written and is then the
// same, and that the bridge to msgpack/v5 reads it alike.
func fuzzMessage[M any, P interface {
	*M
	AppendMsgpack(b []byte) ([]byte, error)
	UnmarshalMsgpack(data []byte) error
	DecodeMsgpack(d *msgpack.Decoder) error
}](t *testing.T, data []byte) {
	var m, again, bridged M
	err := P(&m).UnmarshalMsgpack(data)
	bridge := P(&bridged).DecodeMsgpack(msgpack.NewDecoder(bytes.NewReader(data)))
	if err != nil {
		var e *Error
		require.ErrorAs(t, err, &e)
		require.NotEmpty(t, e.Message)
		require.LessOrEqual(t, e.Offset, len(data))
		require.GreaterOrEqual(t, e.Offset, 0)
		return
	}
	require.NoError(t, bridge)
	written, err := P(&m).AppendMsgpack(nil)
	require.NoError(t, err, "what was read can be written")
	require.NoError(t, P(&again).UnmarshalMsgpack(written))
	requireSame(t, &m, &again)
	requireSame(t, &m, &bridged)
}

// requireSame is require.Equal in whose eyes NaN equals itself: it compares what
// is printed.
func requireSame(t *testing.T, want, got any) {
	require.Equal(t, printed(want), printed(got))
}

// fuzzValue checks that a free value is read as msgpack/v5 reads it, and is the
// same after it was written. Only what was accepted goes to msgpack/v5, which
// hostile bytes would kill.
func fuzzValue(t *testing.T, data []byte) {
	r := NewMsgpackReader(data)
	v := r.value()
	if r.close() != nil {
		return
	}
	skipped := NewMsgpackReader(data)
	skipped.skip()
	require.NoError(t, skipped.close(), "what can be read can be skipped")

	w := NewMsgpackWriter(nil)
	written := w.Value(nil, v)
	if w.err != nil {
		require.ErrorIs(t, w.err, ErrDepth, "a written value lies in a message, one level deeper")
		return
	}
	again := NewMsgpackReader(written)
	requireSame(t, v, again.value())
	require.NoError(t, again.close())

	var theirs any
	require.NoError(t, msgpack.Unmarshal(data, &theirs))
	requireSame(t, v, asFree(theirs))
}
