package bus_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/wire"
)

// Two warehouses hear of an order; one of them is told to ship it.
func ExampleBind() {
	ctx := context.Background()
	b := bus.NewInMemory(bus.InMemoryOptions{})
	done := make(chan string)

	for _, warehouse := range []string{"north", "south"} {
		_, err := bus.Bind(ctx, b, bus.Options{InstanceID: warehouse},
			bus.OnAddressed("orders.shipping",
				func(m *OrderPlaced) string { return m.Warehouse },
				func(_ context.Context, m *OrderPlaced) error {
					done <- fmt.Sprintf("%s ships order %s", warehouse, m.ID)
					return nil
				}),
		)
		if err != nil {
			log.Fatal(err)
		}
	}

	order := &OrderPlaced{ID: "1234", Warehouse: "south"}
	if err := bus.Publish(ctx, b, "orders.shipping", bus.Encoding{Format: wire.JSON}, order); err != nil {
		log.Fatal(err)
	}
	fmt.Println(<-done)
	_ = b.Close()
	// Output: south ships order 1234
}

// Every subscription gets every message, in its publisher's order.
func ExampleInMemory() {
	ctx := context.Background()
	b := bus.NewInMemory(bus.InMemoryOptions{})

	received := make(chan string)
	stop, err := b.Subscribe(ctx, "orders", func(_ context.Context, m bus.Message) error {
		received <- string(m.Payload)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, order := range []string{"first", "second"} {
		if err := b.Publish(ctx, bus.Message{Topic: "orders", Payload: []byte(order)}); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println(<-received)
	fmt.Println(<-received)
	_ = stop()

	_ = b.Close()
	fmt.Println(b.Publish(ctx, bus.Message{Topic: "orders"}))
	// Output:
	// first
	// second
	// the bus is closed
}

// A queue of a broker's client library, as an adapter wraps it.
type clientQueue struct{ deliveries chan []byte }

func (q clientQueue) Next(ctx context.Context) (bus.Message, error) {
	select {
	case payload := <-q.deliveries:
		return bus.Message{Topic: "orders", Payload: payload}, nil
	case <-ctx.Done():
		return bus.Message{}, ctx.Err()
	}
}

func (q clientQueue) Close() error {
	fmt.Println("unsubscribed")
	return nil
}

// An adapter's Subscribe makes a subscription with its broker and leaves the
// rest to Serve.
func ExampleServe() {
	q := clientQueue{deliveries: make(chan []byte)}
	handled := make(chan bool)
	stop := bus.Serve(context.Background(), "orders", func(_ context.Context, m bus.Message) error {
		defer close(handled)
		fmt.Printf("%s\n", m.Payload)
		return nil
	}, q, nil)

	q.deliveries <- []byte("first")
	<-handled
	_ = stop()
	// Output:
	// first
	// unsubscribed
}
