package coord_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

// fleet returns a coordinator with one peer of each kind. They all have the
// subscription that is named after them, but for those whose name says otherwise.
func fleet(t *testing.T) *coordinator {
	t.Helper()
	c := newCoordinator(t)
	hears(t, c, "stale", "stale")
	hears(t, c, "stale-idle")
	leaves(t, c, "terminated", time.Now(), time.Second, "terminated")
	time.Sleep(timeout + tick)
	hears(t, c, "healthy", "healthy")
	hears(t, c, "healthy-2", "healthy-2")
	hears(t, c, "draining", "of its heartbeat")
	leaves(t, c, "draining", time.Now(), window, "draining")
	hears(t, c, "draining-idle", "of its heartbeat")
	leaves(t, c, "draining-idle", time.Now(), window)
	return c
}

func ids(peers []coord.Peer[pulse, goodbye]) []string {
	var ids []string
	for _, p := range peers {
		ids = append(ids, p.InstanceID)
	}
	return ids
}

func TestViewsOfAFleet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := fleet(t)
		assert.Equal(t, []string{"draining", "draining-idle", "healthy", "healthy-2", "stale", "stale-idle", "terminated"}, ids(c.Peers()))
		assert.Equal(t, []string{"draining", "draining-idle"}, ids(c.DrainingPeers()))
		assert.Equal(t, 2, c.HealthyPeerCount())
		assert.Equal(t, map[string][]string{
			"draining": {"draining"}, "stale": {"stale"}, "terminated": {"terminated"},
		}, c.OrphanedSubscriptions())
		for _, p := range c.Peers() {
			one, ok := c.Peer(p.InstanceID)
			assert.True(t, ok)
			assert.Equal(t, p, one)
		}
	})
}

func TestViewsOfAnEmptyFleet(t *testing.T) {
	c := newCoordinator(t)
	assert.Empty(t, c.Peers())
	assert.Empty(t, c.DrainingPeers())
	assert.Zero(t, c.HealthyPeerCount())
	assert.Equal(t, map[string][]string{}, c.OrphanedSubscriptions())
	assert.Empty(t, c.CheckPeerTimeouts(t.Context()))
}

// Of heartbeat and notice either may be missing.
func TestPeerView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		made := time.Now().UTC()
		time.Sleep(time.Second)
		beat := &pulse{Name: "a", Made: made, Jobs: []string{"beat"}, Region: "eu"}
		require.NoError(t, c.HandleHeartbeat(t.Context(), beat))
		p, _ := c.Peer("a")
		assert.True(t, p.ReceivedAt.Equal(time.Now()))
		p.ReceivedAt = time.Time{}
		assert.Equal(t, coord.Peer[pulse, goodbye]{
			InstanceID: "a", Status: coord.StatusHealthy, Subscriptions: []string{"beat"},
			LastHeartbeat: beat, ClockOffset: time.Second, SchemaVersion: 1,
		}, p)

		notice := &goodbye{Name: "b", Since: made, Until: made.Add(time.Minute), Jobs: []string{"left"}}
		require.NoError(t, c.HandlePeerShutdown(t.Context(), notice))
		p, _ = c.Peer("b")
		assert.Equal(t, coord.Peer[pulse, goodbye]{
			InstanceID: "b", Status: coord.StatusDraining, Subscriptions: []string{"left"},
			Shutdown: notice, TimeRemaining: 59 * time.Second,
		}, p)
	})
}

func TestViewsAreCopies(t *testing.T) {
	c := newCoordinator(t)
	beat := &pulse{Name: "a", Made: time.Now(), Jobs: []string{"beat"}, Region: "eu"}
	notice := &goodbye{Name: "b", Why: "graceful", Since: time.Now(), Until: time.Now().Add(window), Jobs: []string{"left"}}
	require.NoError(t, c.HandleHeartbeat(t.Context(), beat))
	require.NoError(t, c.HandlePeerShutdown(t.Context(), notice))
	beat.Region, beat.Jobs[0] = "changed", "changed"
	notice.Why, notice.Jobs[0] = "changed", "changed"

	for range 2 {
		peers := c.Peers()
		require.Len(t, peers, 2)
		assert.Equal(t, "eu", peers[0].LastHeartbeat.Region)
		assert.Equal(t, []string{"beat"}, peers[0].Subscriptions)
		assert.Equal(t, "graceful", peers[1].Shutdown.Why)
		assert.Equal(t, []string{"left"}, peers[1].Subscriptions)
		assert.Equal(t, map[string][]string{"b": {"left"}}, c.OrphanedSubscriptions())

		peers[0].LastHeartbeat.Region, peers[0].Subscriptions[0] = "changed", "changed"
		peers[1].Shutdown.Why, peers[1].Subscriptions[0] = "changed", "changed"
		c.OrphanedSubscriptions()["b"][0] = "changed"
		delete(c.OrphanedSubscriptions(), "b")
	}
}

func TestRemovePeer(t *testing.T) {
	c := newCoordinator(t)
	assert.False(t, c.RemovePeer("a"))
	since := time.Now()
	hears(t, c, "a")
	leaves(t, c, "a", since, window)
	assert.True(t, c.RemovePeer("a"))
	assert.False(t, c.RemovePeer("a"))
	assert.Empty(t, c.Peers())

	hears(t, c, "a")
	assert.Equal(t, coord.StatusHealthy, status(c, "a"), "a new peer, without a past")
}
