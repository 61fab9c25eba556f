package bustest

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

var publishCases = []Case{
	{
		Name: "ended-context",
		Doc:  "Publish with a context that has ended fails promptly, and delivers nothing.",
		run: func(p *probe) {
			in := p.subscribe(p.a, "orders")
			ctx, cancel := context.WithCancel(p.ctx)
			cancel()
			p.within("publish with an ended context", func() error {
				if p.a.Publish(ctx, bus.Message{Topic: p.prefix + "orders", Payload: []byte("1")}) == nil {
					return errors.New("no error")
				}
				return nil
			})
			in.expect("subscription")
		},
	},
	{
		Name: "concurrent-use",
		Doc:  "One bus serves many goroutines that publish, subscribe and stop at once.",
		run: func(p *probe) {
			errs := make([]error, 8)
			p.within("eight goroutines", func() error {
				var wg sync.WaitGroup
				for n := range errs {
					wg.Go(func() {
						for i := 0; i < 10 && errs[n] == nil; i++ {
							errs[n] = p.roundTrip(fmt.Sprintf("%d-%d", n, i))
						}
					})
				}
				wg.Wait()
				return errors.Join(errs...)
			})
		},
	},
	{
		Name: "goroutines",
		Doc:  "A subscription that has ended leaves no goroutine behind.",
		run: func(p *probe) {
			p.within("first round", func() error { return p.roundTrip("first") }) // a client may start its own now
			before := runtime.NumGoroutine()
			for i := range 20 {
				ctx, cancel := context.WithCancel(p.ctx)
				stop := p.handleUntil(ctx, p.a, "orders", func(context.Context, bus.Message) error { return nil })
				p.publish(p.b, "orders", "1")
				if i%2 == 0 {
					p.within("stop", stop)
				}
				cancel()
			}
			p.eventually(fmt.Sprintf("there are no more than the %d goroutines of before", before), func() bool {
				return runtime.NumGoroutine() <= before
			})
		},
	},
}

// roundTrip subscribes, publishes, waits for its own message among those of
// others, and stops.
func (p *probe) roundTrip(payload string) error {
	mine := make(chan struct{}, 1)
	stop, err := p.a.Subscribe(p.ctx, p.prefix+"shared", func(_ context.Context, m bus.Message) error {
		if string(m.Payload) == payload {
			mine <- struct{}{}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := p.b.Publish(p.ctx, bus.Message{Topic: p.prefix + "shared", Payload: []byte(payload)}); err != nil {
		return err
	}
	select {
	case <-mine:
	case <-time.After(p.Wait):
		return fmt.Errorf("message %q did not arrive", payload)
	}
	return stop()
}
