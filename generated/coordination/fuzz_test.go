package coordination_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/wire"
)

func FuzzHeartbeatJSON(f *testing.F)    { fuzz(f, wire.JSON, "HeartbeatMessage") }
func FuzzHeartbeatMsgpack(f *testing.F) { fuzz(f, wire.Msgpack, "HeartbeatMessage") }
func FuzzShutdownJSON(f *testing.F)     { fuzz(f, wire.JSON, "ShutdownNotification") }
func FuzzShutdownMsgpack(f *testing.F)  { fuzz(f, wire.Msgpack, "ShutdownNotification") }
func FuzzAssignmentJSON(f *testing.F)   { fuzz(f, wire.JSON, "WorkAssignment") }
func FuzzAssignmentMsgpack(f *testing.F) {
	fuzz(f, wire.Msgpack, "WorkAssignment")
}

// fuzz demands of a decoder that what it accepts is written and read back the
// same, and that what it refuses gets a located error.
func fuzz(f *testing.F, format wire.Format, name string) {
	type row struct{ Message, JSON string }
	for _, r := range rows[row](f, "vectors.json")[:30] {
		if r.Message == name {
			m := newMessage(f, name)
			require.NoError(f, wire.Unmarshal(wire.JSON, []byte(r.JSON), m))
			seed, err := wire.Append(format, nil, m)
			require.NoError(f, err)
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m := newMessage(t, name)
		if err := wire.Unmarshal(format, data, m); err != nil {
			var e *wire.Error
			require.ErrorAs(t, err, &e)
			assert.LessOrEqual(t, e.Offset, len(data))
			return
		}
		if format == wire.JSON {
			require.True(t, json.Valid(data))
		}
		again, err := wire.Append(format, nil, m)
		require.NoError(t, err)
		m2 := newMessage(t, name)
		require.NoError(t, wire.Unmarshal(format, again, m2))
		twice, err := wire.Append(format, nil, m2)
		require.NoError(t, err)
		assert.Equal(t, again, twice) // bytes, since NaN is not equal to itself
	})
}
