// V1 is a worker of version 1.
package main

import (
	"context"

	"github.com/coordgen/coordgen/examples/rolling/v1/orders"
	"github.com/coordgen/coordgen/examples/rolling/worker"
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
		Customer: "Ada", Grams: number % 1000 * 250, Priority: orders.PriorityHigh,
	}
	err := s.publisher(number).PublishPlaced(ctx, m)
	s.Tell(worker.Sent, m)
	return err
}

// HandleOrderPlaced passes an order that is for this shop on as packed.
func (s shop) HandleOrderPlaced(ctx context.Context, m *orders.Order) error {
	s.Tell(worker.Saw, m)
	if m.Packer != s.ID {
		return nil
	}
	return s.publisher(m.Number).PublishPacked(ctx, m)
}

// HandleOrderPacked takes note of what became of an order of this shop.
func (s shop) HandleOrderPacked(_ context.Context, m *orders.Order) error {
	if m.PlacedBy == s.ID {
		s.Tell(worker.Back, m)
	}
	return nil
}
