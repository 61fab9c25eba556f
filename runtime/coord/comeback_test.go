package coord_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/runtime/coord"
)

// The tests of this file follow peers that left and came back under their old id,
// and notices that arrive late or twice.

func TestPeerComesBackAfterItsDeadline(t *testing.T) {
	for name, skew := range map[string]time.Duration{"right clock": 0, "behind": -time.Hour, "ahead": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				hearsFrom(t, c, "a", time.Now().Add(skew), "old")
				time.Sleep(time.Second)
				leaves(t, c, "a", time.Now().Add(skew), window, "left")
				time.Sleep(window)
				hearsFrom(t, c, "a", time.Now().Add(skew), "new") // made at the deadline
				assert.Equal(t, coord.StatusTerminated, status(c, "a"))
				time.Sleep(tick)
				hearsFrom(t, c, "a", time.Now().Add(skew), "new")
				p, _ := c.Peer("a")
				assert.Equal(t, coord.StatusHealthy, p.Status)
				assert.Nil(t, p.Shutdown)
				assert.Zero(t, p.TimeRemaining)
				assert.Equal(t, []string{"new"}, p.Subscriptions)
				assert.Empty(t, c.OrphanedSubscriptions())
			})
		})
	}
}

// The peer's clock is a little ahead, so by this one its window is not over yet.
func TestPeerComesBackBeforeItsWindowEndsHere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const ahead = 10 * time.Second
		c := newCoordinator(t)
		hearsFrom(t, c, "a", time.Now().Add(ahead))
		leaves(t, c, "a", time.Now().Add(ahead), window)
		time.Sleep(window + tick)
		assert.Equal(t, coord.StatusDraining, status(c, "a"))
		hearsFrom(t, c, "a", time.Now().Add(ahead))
		p, _ := c.Peer("a")
		assert.Equal(t, coord.StatusHealthy, p.Status)
		assert.Zero(t, p.TimeRemaining)
	})
}

// A heartbeat from before the deadline that is delivered after it proves nothing.
func TestHeartbeatOfTheDrainWindowDoesNotRevive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		leaves(t, c, "a", time.Now(), window)
		time.Sleep(window - time.Second)
		draining := time.Now()
		time.Sleep(2 * time.Second)
		hearsFrom(t, c, "a", draining)
		assert.Equal(t, coord.StatusTerminated, status(c, "a"))
	})
}

func TestRestartWithinTheDrainWindowIsDrainingUntilItsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		leaves(t, c, "a", time.Now(), window)
		for range 6 {
			time.Sleep(5 * time.Second)
			hears(t, c, "a")
			assert.NotEqual(t, coord.StatusHealthy, status(c, "a"))
		}
		time.Sleep(5 * time.Second)
		hears(t, c, "a")
		assert.Equal(t, coord.StatusHealthy, status(c, "a"))
	})
}

func TestNoticeDeliveredAgainHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book logbook
		c := newCoordinator(t, book.into)
		calls := 0
		c.OnPeerShutdown(func(context.Context, *goodbye) error { calls++; return nil })
		since := time.Now()
		leaves(t, c, "a", since, window, "left")
		leaves(t, c, "a", since, time.Hour, "changed")
		p, _ := c.Peer("a")
		assert.Equal(t, window, p.TimeRemaining)
		assert.Equal(t, []string{"left"}, p.Subscriptions)

		time.Sleep(window + time.Second)
		hears(t, c, "a")
		leaves(t, c, "a", since, window)
		leaves(t, c, "a", since, time.Hour)
		assert.Equal(t, coord.StatusHealthy, status(c, "a"), "not after it was outlived either")
		assert.Equal(t, 1, calls)
		lines := book.lines(t, slog.LevelDebug)
		if assert.Len(t, lines, 3) {
			assert.Equal(t, "peer shutdown", lines[0]["event"])
			assert.Equal(t, "delivered before", lines[0]["reason"])
			assert.Equal(t, "a", lines[0]["peer"])
		}
	})
}

func TestOlderNoticeHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		since := time.Now()
		leaves(t, c, "a", since, window, "newer")
		leaves(t, c, "a", since.Add(-time.Second), time.Hour, "older")
		p, _ := c.Peer("a")
		assert.Equal(t, []string{"newer"}, p.Subscriptions)

		leaves(t, c, "a", since.Add(tick), time.Minute, "newest")
		p, _ = c.Peer("a")
		assert.Equal(t, []string{"newest"}, p.Subscriptions)
		assert.Equal(t, time.Minute+tick, p.TimeRemaining)

		// Also when the newest was outlived: one with a longer window was overtaken.
		time.Sleep(2 * time.Minute)
		hears(t, c, "a")
		leaves(t, c, "a", since, time.Hour, "older")
		assert.Equal(t, coord.StatusHealthy, status(c, "a"))
	})
}

func TestNoticeThatItsSenderOutlivedHasNoEffect(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		since := time.Now()
		time.Sleep(window + tick)
		hears(t, c, "a") // restarted; its notice is still under way
		leaves(t, c, "a", since, window)
		assert.Equal(t, coord.StatusHealthy, status(c, "a"))

		leaves(t, c, "a", since.Add(tick), window) // ends just as the heartbeat was made
		assert.Equal(t, coord.StatusTerminated, status(c, "a"))
	})
}

func TestPeerLeavesAgainAfterItCameBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		for range 3 {
			leaves(t, c, "a", time.Now(), window)
			assert.Equal(t, coord.StatusDraining, status(c, "a"))
			time.Sleep(window + tick)
			assert.Equal(t, coord.StatusTerminated, status(c, "a"))
			hears(t, c, "a")
			assert.Equal(t, coord.StatusHealthy, status(c, "a"))
			time.Sleep(time.Second)
		}
	})
}

// A peer leaves, its clock is set back by an hour, and it comes back: it must not
// be terminated for that hour, and must be able to leave again.
func TestClockSetBackWhileAPeerIsAway(t *testing.T) {
	for name, away := range map[string]time.Duration{"beyond its window": time.Minute, "within its window": timeout + time.Second} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				before := time.Now().Add(time.Hour)
				hearsFrom(t, c, "a", before)
				leaves(t, c, "a", before.Add(tick), window)
				time.Sleep(away)
				left := max(window-away, 0)
				back := time.Now()
				for time.Since(back) <= left+timeout {
					hears(t, c, "a")
					assert.NotEqual(t, coord.StatusHealthy, status(c, "a"))
					time.Sleep(5*time.Second + tick)
				}
				hears(t, c, "a")
				assert.Equal(t, coord.StatusHealthy, status(c, "a"))

				leaves(t, c, "a", before.Add(tick), window)
				assert.Equal(t, coord.StatusHealthy, status(c, "a"), "the old notice, delivered again")
				time.Sleep(time.Second)
				leaves(t, c, "a", time.Now(), window)
				assert.Equal(t, coord.StatusDraining, status(c, "a"), "a new notice, by the clock as it is now")
				leaves(t, c, "a", time.Now().Add(-time.Second), window, "older")
				p, _ := c.Peer("a")
				assert.Empty(t, p.Subscriptions)
			})
		})
	}
}

// A bus that delivers a peer's last messages again, long after it left, must not
// bring it back.
func TestReplayDoesNotReviveAPeerThatLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		var made []time.Time
		for range 4 {
			made = append(made, time.Now())
			hears(t, c, "a")
			time.Sleep(5 * time.Second)
		}
		since := time.Now()
		leaves(t, c, "a", since, window)
		time.Sleep(time.Hour)
		for _, at := range made {
			hearsFrom(t, c, "a", at)
		}
		leaves(t, c, "a", since, window)
		assert.Equal(t, coord.StatusTerminated, status(c, "a"))
	})
}
