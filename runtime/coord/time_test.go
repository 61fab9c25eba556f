package coord_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/runtime/coord"
)

// The tests of this file follow peers whose clock is off.

func TestSkewedClockDoesNotChangeAPeersAge(t *testing.T) {
	for name, skew := range map[string]time.Duration{
		"right": 0, "an hour behind": -time.Hour, "an hour ahead": time.Hour, "years behind": -30 * 365 * 24 * time.Hour,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				hearsFrom(t, c, "a", time.Now().Add(skew))
				time.Sleep(timeout)
				assert.Equal(t, coord.StatusHealthy, status(c, "a"))
				time.Sleep(tick)
				assert.Equal(t, coord.StatusStale, status(c, "a"))
			})
		})
	}
}

func TestClockSetBackIsSeenOnceTheRecordIsStale(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		hearsFrom(t, c, "a", time.Now().Add(time.Hour), "ahead")
		time.Sleep(timeout)
		hears(t, c, "a", "right")
		p, _ := c.Peer("a")
		assert.Equal(t, []string{"ahead"}, p.Subscriptions, "not stale yet: taken for a late one")

		time.Sleep(tick)
		hears(t, c, "a", "right")
		p, _ = c.Peer("a")
		assert.Equal(t, coord.StatusHealthy, p.Status)
		assert.Equal(t, []string{"right"}, p.Subscriptions)
		assert.Zero(t, p.ClockOffset)
	})
}

func TestClockOffsetIsThatOfTheFastestDelivery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		for _, tc := range []struct{ offset, want time.Duration }{
			{3 * time.Second, 3 * time.Second},
			{time.Second, time.Second},
			{2 * time.Second, time.Second},
			{time.Second + timeout, time.Second},
			{time.Second + timeout + tick, time.Second + timeout + tick}, // a clock was set
			{-time.Hour, -time.Hour},
			{0, 0}, // and again
		} {
			time.Sleep(2 * time.Hour) // the peer's clock always goes on
			hearsFrom(t, c, "a", time.Now().Add(-tc.offset))
			p, _ := c.Peer("a")
			assert.Equal(t, tc.want, p.ClockOffset)
		}
	})
}

func TestDeadlineOfASkewedPeerIsCorrected(t *testing.T) {
	for name, skew := range map[string]time.Duration{
		"far behind": -time.Hour, "far ahead": time.Hour,
		"just behind": -timeout - tick, "just ahead": timeout + tick,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				hearsFrom(t, c, "a", time.Now().Add(skew))
				time.Sleep(time.Second)
				leaves(t, c, "a", time.Now().Add(skew), window)
				p, _ := c.Peer("a")
				assert.Equal(t, coord.StatusDraining, p.Status)
				assert.Equal(t, window, p.TimeRemaining)
				time.Sleep(window)
				assert.Equal(t, coord.StatusTerminated, status(c, "a"))
			})
		})
	}
}

func TestDeadlineOfAPeerWithoutSkewIsTakenAtItsWord(t *testing.T) {
	for name, skew := range map[string]time.Duration{"within the timeout behind": -timeout, "within the timeout ahead": timeout} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				hearsFrom(t, c, "a", time.Now().Add(skew))
				time.Sleep(time.Second)
				leaves(t, c, "a", time.Now().Add(skew), window)
				p, _ := c.Peer("a")
				assert.Equal(t, window+skew, p.TimeRemaining)
			})
		})
	}
	t.Run("never heard", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			c := newCoordinator(t)
			leaves(t, c, "a", time.Now().Add(-time.Hour), window)
			assert.Equal(t, coord.StatusTerminated, status(c, "a"))
		})
	})
}
