package coordination_test

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/wire"
)

// newMessage returns a message by its name in the reference's files.
func newMessage(t testing.TB, name string) any {
	switch name {
	case "HeartbeatMessage":
		return new(coordination.HeartbeatMessage)
	case "ShutdownNotification":
		return new(coordination.ShutdownNotification)
	case "WorkAssignment":
		return new(coordination.WorkAssignment)
	}
	require.FailNow(t, "unknown message", name)
	return nil
}

// rows reads a file of the reference's messages.
func rows[T any](t testing.TB, file string) []T {
	raw, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	var all []T
	require.NoError(t, json.Unmarshal(raw, &all))
	require.NotEmpty(t, all)
	return all
}

// meaning is a JSON document with its numbers exact and its times as instants.
func meaning(t testing.TB, document string) any {
	d := json.NewDecoder(strings.NewReader(document))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v), document)
	return exact(t, v)
}

func exact(t testing.TB, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = exact(t, value)
		}
	case []any:
		for i, value := range v {
			v[i] = exact(t, value)
		}
	case json.Number:
		n, ok := new(big.Rat).SetString(v.String())
		require.True(t, ok, v)
		return n.RatString()
	case string:
		if at, err := time.Parse(time.RFC3339Nano, v); err == nil {
			return at.UnixMicro() // the reference keeps no more
		}
	}
	return v
}

// written returns the message's JSON.
func written(t testing.TB, m any) string {
	text, err := wire.Append(wire.JSON, nil, m)
	require.NoError(t, err)
	return string(text)
}

// throughMsgpack returns the message that is read from m's msgpack.
func throughMsgpack(t testing.TB, name string, m any) any {
	packed, err := wire.Append(wire.Msgpack, nil, m)
	require.NoError(t, err)
	again := newMessage(t, name)
	require.NoError(t, wire.Unmarshal(wire.Msgpack, packed, again))
	return again
}

func TestTheReferencesMessagesComeBack(t *testing.T) {
	type row struct{ Message, JSON string }
	for _, r := range rows[row](t, "vectors.json") {
		m := newMessage(t, r.Message)
		require.NoError(t, wire.Unmarshal(wire.JSON, []byte(r.JSON), m), r.JSON)
		assert.Equal(t, meaning(t, r.JSON), meaning(t, written(t, m)))
		assert.Equal(t, keys(t, r.JSON), keys(t, written(t, m)), "all keys, in the reference's order")

		packed := throughMsgpack(t, r.Message, m)
		assert.Equal(t, m, packed)
		assert.Equal(t, meaning(t, r.JSON), meaning(t, written(t, packed)))
	}
}

// keys returns the keys of an object in their order.
func keys(t testing.TB, document string) []string {
	d := json.NewDecoder(strings.NewReader(document))
	_, err := d.Token()
	require.NoError(t, err)
	var all []string
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		var value json.RawMessage
		require.NoError(t, d.Decode(&value))
		all = append(all, key.(string))
	}
	return all
}

func TestWhatTheReferenceReads(t *testing.T) {
	type row struct {
		Message, JSON, Canonical, Because string
		Reads                             bool
	}
	causes := map[string][]error{
		"KeyError":   {wire.ErrMissing},
		"ValueError": {wire.ErrValue},
	}
	for _, r := range rows[row](t, "accepts.json") {
		m := newMessage(t, r.Message)
		err := wire.Unmarshal(wire.JSON, []byte(r.JSON), m)
		if n, ok := m.(*coordination.ShutdownNotification); ok && !n.Intent.Known() {
			// A new intent can be rolled out: it is kept, where the reference refuses.
			require.NoError(t, err, r.JSON)
			assert.False(t, r.Reads)
			assert.Contains(t, written(t, m), `"intent":"`+string(n.Intent)+`"`)
			continue
		}
		if !r.Reads {
			var e *wire.Error
			require.ErrorAs(t, err, &e, r.JSON)
			require.Contains(t, causes, r.Because)
			require.ErrorIs(t, err, causes[r.Because][0])
			assert.Equal(t, "coordination."+r.Message, e.Message)
			assert.NotEmpty(t, e.Field)
			assert.Positive(t, e.Offset)
			continue
		}
		require.NoError(t, err, r.JSON)
		want, got := meaning(t, r.Canonical).(map[string]any), meaning(t, written(t, m)).(map[string]any)
		for key := range got {
			if _, there := want[key]; !there {
				assert.Equal(t, meaning(t, r.JSON).(map[string]any)[key], got[key], "an unknown key is kept")
				delete(got, key)
			}
		}
		assert.Equal(t, want, got)
		assert.Equal(t, meaning(t, written(t, m)), meaning(t, written(t, throughMsgpack(t, r.Message, m))))
	}
}
