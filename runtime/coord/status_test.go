package coord_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

func TestPeerIsStaleWhenItsAgeIsGreaterThanTheTimeout(t *testing.T) {
	for name, configured := range map[string]time.Duration{"default": 0, "shorter": 4 * time.Second, "longer": time.Minute} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t, func(c *coord.Config) { c.HeartbeatTimeout = configured })
				limit := configured
				if limit == 0 {
					limit = timeout
				}
				hears(t, c, "a")
				time.Sleep(limit)
				assert.Equal(t, coord.StatusHealthy, status(c, "a"))
				assert.Empty(t, c.CheckPeerTimeouts(t.Context()))
				time.Sleep(tick)
				assert.Equal(t, coord.StatusStale, status(c, "a"))
				assert.Equal(t, []string{"a"}, c.CheckPeerTimeouts(t.Context()))
			})
		})
	}
}

func TestPeerIsTerminatedWhenNothingOfItsWindowRemains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		leaves(t, c, "a", time.Now(), window)
		time.Sleep(window - tick)
		p, _ := c.Peer("a")
		assert.Equal(t, coord.StatusDraining, p.Status)
		assert.Equal(t, tick, p.TimeRemaining)
		time.Sleep(tick)
		p, _ = c.Peer("a")
		assert.Equal(t, coord.StatusTerminated, p.Status)
		assert.Zero(t, p.TimeRemaining)
		time.Sleep(time.Hour)
		p, _ = c.Peer("a")
		assert.Zero(t, p.TimeRemaining, "never below 0")
	})
}

// The first that applies: a notice outweighs a heartbeat, whatever its age.
func TestStatusOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		hears(t, c, "a")
		leaves(t, c, "a", time.Now(), window)
		assert.Equal(t, coord.StatusDraining, status(c, "a"))
		time.Sleep(timeout + tick)
		assert.Equal(t, coord.StatusDraining, status(c, "a"), "stale, but draining")
		time.Sleep(window)
		assert.Equal(t, coord.StatusTerminated, status(c, "a"), "stale, but terminated")
	})
}

func TestExpiredNoticeMeansTerminatedAtOnce(t *testing.T) {
	c := newCoordinator(t)
	hearsFrom(t, c, "a", time.Now().Add(-time.Minute))
	require.NoError(t, c.HandlePeerShutdown(t.Context(), &goodbye{
		Name: "a", Since: time.Now(), Until: time.Now().Add(-time.Hour), Jobs: []string{"orders"},
	}))
	// The heartbeat's delivery took a minute, which looks like a skewed clock: the
	// deadline is corrected by it, and is long past still.
	assert.Equal(t, coord.StatusTerminated, status(c, "a"))
	leaves(t, c, "b", time.Now().Add(-window), window)
	assert.Equal(t, coord.StatusTerminated, status(c, "b"))
}

func TestUnknownPeer(t *testing.T) {
	p, ok := newCoordinator(t).Peer("nobody")
	assert.False(t, ok)
	assert.Equal(t, coord.Peer[pulse, goodbye]{InstanceID: "nobody", Status: coord.StatusUnknown}, p)
}

func TestStatusesAreTheProtocolsWords(t *testing.T) {
	assert.Equal(t, []coord.Status{"terminated", "draining", "unknown", "stale", "healthy"}, []coord.Status{
		coord.StatusTerminated, coord.StatusDraining, coord.StatusUnknown, coord.StatusStale, coord.StatusHealthy,
	})
}
