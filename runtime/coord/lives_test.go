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

// The tests of this file follow peers that say which life of theirs they are in.

// livesOn delivers a heartbeat of a life of the peer "a" that was made at the given time of its clock.
func livesOn(t *testing.T, c *coordinator, life int64, made time.Time, jobs ...string) {
	t.Helper()
	require.NoError(t, c.HandleHeartbeat(t.Context(), &pulse{Name: "a", Life: life, Made: made.Round(0), Jobs: jobs}))
}

// ends delivers a notice of a life of the peer "a" of the given time of its clock.
func ends(t *testing.T, c *coordinator, life int64, since time.Time, jobs ...string) {
	t.Helper()
	require.NoError(t, c.HandlePeerShutdown(t.Context(),
		&goodbye{Name: "a", Life: life, Since: since.Round(0), Until: since.Add(window).Round(0), Jobs: jobs}))
}

func TestTheIncarnationIsWhenTheCoordinatorWasMade(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now().UnixMicro()
		c := newCoordinator(t)
		time.Sleep(time.Second)
		assert.Equal(t, started, c.CreateHeartbeat(coord.Work{}).Life)
		assert.Equal(t, started, c.CreateShutdownNotice("graceful", coord.Leaving{}).Life)
		assert.Greater(t, newCoordinator(t).CreateHeartbeat(coord.Work{}).Life, started, "it grows with each start")
	})
}

func TestRestartWithinTheDrainWindowIsHealthyAtOnce(t *testing.T) {
	for name, skew := range map[string]time.Duration{"right clock": 0, "clock set back": -time.Hour, "clock set ahead": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				livesOn(t, c, 1, time.Now(), "old")
				ends(t, c, 1, time.Now(), "left")
				time.Sleep(time.Second)
				assert.Equal(t, coord.StatusDraining, status(c, "a"))

				livesOn(t, c, 2, time.Now().Add(skew), "new")
				p, _ := c.Peer("a")
				assert.Equal(t, coord.StatusHealthy, p.Status)
				assert.Nil(t, p.Shutdown)
				assert.Equal(t, int64(2), p.Incarnation)
				assert.Equal(t, -skew, p.ClockOffset, "measured anew")
				assert.Empty(t, c.OrphanedSubscriptions())

				ends(t, c, 1, time.Now().Add(time.Minute))
				assert.Equal(t, coord.StatusHealthy, status(c, "a"), "a notice of the earlier life")
				ends(t, c, 2, time.Now().Add(skew))
				assert.Equal(t, coord.StatusDraining, status(c, "a"), "one of this life")
			})
		})
	}
}

func TestHeartbeatOfAnEarlierLifeIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book logbook
		c := newCoordinator(t, book.into)
		calls := 0
		c.OnHeartbeat(func(context.Context, *pulse) error { calls++; return nil })
		livesOn(t, c, 2, time.Now(), "new")
		time.Sleep(timeout)
		livesOn(t, c, 1, time.Now(), "old") // sent later, by its clock
		p, _ := c.Peer("a")
		assert.Equal(t, []string{"new"}, p.Subscriptions)
		assert.Equal(t, 1, calls)
		assert.Contains(t, book.String(), "sent by an earlier life of the peer")

		time.Sleep(tick)
		livesOn(t, c, 1, time.Now().Add(-time.Hour), "old") // what was on record is stale: its clock was set back
		p, _ = c.Peer("a")
		assert.Equal(t, coord.StatusHealthy, p.Status)
		assert.Equal(t, []string{"old"}, p.Subscriptions)
		assert.Equal(t, int64(1), p.Incarnation)
		assert.Equal(t, time.Hour, p.ClockOffset)
	})
}

// A notice stays when a life that seems to be earlier is heard, as long as it does for
// a clock that was set back without a restart.
func TestEarlierLifeAfterALeavingHasToBeHeardForATimeout(t *testing.T) {
	for name, skew := range map[string]time.Duration{"behind": -time.Hour, "ahead": time.Hour} {
		t.Run(name, func(t *testing.T) { returnsAsEarlierLife(t, skew) })
	}
}

func returnsAsEarlierLife(t *testing.T, skew time.Duration) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		livesOn(t, c, 2, time.Now())
		ends(t, c, 2, time.Now())
		time.Sleep(window)
		back := time.Now()
		for time.Since(back) <= timeout {
			livesOn(t, c, 1, time.Now().Add(skew))
			assert.Equal(t, coord.StatusTerminated, status(c, "a"))
			time.Sleep(5*time.Second + tick)
		}
		livesOn(t, c, 1, time.Now().Add(skew))
		assert.Equal(t, coord.StatusHealthy, status(c, "a"))
	})
}

// Without a battery a machine's clock begins anew with each start.
func TestLivesWhoseClocksBeginAlike(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, since := newCoordinator(t), time.Now()
		ends(t, c, 1, since, "left")
		time.Sleep(time.Minute)
		ends(t, c, 2, since, "left again")
		p, _ := c.Peer("a")
		assert.Equal(t, []string{"left again"}, p.Subscriptions)
	})
}

func TestNoticeOfALaterLifeIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		livesOn(t, c, 1, time.Now().Add(time.Hour), "old") // its clock is set back before it starts again
		ends(t, c, 1, time.Now().Add(time.Hour), "left")
		ends(t, c, 2, time.Now(), "left again")
		p, _ := c.Peer("a")
		assert.Equal(t, coord.StatusDraining, p.Status)
		assert.Equal(t, []string{"left again"}, p.Subscriptions)
		assert.Equal(t, window, p.TimeRemaining, "by no offset of the earlier life")
		assert.Equal(t, int64(2), p.Incarnation)
		assert.Nil(t, p.LastHeartbeat)
		assert.Zero(t, p.SchemaVersion)

		livesOn(t, c, 1, time.Now().Add(2*time.Hour))
		assert.Equal(t, coord.StatusDraining, status(c, "a"), "a late heartbeat of the earlier life")
		livesOn(t, c, 2, time.Now())
		assert.Equal(t, coord.StatusDraining, status(c, "a"), "draining goes with heartbeats")
		ends(t, c, 2, time.Now())
		time.Sleep(window + tick)
		livesOn(t, c, 2, time.Now())
		assert.Equal(t, coord.StatusHealthy, status(c, "a"), "it outlived its deadline")
	})
}

// Where one of the two lives does not say which it is, the rules are those of version
// 1 of the protocol.
func TestLivesThatAreNotToldApart(t *testing.T) {
	for name, tc := range map[string]struct{ before, notice, after int64 }{
		"upgraded":                 {0, 0, 7},
		"downgraded":               {7, 7, 0},
		"notices without":          {7, 0, 8},
		"an incarnation below one": {-2, -2, -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				livesOn(t, c, tc.before, time.Now())
				ends(t, c, tc.notice, time.Now())
				time.Sleep(window)
				livesOn(t, c, tc.after, time.Now())
				assert.Equal(t, coord.StatusTerminated, status(c, "a"))
				time.Sleep(tick)
				livesOn(t, c, tc.after, time.Now())
				assert.Equal(t, coord.StatusHealthy, status(c, "a"))
				ends(t, c, tc.notice, time.Now().Add(-window-tick))
				assert.Equal(t, coord.StatusHealthy, status(c, "a"), "the notice, delivered again")
			})
		})
	}
}

// A new life that began with a clock set back, and whose notices name no life, is
// back after one timeout more.
func TestNoticeWithoutALifeAndAClockSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		livesOn(t, c, 1, time.Now())
		ends(t, c, 0, time.Now())
		back := time.Now()
		for time.Since(back) <= window+timeout {
			livesOn(t, c, 2, time.Now().Add(-time.Hour))
			assert.NotEqual(t, coord.StatusHealthy, status(c, "a"))
			time.Sleep(5*time.Second + tick)
		}
		livesOn(t, c, 2, time.Now().Add(-time.Hour))
		assert.Equal(t, coord.StatusHealthy, status(c, "a"))
	})
}

// A new life can be lost again, and is told so.
func TestEachLifeIsLostOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		lost := 0
		c.OnPeerLost(func(context.Context, coord.Loss) error { lost++; return nil })
		for life := range int64(3) {
			livesOn(t, c, life+1, time.Now().Add(-time.Duration(life)*time.Hour))
			time.Sleep(timeout + tick)
			c.CheckPeerTimeouts(t.Context())
			c.CheckPeerTimeouts(t.Context())
		}
		assert.Equal(t, 3, lost)
	})
}
