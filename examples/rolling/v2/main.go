// V2 is a worker of version 2.
package main

import (
	"context"
	"errors"

	"github.com/coordgen/coordgen/examples/rolling/v2/orders"
	"github.com/coordgen/coordgen/examples/rolling/worker"
	"github.com/coordgen/coordgen/runtime/wire"
)

func main() { worker.Main(orders.OrdersSchemaVersion, newShop) }

// A shop places orders and packs those that are for it.
type shop struct{ *worker.Worker }

func newShop(w *worker.Worker) worker.Program { return shop{w} }

// Bind subscribes the shop.
func (s shop) Bind(ctx context.Context) (unbind func() error, err error) {
	return orders.BindOrders(ctx, s.Bus, s, s.Options)
}

// publisher writes what the whole fleet reads, and each order in a format of its own.
func (s shop) publisher(number int64) *orders.OrdersPublisher {
	return orders.NewOrdersPublisher(s.Bus, worker.Format(number)).AtVersion(s.Coord.WriteVersion)
}

// Place places an order.
func (s shop) Place(ctx context.Context, number int64, packer string) error {
	m := &orders.Order{
		Number: number, PlacedBy: s.ID, Packer: packer,
		Buyer: "Ada", Kilograms: float64(number%1000) / 4, Priority: orders.PriorityExpress,
		Channel: "web", Note: "ring twice",
	}
	err := publish(ctx, m, s.publisher(number).PublishPlaced)
	s.Tell(worker.Sent, m)
	return err
}

// publish has an order hurry as much as the fleet can express.
func publish(ctx context.Context, m *orders.Order, do func(context.Context, *orders.Order) error) error {
	err := do(ctx, m)
	if errors.Is(err, wire.ErrVersion) { // version 1 has no express
		m.Priority = orders.PriorityHigh
		err = do(ctx, m)
	}
	return err
}

// HandleOrderPlaced passes an order that is for this shop on as packed.
func (s shop) HandleOrderPlaced(ctx context.Context, m *orders.Order) error {
	s.Tell(worker.Saw, m)
	if m.Packer != s.ID {
		return nil
	}
	return publish(ctx, m, s.publisher(m.Number).PublishPacked)
}

// HandleOrderPacked takes note of what became of an order of this shop.
func (s shop) HandleOrderPacked(_ context.Context, m *orders.Order) error {
	if m.PlacedBy == s.ID {
		s.Tell(worker.Back, m)
	}
	return nil
}
