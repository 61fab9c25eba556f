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

func TestCheckReportsSilentPeersWithoutANotice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		hears(t, c, "silent-b")
		hears(t, c, "silent-a")
		hears(t, c, "left")
		leaves(t, c, "left", time.Now(), window)
		leaves(t, c, "gone", time.Now(), time.Second)
		time.Sleep(timeout + tick)
		hears(t, c, "healthy")

		var told []string
		c.OnPeerTimeout(func(_ context.Context, id string) error {
			assert.Equal(t, coord.StatusStale, status(c, id)) // also: no lock is held
			told = append(told, "1:"+id)
			return nil
		})
		remove := c.OnPeerTimeout(func(_ context.Context, id string) error {
			told = append(told, "2:"+id)
			return nil
		})
		assert.Equal(t, []string{"silent-a", "silent-b"}, c.CheckPeerTimeouts(t.Context()))
		assert.Equal(t, []string{"1:silent-a", "2:silent-a", "1:silent-b", "2:silent-b"}, told)

		remove()
		c.CheckPeerTimeouts(t.Context())
		assert.Equal(t, []string{"1:silent-a", "1:silent-b"}, told[4:])
	})
}

func TestCheckReportsUntilThePeerIsRemovedOrComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		hears(t, c, "a")
		hears(t, c, "b")
		time.Sleep(timeout + tick)
		assert.Equal(t, []string{"a", "b"}, c.CheckPeerTimeouts(t.Context()))
		assert.Equal(t, []string{"a", "b"}, c.CheckPeerTimeouts(t.Context()))
		c.RemovePeer("a")
		assert.Equal(t, []string{"b"}, c.CheckPeerTimeouts(t.Context()))
		hears(t, c, "b")
		assert.Empty(t, c.CheckPeerTimeouts(t.Context()))
	})
}

func TestLossIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		var losses []coord.Loss
		remove := c.OnPeerLost(func(_ context.Context, l coord.Loss) error {
			assert.Equal(t, coord.StatusStale, status(c, l.InstanceID)) // also: no lock is held
			losses = append(losses, l)
			return nil
		})
		heard := time.Now()
		made := time.Now()
		require.NoError(t, c.HandleHeartbeat(t.Context(),
			&pulse{Name: "a", Made: made, Jobs: []string{"orders"}, Busy: 4, Load: 0.5, Leads: true}))
		time.Sleep(timeout)
		c.CheckPeerTimeouts(t.Context())
		require.Empty(t, losses)
		time.Sleep(time.Second)
		c.CheckPeerTimeouts(t.Context())
		c.CheckPeerTimeouts(t.Context())
		require.Len(t, losses, 1)
		assert.True(t, losses[0].LastHeardAt.Equal(heard))
		assert.Equal(t, coord.Loss{
			Work:        coord.Work{Subscriptions: []string{"orders"}, InFlightCount: 4, LoadFactor: 0.5},
			InstanceID:  "a",
			LastHeardAt: losses[0].LastHeardAt,
			Silence:     timeout + time.Second,
			WasLeader:   true,
		}, losses[0])

		hearsFrom(t, c, "a", made)
		c.CheckPeerTimeouts(t.Context())
		require.Len(t, losses, 1, "a second delivery is no return")

		hears(t, c, "a")
		time.Sleep(timeout + tick)
		c.CheckPeerTimeouts(t.Context())
		require.Len(t, losses, 2, "lost again after it came back")

		c.RemovePeer("a")
		hears(t, c, "a")
		time.Sleep(timeout + tick)
		c.CheckPeerTimeouts(t.Context())
		require.Len(t, losses, 3, "lost again after it was removed")

		remove()
		hears(t, c, "a")
		time.Sleep(timeout + tick)
		c.CheckPeerTimeouts(t.Context())
		assert.Len(t, losses, 3)
	})
}

func TestLossOwnsItsSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		c.OnPeerLost(func(_ context.Context, l coord.Loss) error {
			l.Subscriptions[0] = "changed"
			return nil
		})
		hears(t, c, "a", "orders")
		time.Sleep(timeout + tick)
		c.CheckPeerTimeouts(t.Context())
		assert.Equal(t, map[string][]string{"a": {"orders"}}, c.OrphanedSubscriptions())
	})
}

func TestPeerCanBeRemovedByItsCallback(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t)
		c.OnPeerLost(func(_ context.Context, l coord.Loss) error {
			assert.True(t, c.RemovePeer(l.InstanceID))
			return nil
		})
		hears(t, c, "a")
		time.Sleep(timeout + tick)
		assert.Equal(t, []string{"a"}, c.CheckPeerTimeouts(t.Context()))
		assert.Empty(t, c.Peers())
	})
}
