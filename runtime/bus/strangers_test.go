package bus_test

import (
	"bytes"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/bus"
)

// The warning about a message that can't be read says what becomes of it.
func TestStrangersAreLogged(t *testing.T) {
	for want, treated := range map[string]func(bus.Route) bus.Route{
		"acknowledged": func(r bus.Route) bus.Route { return r },
		"refused":      bus.Route.RejectStrangers,
		"parked":       bus.Route.ParkStrangers,
		"forwarded":    func(r bus.Route) bus.Route { return r.ForwardStrangers("others") },
	} {
		t.Run(want, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				var h orderHandler
				b := bus.NewInMemory(bus.InMemoryOptions{Logger: slog.New(slog.DiscardHandler)})
				o := bus.Options{Logger: slog.New(slog.NewTextHandler(&log, nil)), Park: new(bus.Parking).Park, Forward: b}
				unbind, err := bus.Bind(t.Context(), b, o, treated(bus.On("orders", h.HandleOrderPlaced)))
				require.NoError(t, err)
				require.NoError(t, b.Publish(t.Context(), message("{")))
				synctest.Wait()
				assert.Contains(t, log.String(), " treatment="+want+" ")
				require.NoError(t, unbind())
			})
		})
	}
}
