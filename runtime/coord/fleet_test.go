package coord_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

func atVersion(version int) func(*coord.Config) {
	return func(c *coord.Config) { c.SchemaVersion = version }
}

// runs delivers a heartbeat that a peer of a version made now; 0 is one that does not
// say it.
func runs(t *testing.T, c *coordinator, id string, version int) {
	t.Helper()
	require.NoError(t, c.HandleHeartbeat(t.Context(), &pulse{Name: id, Made: time.Now().Round(0), Form: version}))
}

// listen lets one heartbeat timeout pass in which messages of these peers arrive, and
// this instance's own.
func listen(t *testing.T, c *coordinator, peers map[string]int) {
	t.Helper()
	for range 4 {
		require.NoError(t, c.HandleHeartbeat(t.Context(), c.CreateHeartbeat(coord.Work{})))
		for id, version := range peers {
			runs(t, c, id, version)
		}
		time.Sleep(timeout / 3)
	}
}

// versions returns the fleet's version without its words.
func versions(c *coordinator) (lowest, highest, writing int, certain bool) {
	v := c.FleetVersion()
	return v.Lowest, v.Highest, v.Writing, v.Uncertain == ""
}

func assertVersions(t *testing.T, c *coordinator, lowest, highest int, certain bool, msg string) {
	t.Helper()
	l, h, w, sure := versions(c)
	assert.Equal(t, [3]int{lowest, highest, lowest}, [3]int{l, h, w}, msg)
	assert.Equal(t, certain, sure, msg)
	assert.Equal(t, w, c.WriteVersion())
	assert.True(t, c.FleetSupports(w))
	assert.False(t, c.FleetSupports(w+1))
}

func TestAVersionOneFleetIsCertain(t *testing.T) {
	c := newCoordinator(t)
	assert.Equal(t, coord.FleetVersion{Lowest: 1, Highest: 1, Writing: 1}, c.FleetVersion())
}

func TestUntilItHasListenedForATimeoutAVersionOneInstanceIsAssumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(3))
		assert.Equal(t, "no coordination message has arrived yet", c.FleetVersion().Uncertain)
		time.Sleep(time.Second) // to listen begins with the first message, not with New
		runs(t, c, "a", 2)
		assertVersions(t, c, 1, 3, false, "just begun to listen")
		assert.Equal(t, "messages have arrived for less than one heartbeat timeout", c.FleetVersion().Uncertain)
		time.Sleep(timeout - tick)
		assertVersions(t, c, 1, 3, false, "for not quite a timeout")
		time.Sleep(tick)
		assertVersions(t, c, 2, 3, true, "for a timeout")
	})
}

func TestWhileNothingArrivesAVersionOneInstanceIsAssumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2))
		listen(t, c, nil) // alone, it hears itself
		assertVersions(t, c, 2, 2, true, "alone")
		time.Sleep(timeout - timeout/3)
		assertVersions(t, c, 2, 2, true, "silent for a timeout")
		time.Sleep(tick)
		assertVersions(t, c, 1, 2, false, "silent for longer")
		assert.Equal(t, "no coordination message arrives", c.FleetVersion().Uncertain)

		runs(t, c, "a", 2)
		assertVersions(t, c, 1, 2, false, "who came meanwhile may not have been heard yet")
		listen(t, c, map[string]int{"a": 2})
		assertVersions(t, c, 2, 2, true, "listened again")
	})
}

func TestPeersCountWithTheVersionThatTheySaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(3))
		listen(t, c, map[string]int{"a": 3, "b": 5})
		assertVersions(t, c, 3, 5, true, "none is older")
		for _, version := range []int{0, -7} {
			runs(t, c, "old", version)
			assertVersions(t, c, 1, 5, true, "at once: who does not say it is at version 1")
			p, _ := c.Peer("old")
			assert.Equal(t, 1, p.SchemaVersion)
			time.Sleep(time.Second)
		}
		runs(t, c, "old", 2)
		assertVersions(t, c, 2, 5, true, "it was upgraded")
		require.True(t, c.RemovePeer("old"))
		require.True(t, c.RemovePeer("b"))
		assertVersions(t, c, 3, 3, true, "they were removed")
	})
}

func TestAPeerThatLeavesCountsUntilItIsTerminated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2))
		listen(t, c, map[string]int{"a": 1})
		leaves(t, c, "a", time.Now(), 7*time.Second)
		time.Sleep(7*time.Second - tick)
		assertVersions(t, c, 1, 2, true, "draining")
		time.Sleep(tick)
		assertVersions(t, c, 2, 2, true, "terminated")

		leaves(t, c, "never heard", time.Now(), 3*time.Second)
		assertVersions(t, c, 1, 2, false, "nothing is known of its version")
		assert.Equal(t, `"never heard" is silent, or leaves and was never heard, and may run version 1`, c.FleetVersion().Uncertain)
		p, _ := c.Peer("never heard")
		assert.Zero(t, p.SchemaVersion)
		time.Sleep(3 * time.Second)
		assertVersions(t, c, 2, 2, true, "terminated")
	})
}

func TestASilentPeerCountsForFourTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(3))
		listen(t, c, map[string]int{"a": 2, "b": 1})
		silence := timeout / 3
		until := func(d time.Duration) {
			for ; silence+time.Second <= d; silence += time.Second {
				time.Sleep(time.Second)
				runs(t, c, "c", 3)
			}
			time.Sleep(d - silence)
			silence = d
		}
		until(timeout)
		assertVersions(t, c, 1, 3, true, "not stale yet")
		until(timeout + tick)
		assertVersions(t, c, 1, 3, false, "stale")
		assert.Equal(t, `"b" is silent, or leaves and was never heard, and may run version 1`, c.FleetVersion().Uncertain)
		runs(t, c, "a", 2)
		assertVersions(t, c, 1, 3, false, "the other one came back")
		until(4 * timeout)
		assertVersions(t, c, 1, 3, false, "not silent for longer than four timeouts")
		until(4*timeout + tick)
		assertVersions(t, c, 2, 3, false, "b counts no more, and a is stale again")
		runs(t, c, "b", 1)
		assertVersions(t, c, 1, 3, true, "b came back")
	})
}

func TestOfSilentPeersTheFirstIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2))
		listen(t, c, map[string]int{"d": 1, "a": 1, "c": 1, "b": 1})
		listen(t, c, nil)
		for range 20 {
			assert.Contains(t, c.FleetVersion().Uncertain, `"a" is silent`)
			require.NoError(t, c.PinVersion(t.Context(), 0)) // finds it anew
		}
	})
}

func TestASilentPeerThatComesBackUpgradedRaisesTheVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2))
		listen(t, c, map[string]int{"a": 1})
		listen(t, c, nil)
		assertVersions(t, c, 1, 2, false, "silent")
		runs(t, c, "a", 2)
		assertVersions(t, c, 2, 2, true, "back")
	})
}

// That a peer is silent is no news if the version is the same without it.
func TestASilentPeerOfTheSameVersionIsNoDoubt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2))
		listen(t, c, map[string]int{"a": 2, "b": 3})
		for range 4 {
			time.Sleep(timeout / 2)
			runs(t, c, "c", 2)
		}
		require.Equal(t, coord.StatusStale, status(c, "a"))
		assertVersions(t, c, 2, 3, true, "both are silent")
	})
}

func TestPeersBeyondTheRoomMayRunVersionOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, atVersion(2), func(c *coord.Config) { c.MaxPeers = 1 })
		listen(t, c, map[string]int{"a": 2})
		assertVersions(t, c, 2, 2, true, "there is room")
		require.ErrorIs(t, c.HandleHeartbeat(t.Context(), &pulse{Name: "b", Made: time.Now(), Form: 2}), coord.ErrTooManyPeers)
		assertVersions(t, c, 1, 2, false, "one was refused")
		assert.Equal(t, "there are more peers than Config.MaxPeers", c.FleetVersion().Uncertain)
		for range 12 {
			time.Sleep(timeout / 3)
			runs(t, c, "a", 2)
		}
		assertVersions(t, c, 1, 2, false, "for four timeouts")
		time.Sleep(tick)
		assertVersions(t, c, 2, 2, true, "and no longer")

		listen(t, c, nil)
		runs(t, c, "b", 2)
		assertVersions(t, c, 1, 2, false, "a stale one made room, which would have counted")
		assert.Equal(t, "there are more peers than Config.MaxPeers", c.FleetVersion().Uncertain)
	})
}

func TestPinnedVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := t.Context(), newCoordinator(t, atVersion(3))
		listen(t, c, map[string]int{"a": 2})
		for _, version := range []int{1, 3} {
			require.NoError(t, c.PinVersion(ctx, version))
			assert.Equal(t, coord.FleetVersion{Lowest: 2, Highest: 3, Writing: version, Pinned: true}, c.FleetVersion())
			assert.Equal(t, c.FleetVersion(), c.Health().FleetVersion)
			assert.Equal(t, version, c.WriteVersion())
			assert.Equal(t, version == 3, c.FleetSupports(3))
		}
		for _, version := range []int{-1, 4} {
			assert.EqualError(t, c.PinVersion(ctx, version), fmt.Sprintf(
				`coord: version %d can't be pinned, since the code of "me" has the versions from 1 to 3; pin one of them, or 0 for none`, version))
		}
		assert.Equal(t, 3, c.WriteVersion())
		require.NoError(t, c.PinVersion(ctx, 0))
		assert.Equal(t, coord.FleetVersion{Lowest: 2, Highest: 3, Writing: 2}, c.FleetVersion())
	})
}

func TestChangesOfTheFleetsVersionAreToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, c := t.Context(), newCoordinator(t, atVersion(2))
		var told []coord.FleetVersion
		remove := c.OnFleetVersion(func(_ context.Context, v coord.FleetVersion) error {
			assert.Equal(t, v, c.FleetVersion(), "under no lock")
			told = append(told, v)
			return nil
		})
		expect := func(want ...coord.FleetVersion) {
			t.Helper()
			assert.Equal(t, want, told)
			told = nil
		}
		expect()
		runs(t, c, "a", 3)
		expect(coord.FleetVersion{Lowest: 1, Highest: 3, Writing: 1, Uncertain: "messages have arrived for less than one heartbeat timeout"})
		runs(t, c, "a", 3)
		expect()
		time.Sleep(timeout)
		c.CheckPeerTimeouts(ctx)
		expect(coord.FleetVersion{Lowest: 2, Highest: 3, Writing: 2})
		require.NoError(t, c.PinVersion(ctx, 2))
		expect(coord.FleetVersion{Lowest: 2, Highest: 3, Writing: 2, Pinned: true})
		require.NoError(t, c.PinVersion(ctx, 0))
		expect(coord.FleetVersion{Lowest: 2, Highest: 3, Writing: 2})
		require.NoError(t, c.HandlePeerShutdown(ctx, &goodbye{Name: "b", Since: time.Now(), Until: time.Now().Add(time.Second)}))
		expect(coord.FleetVersion{Lowest: 1, Highest: 3, Writing: 1, Uncertain: `"b" is silent, or leaves and was never heard, and may run version 1`})
		time.Sleep(time.Second)
		require.NoError(t, c.HandleWorkAssignment(ctx, &order{To: "b"}))
		expect(coord.FleetVersion{Lowest: 2, Highest: 3, Writing: 2})
		c.RemovePeer("a")
		require.NoError(t, c.HandlePeerShutdown(ctx, c.CreateShutdownNotice("graceful", coord.Leaving{})))
		expect(coord.FleetVersion{Lowest: 2, Highest: 2, Writing: 2})
		remove()
		runs(t, c, "a", 1)
		expect()
	})
}

// The state is told before the callbacks of the message that shows it, so that they
// don't have to wait for what those do.
func TestTheFleetsVersionIsToldBeforeTheMessage(t *testing.T) {
	c := newCoordinator(t, atVersion(2))
	var order []string
	c.OnHeartbeat(func(context.Context, *pulse) error { order = append(order, "heartbeat"); return nil })
	c.OnFleetVersion(func(context.Context, coord.FleetVersion) error { order = append(order, "version"); return nil })
	runs(t, c, "a", 1)
	assert.Equal(t, []string{"version", "heartbeat"}, order)
}

func TestAChangeWithinACallbackIsToldAfterIt(t *testing.T) {
	ctx, c := t.Context(), newCoordinator(t, atVersion(2))
	var log []string
	for _, name := range []string{"first", "second"} {
		c.OnFleetVersion(func(ctx context.Context, v coord.FleetVersion) error {
			log = append(log, fmt.Sprint(name, " ", v.Writing))
			return c.PinVersion(ctx, 2)
		})
	}
	c.OnFleetVersion(func(context.Context, coord.FleetVersion) error { panic("contained") })
	require.NoError(t, c.PinVersion(ctx, 1))
	assert.Equal(t, []string{"first 1", "second 1", "first 2", "second 2"}, log)
}

func TestTheContextOfAChangeOutlivesTheCall(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := newCoordinator(t, atVersion(2))
	told := 0
	c.OnFleetVersion(func(ctx context.Context, _ coord.FleetVersion) error {
		told++
		assert.NoError(t, ctx.Err())
		return nil
	})
	require.NoError(t, c.PinVersion(ctx, 1))
	assert.Equal(t, 1, told)
}

// However many goroutines change the state, callbacks are called one at a time, never
// twice for one state, and at last with the newest.
func TestConcurrentChangesAreToldInOrder(t *testing.T) {
	c := newCoordinator(t, atVersion(9))
	var last coord.FleetVersion // not guarded: no two calls at once
	var busy atomic.Bool
	c.OnFleetVersion(func(_ context.Context, v coord.FleetVersion) error {
		assert.True(t, busy.CompareAndSwap(false, true))
		assert.NotEqual(t, last, v)
		last = v
		busy.Store(false)
		return nil
	})
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 200 {
				assert.NoError(t, c.PinVersion(t.Context(), (n*i)%10))
				runs(t, c, fmt.Sprint("peer-", i), n%3)
				c.WriteVersion()
			}
		})
	}
	group.Wait()
	assert.Equal(t, last, c.FleetVersion())
}

// A publisher asks for each message; in a large fleet, too.
func BenchmarkWriteVersion(b *testing.B) {
	c, err := coord.New(coord.Config{InstanceID: "me", SchemaVersion: 2}, roles)
	require.NoError(b, err)
	for i := range 10_000 {
		require.NoError(b, c.HandleHeartbeat(b.Context(), &pulse{Name: fmt.Sprint("peer-", i), Made: time.Now(), Form: 1 + i%2}))
	}
	for b.Loop() {
		c.WriteVersion()
	}
}

// Heartbeats of a large fleet in the middle of an upgrade.
func BenchmarkHeartbeatsOfALargeFleet(b *testing.B) {
	c, err := coord.New(coord.Config{InstanceID: "me", SchemaVersion: 2}, roles)
	require.NoError(b, err)
	names := make([]string, 10_000)
	for i := range names {
		names[i] = fmt.Sprint("peer-", i)
	}
	made, i := time.Now(), 0
	for b.Loop() {
		made = made.Add(time.Microsecond)
		if err := c.HandleHeartbeat(b.Context(), &pulse{Name: names[i%len(names)], Made: made, Form: 1 + i%2}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
