package coord_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

// A callback that fails or panics is logged with its peer, the next one still
// runs, and the caller sees no error.
func TestCallbacksAreContained(t *testing.T) {
	fails, panics := errors.New("no disk"), "no luck"
	for event, tc := range map[string]struct {
		register func(*coordinator, func() error)
		cause    func(context.Context, *coordinator) error
	}{
		"heartbeat": {
			func(c *coordinator, f func() error) {
				c.OnHeartbeat(func(context.Context, *pulse) error { return f() })
			},
			func(ctx context.Context, c *coordinator) error {
				return c.HandleHeartbeat(ctx, &pulse{Name: "a", Made: time.Now()})
			},
		},
		"peer shutdown": {
			func(c *coordinator, f func() error) {
				c.OnPeerShutdown(func(context.Context, *goodbye) error { return f() })
			},
			func(ctx context.Context, c *coordinator) error {
				return c.HandlePeerShutdown(ctx, &goodbye{Name: "a", Since: time.Now(), Until: time.Now()})
			},
		},
		"work assignment": {
			func(c *coordinator, f func() error) {
				c.OnWorkAssignment(func(context.Context, *order) error { return f() })
			},
			func(ctx context.Context, c *coordinator) error {
				return c.HandleWorkAssignment(ctx, &order{To: "me", From: "a"})
			},
		},
		"peer timeout": {
			func(c *coordinator, f func() error) {
				c.OnPeerTimeout(func(context.Context, string) error { return f() })
			},
			silence,
		},
		"peer lost": {
			func(c *coordinator, f func() error) {
				c.OnPeerLost(func(context.Context, coord.Loss) error { return f() })
			},
			silence,
		},
	} {
		t.Run(event, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var book logbook
				c := newCoordinator(t, book.into)
				ran := false
				tc.register(c, func() error { return fails })
				tc.register(c, func() error { panic(panics) })
				tc.register(c, func() error { ran = true; return nil })

				require.NoError(t, tc.cause(t.Context(), c))
				assert.True(t, ran)
				lines := book.lines(t, slog.LevelError)
				require.Len(t, lines, 2)
				for _, line := range lines {
					assert.Equal(t, event, line["event"])
					assert.Equal(t, "a", line["peer"])
					assert.Equal(t, "me", line["instance_id"])
				}
				assert.Equal(t, "no disk", lines[0]["error"])
				assert.Contains(t, lines[1]["error"], "panic: no luck")
			})
		})
	}
}

// silence makes peer "a" time out.
func silence(ctx context.Context, c *coordinator) error {
	err := c.HandleHeartbeat(ctx, &pulse{Name: "a", Made: time.Now()})
	time.Sleep(timeout + tick)
	c.CheckPeerTimeouts(ctx)
	return err
}
