package coord_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/coord"
)

// What is remembered of the fleet's version is what would be found anew, whatever peers
// do: clocks that leap, lives that overlap, notices of the past, ids beyond the room.
func TestTheFleetsVersionIsNeverStale(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		rapid.SyncTest(rt, func(rt *rapid.T) {
			c := newCoordinator(t, atVersion(3), func(c *coord.Config) { c.MaxPeers = 3 })
			ids := []string{"a", "b", "c", "d", "e"}
			offsets := []time.Duration{0, 0, -time.Minute, -timeout, timeout, time.Hour, -tick}
			for range rapid.IntRange(1, 40).Draw(rt, "steps") {
				id := rapid.SampledFrom(ids).Draw(rt, "id")
				at := time.Now().Round(0).Add(rapid.SampledFrom(offsets).Draw(rt, "clock"))
				life := rapid.SampledFrom([]int64{0, 0, 1, 2, 3}).Draw(rt, "life")
				version := rapid.SampledFrom([]int{0, 1, 2, 3, 3, 3, 4, 5}).Draw(rt, "version")
				window := rapid.SampledFrom([]time.Duration{0, -timeout, tick, timeout / 2, timeout, 2 * timeout, 10 * timeout}).Draw(rt, "window")
				step := rapid.SampledFrom([]string{"beat", "beat", "beat", "leave", "own", "own", "sleep", "sleep", "sleep", "remove", "pin", "check"}).Draw(rt, "step")
				sleep := rapid.SampledFrom([]time.Duration{1, tick, timeout / 3, timeout / 3, timeout / 3, timeout / 2, timeout - tick, timeout, timeout + 1, timeout + tick, 4 * timeout, 4*timeout + 1}).Draw(rt, "sleep")
				switch step {
				case "beat":
					_ = c.HandleHeartbeat(t.Context(), &pulse{Name: id, Made: at, Form: version, Life: life})
				case "leave":
					_ = c.HandlePeerShutdown(t.Context(), &goodbye{Name: id, Since: at, Until: at.Add(window), Life: life})
				case "own":
					require.NoError(t, c.HandleHeartbeat(t.Context(), c.CreateHeartbeat(coord.Work{})))
				case "remove":
					c.RemovePeer(id)
				case "pin":
					_ = c.PinVersion(t.Context(), version)
				case "sleep":
					time.Sleep(sleep)
				case "check":
					c.CheckPeerTimeouts(t.Context())
				}
				assert.Equal(rt, c.FindFleetVersion(), c.FleetVersion(), "%s %s", step, id)
			}
		})
	})
}
