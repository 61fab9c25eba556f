package bustest

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/coordgen/coordgen/runtime/bus"
)

var handlerCases = []Case{
	{
		Name: "handler-error",
		Doc:  "After a handler's error the next message is served.",
		run: func(p *probe) {
			p.servesAfter(func() error { return errors.New("order is unknown") })
		},
	},
	{
		Name: "handler-panic",
		Doc:  "After a handler's panic the next message is served.",
		run: func(p *probe) {
			p.servesAfter(func() error { panic("order is unknown") })
			p.servesAfter(func() error { panic(errors.New("order is unknown")) })
		},
	},
	{
		Name: "handler-slow",
		Doc:  "A slow handler loses no message of a hundred, and keeps none from other subscriptions.",
		run: func(p *probe) {
			slow := &inbox{p: p}
			finish := make(chan struct{})
			release := sync.OnceFunc(func() { close(finish) })
			p.Cleanup(release)
			running := make(chan struct{}, 1)
			p.handle(p.a, "orders", func(ctx context.Context, m bus.Message) error {
				select {
				case running <- struct{}{}:
				default:
				}
				<-finish
				return slow.receive(ctx, m)
			})
			p.publish(p.a, "orders", "first")
			p.within("the slow handler runs", func() error { <-running; return nil })
			other := p.subscribe(p.a, "orders")
			want := p.publishFrom(1, 99)
			other.expect("other subscription", want...)
			release()
			slow.expect("slow subscription", append([]string{"first"}, want...)...)
		},
	},
	{
		Name: "handler-publishes",
		Doc:  "A handler may publish, also on the topic that it serves.",
		run: func(p *probe) {
			const rounds = 20
			returns := p.subscribe(p.b, "returns")
			var want []string
			for i := range rounds {
				want = append(want, fmt.Sprint(i))
			}
			var calls int
			p.handle(p.a, "orders", func(ctx context.Context, m bus.Message) error {
				if calls++; calls > rounds {
					return nil
				}
				back := p.a.Publish(ctx, bus.Message{Topic: p.prefix + "returns", Payload: m.Payload})
				again := p.a.Publish(ctx, bus.Message{Topic: m.Topic, Payload: fmt.Append(nil, calls)})
				return errors.Join(back, again)
			})
			p.publish(p.a, "orders", "0")
			returns.expect("what handlers published", want...)
		},
	},
}

// servesAfter subscribes a handler that fails in the given way, at first and
// every second time.
func (p *probe) servesAfter(fail func() error) {
	p.Helper()
	in := &inbox{p: p}
	var calls int
	in.stop = p.handle(p.a, "orders", func(ctx context.Context, m bus.Message) error {
		_ = in.receive(ctx, m)
		if calls++; calls%2 == 1 {
			return fail()
		}
		return nil
	})
	p.publish(p.b, "orders", "1", "2", "3", "4")
	in.expect("subscription", "1", "2", "3", "4")
	p.within("stop", in.stop)
}
