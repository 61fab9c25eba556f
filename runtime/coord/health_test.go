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

func TestStarvedCoordinatorWarnsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var book logbook
		c := newCoordinator(t, book.into)
		time.Sleep(timeout)
		c.CheckPeerTimeouts(t.Context())
		assert.False(t, c.Health().Starved)
		assert.Empty(t, book.lines(t, slog.LevelWarn))

		time.Sleep(tick)
		assert.True(t, c.Health().Starved)
		for range 3 {
			c.CheckPeerTimeouts(t.Context())
			time.Sleep(time.Second)
		}
		lines := book.lines(t, slog.LevelWarn)
		require.Len(t, lines, 1)
		assert.Contains(t, lines[0]["msg"], "check that the coordinator is bound to the bus")
		assert.EqualValues(t, timeout+tick, lines[0]["silence"])
		assert.EqualValues(t, timeout, lines[0]["heartbeat_timeout"])
		assert.Equal(t, "me", lines[0]["instance_id"])

		hears(t, c, "a")
		assert.False(t, c.Health().Starved)
		time.Sleep(timeout)
		c.CheckPeerTimeouts(t.Context())
		require.Len(t, book.lines(t, slog.LevelWarn), 1)
		time.Sleep(tick)
		c.CheckPeerTimeouts(t.Context())
		c.CheckPeerTimeouts(t.Context())
		lines = book.lines(t, slog.LevelWarn)
		require.Len(t, lines, 2, "again after it was fed and starved again")
		assert.EqualValues(t, timeout+tick, lines[1]["silence"])
	})
}

func TestAnyUsableMessageFeeds(t *testing.T) {
	for name, tc := range map[string]struct {
		feed func(context.Context, *coordinator) error
		echo bool
	}{
		"heartbeat": {func(ctx context.Context, c *coordinator) error {
			return c.HandleHeartbeat(ctx, &pulse{Name: "a", Made: time.Now()})
		}, false},
		"own heartbeat": {func(ctx context.Context, c *coordinator) error {
			return c.HandleHeartbeat(ctx, c.CreateHeartbeat(coord.Work{}))
		}, true},
		"notice": {func(ctx context.Context, c *coordinator) error {
			return c.HandlePeerShutdown(ctx, &goodbye{Name: "a", Since: time.Now(), Until: time.Now()})
		}, false},
		"own notice": {func(ctx context.Context, c *coordinator) error {
			return c.HandlePeerShutdown(ctx, c.CreateShutdownNotice("graceful", coord.Leaving{}))
		}, true},
		"assignment to another": {func(ctx context.Context, c *coordinator) error {
			return c.HandleWorkAssignment(ctx, &order{To: "a", From: "b"})
		}, false},
		"own assignment": {func(ctx context.Context, c *coordinator) error {
			return c.HandleWorkAssignment(ctx, c.CreateWorkAssignment("a", nil, 0))
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCoordinator(t)
				time.Sleep(timeout + tick)
				require.True(t, c.Health().Starved)
				require.NoError(t, tc.feed(t.Context(), c))
				h := c.Health()
				assert.False(t, h.Starved)
				assert.True(t, h.LastFedAt.Equal(time.Now()))
				assert.Equal(t, tc.echo, h.LastEchoAt.Equal(time.Now()))
				assert.Equal(t, tc.echo, !h.LastEchoAt.IsZero())
			})
		})
	}
}

func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		h := newCoordinator(t).Health()
		assert.True(t, h.StartedAt.Equal(started))
		assert.Equal(t, coord.Health{
			StartedAt: h.StartedAt, Peers: map[coord.Status]int{},
			FleetVersion: coord.FleetVersion{Lowest: 1, Highest: 1, Writing: 1},
		}, h)

		c := fleet(t)
		c.CreateShutdownNotice("graceful", coord.Leaving{})
		h = c.Health()
		assert.True(t, h.ShuttingDown)
		assert.Equal(t, map[coord.Status]int{
			coord.StatusHealthy: 2, coord.StatusStale: 2, coord.StatusDraining: 2, coord.StatusTerminated: 1,
		}, h.Peers)
		h.Peers[coord.StatusHealthy] = 9
		assert.Equal(t, 2, c.Health().Peers[coord.StatusHealthy], "a copy")
	})
}
