package coordination_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/wire"
)

// The tests of this file hold version 2 of the protocol against instances of
// version 1, whose schema is kept in testdata, and of the reference.

// versionOne returns what an instance of version 1 does with messages, by name.
func versionOne(t *testing.T) map[string]*convert.Converter {
	r, err := load.Load(t.Context(), load.Options{Files: []string{"coordination.proto"}, Include: []string{"testdata/v1"}})
	require.NoError(t, err)
	converters := make(map[string]*convert.Converter)
	for _, f := range r.Schema.Files {
		for _, m := range f.Messages {
			c, err := convert.New(m, r.Descriptor(m))
			require.NoError(t, err)
			converters[m.Go] = c
		}
		if f.Path == "coordination.proto" {
			require.Equal(t, 1, f.Version)
		}
	}
	return converters
}

// codecs are the names of the codecs, as a converter and the runtime have them.
var codecs = map[string]wire.Format{convert.JSON: wire.JSON, convert.Msgpack: wire.Msgpack, convert.Protobuf: wire.Proto}

func heartbeats(m *coordination.HeartbeatMessage) *rapid.Generator[*coordination.HeartbeatMessage] {
	return rapid.Custom(func(t *rapid.T) *coordination.HeartbeatMessage {
		b := *m
		if rapid.Bool().Draw(t, "says its version") {
			v := rapid.Uint32().Draw(t, "version")
			b.SchemaVersion = &v
		}
		if rapid.Bool().Draw(t, "says its incarnation") {
			v := rapid.Int64().Draw(t, "incarnation")
			b.Incarnation = &v
		}
		if rapid.Bool().Draw(t, "says its term") {
			v := rapid.Uint64().Draw(t, "term")
			b.Term = &v
		}
		return &b
	})
}

// An instance of version 1 passes on what it does not know.
func TestVersionOneRelaysVersionTwo(t *testing.T) {
	old := versionOne(t)
	at := time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		beat := heartbeats(&coordination.HeartbeatMessage{InstanceID: "a", Timestamp: at, Subscriptions: []string{"orders"}, IsLeader: true}).Draw(rt, "beat")
		notice := &coordination.ShutdownNotification{
			InstanceID: "a", Intent: coordination.ShutdownIntentGraceful, InitiatedAt: at, ExpectedCompletionAt: at,
			Metadata: map[string]any{}, Incarnation: beat.Incarnation,
		}
		work := &coordination.WorkAssignment{TargetInstanceID: "b", SourceInstanceID: "a", Subscriptions: []string{"orders"}, AssignedAt: at, Term: beat.Term}
		for name, m := range map[string]any{"HeartbeatMessage": beat, "ShutdownNotification": notice, "WorkAssignment": work} {
			for codec := range codecs {
				data, err := wire.Append(codecs[codec], nil, m)
				require.NoError(t, err)
				relayed, without, err := old[name].Convert(data, codec, codec)
				require.NoError(t, err)
				require.Empty(t, without)
				again := newMessage(t, name)
				require.NoError(t, wire.Unmarshal(codecs[codec], relayed, again), "%q", relayed)
				assert.Equal(t, m, again, codec)
			}
		}
	})
}

// What says nothing of version 2 has the bytes that version 1 writes.
func TestWithoutTheNewFieldsTheBytesAreThoseOfVersionOne(t *testing.T) {
	old := versionOne(t)
	type row struct{ Message, JSON string }
	for _, r := range rows[row](t, "vectors.json") {
		m := newMessage(t, r.Message)
		require.NoError(t, wire.Unmarshal(wire.JSON, []byte(r.JSON), m), r.JSON)
		for codec := range codecs {
			want, _, err := old[r.Message].Convert([]byte(r.JSON), convert.JSON, codec)
			got, mine := wire.Append(codecs[codec], nil, m)
			if err != nil {
				require.Error(t, mine, "no codec of protobuf has the number")
				continue
			}
			require.NoError(t, mine)
			assert.Equal(t, want, got, "%s of %s", codec, r.JSON)
		}
	}
}

// The reference ignores keys that it does not know. All others are there and as they
// were, in what a coordinator of version 2 makes.
func TestTheReferenceFindsAllKeysInMessagesOfVersionTwo(t *testing.T) {
	c := newCoordinator(t, "a")
	for _, tc := range []struct {
		m    any
		keys []string
		news []string
	}{
		{
			c.CreateHeartbeat(coord.Work{}),
			[]string{"instance_id", "timestamp", "subscriptions", "in_flight_count", "is_leader", "load_factor"},
			[]string{"schema_version", "incarnation"},
		},
		{
			c.CreateShutdownNotice(coordination.ShutdownIntentGraceful, coord.Leaving{}),
			[]string{"instance_id", "intent", "initiated_at", "expected_completion_at", "subscriptions", "in_flight_count", "metadata"},
			[]string{"incarnation"},
		},
		{
			c.CreateWorkAssignment("b", nil, 1),
			[]string{"target_instance_id", "subscriptions", "source_instance_id", "assigned_at", "priority"},
			nil,
		},
	} {
		text := written(t, tc.m)
		assert.Equal(t, append(tc.keys, tc.news...), keys(t, text))
		var document map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &document))
		for _, key := range tc.news {
			assert.IsType(t, float64(0), document[key])
		}
	}
}

func TestACoordinatorTellsTheVersionOfItsSchema(t *testing.T) {
	for want, given := range map[uint32]int{coordination.CoordinationSchemaVersion: 0, 7: 7} {
		c, err := coordination.NewCoordinator(coord.Config{InstanceID: "a", SchemaVersion: given})
		require.NoError(t, err)
		if said := c.CreateHeartbeat(coord.Work{}).SchemaVersion; assert.NotNil(t, said) {
			assert.Equal(t, want, *said)
		}
	}
}

// By what it says of versions, lives and leaders a fleet finds the version to write
// at, so it must not depend on that.
func TestHeartbeatsAreWrittenInFullAtAnyVersion(t *testing.T) {
	version, life, term := uint32(2), int64(7), uint64(3)
	m := &coordination.HeartbeatMessage{InstanceID: "a", Timestamp: time.Unix(1, 0), SchemaVersion: &version, Incarnation: &life, Term: &term}
	for _, format := range codecs {
		want, err := wire.Append(format, nil, m)
		require.NoError(t, err)
		got, err := wire.AppendAt(format, wire.Version{Schema: "coordination", Number: 1}, nil, m)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

// A fleet over a bus is upgraded, and an instance leaves and is back within its drain
// window.
func TestAFleetIsUpgraded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		defer b.Close()
		c, other := newCoordinator(t, "a"), newCoordinator(t, "b")
		unbind, err := c.Bind(t.Context(), b, bus.Options{})
		require.NoError(t, err)
		p := coordination.NewCoordinationPublisher(b, wire.JSON).AtVersion(c.WriteVersion)
		beat := func(m *coordination.HeartbeatMessage) {
			require.NoError(t, p.PublishHeartbeat(t.Context(), m))
			synctest.Wait()
		}
		versionOne := func(m *coordination.HeartbeatMessage) *coordination.HeartbeatMessage {
			m.SchemaVersion, m.Incarnation, m.Term = nil, nil, nil
			return m
		}
		for range 4 {
			beat(c.CreateHeartbeat(coord.Work{}))
			beat(versionOne(other.CreateHeartbeat(coord.Work{})))
			time.Sleep(c.HeartbeatInterval())
		}
		assert.Equal(t, coord.FleetVersion{Lowest: 1, Highest: 2, Writing: 1}, c.FleetVersion())
		beat(other.CreateHeartbeat(coord.Work{}))
		assert.Equal(t, coord.FleetVersion{Lowest: 2, Highest: 2, Writing: 2}, c.FleetVersion())

		require.NoError(t, p.PublishShutdown(t.Context(), other.CreateShutdownNotice(coordination.ShutdownIntentMaintenance, coord.Leaving{})))
		synctest.Wait()
		assert.Len(t, c.DrainingPeers(), 1)
		time.Sleep(time.Second)
		beat(newCoordinator(t, "b").CreateHeartbeat(coord.Work{}))
		assert.Equal(t, 1, c.HealthyPeerCount())
		require.NoError(t, unbind())
	})
}

func newCoordinator(t *testing.T, id string) *coordination.Coordinator {
	c, err := coordination.NewCoordinator(coord.Config{InstanceID: id})
	require.NoError(t, err)
	return c
}
