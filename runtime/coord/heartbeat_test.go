package coord_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

func TestHeartbeatIsRecordedBeforeItsCallbacks(t *testing.T) {
	c := newCoordinator(t)
	sent := &pulse{Name: "a", Made: time.Now(), Jobs: []string{"orders"}, Region: "eu"}
	var called []string
	c.OnHeartbeat(func(_ context.Context, p *pulse) error {
		assert.Same(t, sent, p)
		peer, ok := c.Peer("a") // also: no lock is held
		assert.True(t, ok)
		assert.Equal(t, coord.StatusHealthy, peer.Status)
		assert.Equal(t, sent, peer.LastHeartbeat)
		called = append(called, "first")
		return nil
	})
	c.OnHeartbeat(func(context.Context, *pulse) error {
		called = append(called, "second")
		return nil
	})
	require.NoError(t, c.HandleHeartbeat(t.Context(), sent))
	assert.Equal(t, []string{"first", "second"}, called)
}

func TestOwnHeartbeatIsIgnored(t *testing.T) {
	c := newCoordinator(t)
	c.OnHeartbeat(func(context.Context, *pulse) error {
		t.Error("called for its own heartbeat")
		return nil
	})
	hears(t, c, "me")
	assert.Empty(t, c.Peers())
}

func TestHeartbeatCallbackGetsTheContext(t *testing.T) {
	type key struct{}
	c := newCoordinator(t)
	c.OnHeartbeat(func(ctx context.Context, _ *pulse) error {
		assert.Equal(t, "kept", ctx.Value(key{}))
		return nil
	})
	ctx := context.WithValue(t.Context(), key{}, "kept")
	require.NoError(t, c.HandleHeartbeat(ctx, &pulse{Name: "a", Made: time.Now()}))
}

func TestRemovedHeartbeatCallbackIsSilent(t *testing.T) {
	c := newCoordinator(t)
	calls := 0
	remove := c.OnHeartbeat(func(context.Context, *pulse) error { calls++; return nil })
	hears(t, c, "a")
	remove()
	remove()
	hears(t, c, "b")
	assert.Equal(t, 1, calls)
}

func TestLateHeartbeatHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book logbook
		c := newCoordinator(t, book.into)
		calls := 0
		c.OnHeartbeat(func(context.Context, *pulse) error { calls++; return nil })

		earlier := time.Now()
		time.Sleep(5 * time.Second)
		hears(t, c, "a", "new")
		heard := time.Now()
		time.Sleep(5 * time.Second)
		hearsFrom(t, c, "a", earlier, "old")

		p, _ := c.Peer("a")
		assert.Equal(t, []string{"new"}, p.Subscriptions)
		assert.True(t, p.ReceivedAt.Equal(heard), "its age must not be refreshed")
		assert.Equal(t, 1, calls)
		lines := book.lines(t, slog.LevelDebug)
		require.Len(t, lines, 1)
		assert.Equal(t, "a", lines[0]["peer"])
		assert.Equal(t, "heartbeat", lines[0]["event"])
		assert.Equal(t, "sent before the heartbeat on record", lines[0]["reason"])
	})
}

func TestHeartbeatOfTheSameTimeReplacesButIsNoSignOfLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		calls := 0
		c.OnHeartbeat(func(context.Context, *pulse) error { calls++; return nil })
		made := time.Now()
		hearsFrom(t, c, "a", made, "first")
		time.Sleep(10 * time.Second)
		hearsFrom(t, c, "a", made, "second")

		p, _ := c.Peer("a")
		assert.Equal(t, []string{"second"}, p.Subscriptions)
		assert.Zero(t, p.ClockOffset)
		assert.Equal(t, 2, calls)

		time.Sleep(5*time.Second + tick)
		assert.Equal(t, coord.StatusStale, status(c, "a"))
		hearsFrom(t, c, "a", made)
		assert.Equal(t, coord.StatusStale, status(c, "a"), "delivered again, a dead peer's heartbeat must not revive it")
	})
}

func TestCreateHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(1234 * time.Nanosecond)
		c := newCoordinator(t)
		jobs := []string{"orders", "mail"}
		p := c.CreateHeartbeat(coord.Work{Subscriptions: jobs, InFlightCount: 3, LoadFactor: 0.5})
		jobs[0] = "changed"

		assert.Equal(t, &pulse{
			Name: "me", Made: time.Now().UTC().Truncate(time.Microsecond),
			Jobs: []string{"orders", "mail"}, Busy: 3, Load: 0.5,
			Form: 1, Life: time.Now().UnixMicro(),
		}, p)
		assert.NotNil(t, c.CreateHeartbeat(coord.Work{}).Jobs)
		assert.Empty(t, c.Peers())
	})
}

func TestHeartbeatIntervalIsAThirdOfTheTimeout(t *testing.T) {
	assert.Equal(t, 5*time.Second, newCoordinator(t).HeartbeatInterval())
	c := newCoordinator(t, func(c *coord.Config) { c.HeartbeatTimeout = time.Minute })
	assert.Equal(t, 20*time.Second, c.HeartbeatInterval())
}
