package coord_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

func TestNoticeIsRecordedBeforeItsCallbacks(t *testing.T) {
	c := newCoordinator(t)
	// An intent that this version does not know is passed on, not refused.
	sent := &goodbye{Name: "a", Why: "solar_flare", Since: time.Now(), Until: time.Now().Add(window), Jobs: []string{"orders"}}
	var called []string
	c.OnPeerShutdown(func(_ context.Context, g *goodbye) error {
		assert.Same(t, sent, g)
		peer, _ := c.Peer("a") // also: no lock is held
		assert.Equal(t, coord.StatusDraining, peer.Status)
		assert.Equal(t, sent, peer.Shutdown)
		called = append(called, "first")
		return nil
	})
	c.OnPeerShutdown(func(context.Context, *goodbye) error {
		called = append(called, "second")
		return nil
	})
	require.NoError(t, c.HandlePeerShutdown(t.Context(), sent))
	assert.Equal(t, []string{"first", "second"}, called)
}

func TestRemovedShutdownCallbackIsSilent(t *testing.T) {
	c := newCoordinator(t)
	calls := 0
	remove := c.OnPeerShutdown(func(context.Context, *goodbye) error { calls++; return nil })
	leaves(t, c, "a", time.Now(), window)
	remove()
	leaves(t, c, "b", time.Now(), window)
	assert.Equal(t, 1, calls)
}

func TestOwnNoticeIsIgnored(t *testing.T) {
	c := newCoordinator(t)
	c.OnPeerShutdown(func(context.Context, *goodbye) error {
		t.Error("called for its own notice")
		return nil
	})
	require.NoError(t, c.HandlePeerShutdown(t.Context(), c.CreateShutdownNotice("graceful", coord.Leaving{})))
	assert.Empty(t, c.Peers())
}

func TestCreateShutdownNotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(1234 * time.Nanosecond)
		c := newCoordinator(t)
		assert.False(t, c.ShuttingDown())
		assert.Nil(t, c.ShutdownNotice())

		jobs, extra := []string{"orders"}, map[string]any{"spot": true}
		made := c.CreateShutdownNotice("preemption", coord.Leaving{
			Subscriptions: jobs, InFlightCount: 7, DrainWindow: 2 * time.Minute, Metadata: extra,
		})
		jobs[0], extra["spot"] = "changed", false

		now := time.Now().UTC().Truncate(time.Microsecond)
		want := goodbye{
			Name: "me", Why: "preemption", Since: now, Until: now.Add(2 * time.Minute),
			Jobs: []string{"orders"}, Busy: 7, Extra: map[string]any{"spot": true}, Life: now.UnixMicro(),
		}
		assert.Equal(t, &want, made)
		assert.True(t, c.ShuttingDown())

		made.Why = "changed"
		c.ShutdownNotice().Why = "changed"
		assert.Equal(t, &want, c.ShutdownNotice(), "the notice on record is the coordinator's own")
	})
}

func TestShutdownNoticeDefaults(t *testing.T) {
	for name, tc := range map[string]struct{ config, leaving, want time.Duration }{
		"default":           {0, 0, 30 * time.Second},
		"the config's":      {time.Minute, 0, time.Minute},
		"the call's":        {time.Minute, time.Second, time.Second},
		"less than nothing": {time.Minute, -time.Second, time.Minute},
		"whole microsecond": {0, 1500 * time.Nanosecond, time.Microsecond},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCoordinator(t, func(c *coord.Config) { c.DrainWindow = tc.config })
			made := c.CreateShutdownNotice("graceful", coord.Leaving{DrainWindow: tc.leaving})
			assert.Equal(t, tc.want, made.Until.Sub(made.Since))
			assert.NotNil(t, made.Jobs)
			assert.NotNil(t, made.Extra)
		})
	}
}

func TestSecondNoticeReplacesTheFirst(t *testing.T) {
	c := newCoordinator(t)
	c.CreateShutdownNotice("maintenance", coord.Leaving{})
	c.CreateShutdownNotice("preemption", coord.Leaving{})
	assert.Equal(t, "preemption", c.ShutdownNotice().Why)
}
