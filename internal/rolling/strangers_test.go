package rolling_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	v1 "github.com/coordgen/coordgen/internal/rolling/v1"
	v2 "github.com/coordgen/coordgen/internal/rolling/v2"
	v3 "github.com/coordgen/coordgen/internal/rolling/v3"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A shop of version 1 counts what reaches its handlers.
type shop struct {
	v1.UnimplementedShopHandler
	placed, parked []string
}

func (s *shop) HandleOrderPlaced(_ context.Context, m *v1.Order) error {
	s.placed = append(s.placed, m.ID)
	return nil
}

func (s *shop) HandleOrderParked(_ context.Context, m *v1.Order) error {
	s.parked = append(s.parked, m.ID)
	return nil
}

// A fleet is a shop of version 1 on a bus on which version 3 publishes, whose lines it
// can't read.
type fleet struct {
	*testing.T
	bus     *bus.InMemory
	shop    *shop
	parking *bus.Parking
	errors  []error                  // of the handlers
	topics  map[string][]bus.Message // what others saw
}

func newFleet(t *testing.T, topics ...string) *fleet {
	f := &fleet{T: t, bus: bus.NewInMemory(bus.InMemoryOptions{Logger: slog.New(slog.DiscardHandler)}), shop: &shop{}, parking: &bus.Parking{}, topics: map[string][]bus.Message{}}
	t.Cleanup(func() { assert.NoError(t, f.bus.Close()) })
	unbind, err := v1.BindShop(t.Context(), watched{f.bus, &f.errors}, f.shop, bus.Options{
		Park: f.parking.Park, Forward: f.bus, Logger: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, unbind()) })
	for _, topic := range topics {
		_, err := f.bus.Subscribe(t.Context(), topic, func(_ context.Context, m bus.Message) error {
			f.topics[topic] = append(f.topics[topic], m)
			return nil
		})
		require.NoError(t, err)
	}
	return f
}

// watched is a subscriber that notes what handlers return.
type watched struct {
	bus.Subscriber
	errors *[]error
}

func (w watched) Subscribe(ctx context.Context, topic string, h bus.Handler) (func() error, error) {
	return w.Subscriber.Subscribe(ctx, topic, func(ctx context.Context, m bus.Message) error {
		err := h(ctx, m)
		if err != nil {
			*w.errors = append(*w.errors, err)
		}
		return nil
	})
}

// order is one that version 1 can't read.
func order(id string) *v3.Order {
	return &v3.Order{ID: id, Lines: []v3.Line{{Sku: "a", Count: "many"}}}
}

// A subscription that meets a version it does not know must serve the next message,
// whatever its topic does with the one that it can't read.
func TestAStrangerHoldsNothingUp(t *testing.T) {
	for _, format := range []wire.Format{wire.JSON, wire.Msgpack} {
		synctest.Test(t, func(t *testing.T) {
			f := newFleet(t, v1.ShopTopicPrefix+".unreadable")
			newer := v3.NewShopPublisher(f.bus, format)
			publish := []func(context.Context, *v3.Order) error{
				newer.PublishPlaced, newer.PublishRejected, newer.PublishParked, newer.PublishForwarded,
			}
			for range 3 {
				for _, p := range publish {
					require.NoError(t, p(t.Context(), order("strange")))
				}
			}
			plain := &v1.Order{ID: "plain", Weight: new(int64)}
			older := v1.NewShopPublisher(f.bus, format)
			require.NoError(t, older.PublishPlaced(t.Context(), plain))
			require.NoError(t, older.PublishParked(t.Context(), plain))
			synctest.Wait()

			assert.Equal(t, []string{"plain"}, f.shop.placed)
			assert.Equal(t, []string{"plain"}, f.shop.parked)
			assert.Equal(t, 3, f.parking.Len())
			forwarded := f.topics[v1.ShopTopicPrefix+".unreadable"]
			require.Len(t, forwarded, 3)
			assert.Equal(t, "3", forwarded[0].Header[bus.HeaderSchemaVersion])
			var read v3.Order
			require.NoError(t, wire.Unmarshal(format, forwarded[0].Payload, &read))
			assert.Equal(t, "many", read.Lines[0].Count)
			require.Len(t, f.errors, 3, "those of the topic that rejects")
			for _, err := range f.errors {
				var fault *wire.Error
				require.ErrorAs(t, err, &fault)
				assert.Equal(t, "lines[0].count", fault.Field)
			}
		})
	}
}

func TestWhatIsParkedIsReadWhenANewerInstanceJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t)
		other := &bus.Parking{} // of a second instance of version 1
		_, err := v1.BindShop(t.Context(), f.bus, &shop{}, bus.Options{Park: other.Park, Forward: f.bus, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		for _, id := range []string{"a", "b"} {
			require.NoError(t, v3.NewShopPublisher(f.bus, wire.JSON).PublishParked(t.Context(), order(id)))
		}
		synctest.Wait()
		require.Equal(t, 2, f.parking.Len())
		require.Equal(t, 2, other.Len())

		n, err := f.parking.Redeliver(t.Context(), f.bus, 2)
		require.NoError(t, err)
		assert.Zero(t, n, "version 2 can't read them either")

		var read []string
		_, err = f.bus.Subscribe(t.Context(), v3.ParkedTopic, func(_ context.Context, m bus.Message) error {
			var o v3.Order
			require.NoError(t, wire.Unmarshal(wire.JSON, m.Payload, &o))
			read = append(read, o.ID)
			return nil
		})
		require.NoError(t, err)
		n, err = f.parking.Redeliver(t.Context(), f.bus, 3)
		require.NoError(t, err)
		assert.Equal(t, 2, n)
		synctest.Wait()
		assert.Equal(t, []string{"a", "b"}, read)
		assert.Zero(t, f.parking.Len(), "what was published again is not parked again")
		assert.Zero(t, other.Len(), "nor published again by another instance")
	})
}

func TestBindDemandsWhatItsTopicsNeed(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	_, err := v1.BindShop(t.Context(), b, &shop{}, bus.Options{Forward: b})
	require.ErrorContains(t, err, `topic "shop.parked"`)
	require.ErrorContains(t, err, "set Options.Park")
	_, err = v1.BindShop(t.Context(), b, &shop{}, bus.Options{Park: new(bus.Parking).Park})
	require.ErrorContains(t, err, `topic "shop.forwarded"`)
	require.ErrorContains(t, err, "set Options.Forward")
}

func TestPublisherAtAVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(t, v2.PlacedTopic)
		version := 1
		p := v2.NewShopPublisher(f.bus, wire.JSON).AtVersion(func() int { return version })
		order := &v2.Order{ID: "1", Kilograms: new(float64), Payment: v2.OrderVoucher{Voucher: "x"}}
		err := p.PublishPlaced(t.Context(), order)
		require.ErrorIs(t, err, wire.ErrVersion)
		assert.EqualError(t, err, `bus: publish to "shop.placed": v2.Order: voucher: not in that version of the schema: it is there since version 2, and shop version 1 is written`)
		err = p.PublishReturned(t.Context(), order)
		require.ErrorIs(t, err, wire.ErrVersion)
		assert.ErrorContains(t, err, "the topic is there since version 2")

		order.Payment = nil
		require.NoError(t, p.PublishPlaced(t.Context(), order))
		version = 7 // a fleet that is newer than this program
		require.NoError(t, p.PublishPlaced(t.Context(), order))
		require.NoError(t, p.PublishReturned(t.Context(), order))
		version = 0
		require.ErrorContains(t, p.PublishPlaced(t.Context(), order), "there is no shop version 0")
		synctest.Wait()

		require.Len(t, f.topics[v2.PlacedTopic], 2)
		old, recent := f.topics[v2.PlacedTopic][0], f.topics[v2.PlacedTopic][1]
		assert.Equal(t, "1", old.Header[bus.HeaderSchemaVersion])
		assert.JSONEq(t, `{"id":"1","customer":"","lines":[],"extras":{},"gift_note":"","weight":0}`, string(old.Payload))
		assert.Equal(t, "2", recent.Header[bus.HeaderSchemaVersion])
		assert.Contains(t, string(recent.Payload), `"buyer"`)
	})
}
