package main

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/examples/fleet/fleet"
	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/elector"
)

// sent is a bus that keeps the assignments and delivers nothing.
type sent struct{ assignments []coordination.WorkAssignment }

func (s *sent) Publish(_ context.Context, m bus.Message) error {
	if m.Topic != fleet.WorkAssignmentTopic {
		return nil
	}
	var a coordination.WorkAssignment
	err := a.UnmarshalJSON(m.Payload)
	s.assignments = append(s.assignments, a)
	return err
}

// take returns what was assigned since the last call, and to whom.
func (s *sent) take() map[string][]string {
	given := make(map[string][]string)
	for _, a := range s.assignments {
		given[a.TargetInstanceID] = append(given[a.TargetInstanceID], a.Subscriptions...)
	}
	s.assignments = nil
	return given
}

func newTestWorker(t *testing.T, p bus.Publisher, leads bool) *worker {
	e, err := elector.NewInMemory("self", nil)
	require.NoError(t, err)
	if leads {
		_, err = e.TryAcquire(t.Context())
		require.NoError(t, err)
	}
	w, err := newWorker("self", "eu", []string{"own"}, e, p, newReporter("self", io.Discard), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	w.register()
	return w
}

func hear(t *testing.T, w *worker, id string, work ...string) {
	err := w.coord.HandleHeartbeat(t.Context(), &fleet.FleetHeartbeat{InstanceID: id, Timestamp: time.Now(), Subscriptions: work})
	require.NoError(t, err)
}

// Work is assigned until a heartbeat shows that somebody does it.
func TestOrphansAreAssignedUntilSomebodyWorksOnThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s sent
		w := newTestWorker(t, &s, true)
		pass := func(d time.Duration) { // with a peer that lives
			for end := time.Now().Add(d); time.Now().Before(end); {
				time.Sleep(time.Second / 2)
				hear(t, w, "peer", "kept")
			}
		}
		hear(t, w, "lost", "x", "y")
		hear(t, w, "peer", "kept")
		w.lookAfterOrphans(t.Context())
		require.Empty(t, s.take(), "nobody is lost")

		pass(heartbeatTimeout + time.Second)
		w.lookAfterOrphans(t.Context())
		require.Equal(t, map[string][]string{"peer": {"x"}, "self": {"y"}}, s.take())

		pass(time.Second)
		w.lookAfterOrphans(t.Context())
		require.Empty(t, s.take(), "it waits for those to begin")

		pass(heartbeatTimeout)
		w.lookAfterOrphans(t.Context())
		require.NotEmpty(t, s.take(), "nobody began")

		hear(t, w, "peer", "kept", "x", "y")
		w.lookAfterOrphans(t.Context())
		require.Empty(t, s.take())
		_, known := w.coord.Peer("lost")
		require.False(t, known, "all is settled")
	})
}

func TestOnlyTheLeaderAssigns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s sent
		w := newTestWorker(t, &s, false)
		hear(t, w, "lost", "x")
		time.Sleep(2 * heartbeatTimeout)
		w.lookAfterOrphans(t.Context())
		assert.Empty(t, s.take())
		assert.True(t, w.noted["lost"])

		hear(t, w, "lost", "x")
		w.lookAfterOrphans(t.Context())
		assert.False(t, w.noted["lost"], "it is news when it is lost again")
	})
}

func TestWhoLeavesTakesNoWork(t *testing.T) {
	w := newTestWorker(t, &sent{}, false)
	w.coord.CreateShutdownNotice(coordination.ShutdownIntentGraceful, coord.Leaving{})
	err := w.coord.HandleWorkAssignment(t.Context(), &coordination.WorkAssignment{
		TargetInstanceID: "self", SourceInstanceID: "peer", Subscriptions: []string{"x"}, AssignedAt: time.Now(),
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"own"}, w.holds())
}
