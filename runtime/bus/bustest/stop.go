package bustest

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

var stopCases = []Case{
	{
		Name: "stop",
		Doc:  "After stop has returned the handler is not called again; other subscriptions go on.",
		run: func(p *probe) {
			ended, other := p.subscribe(p.a, "orders"), p.subscribe(p.a, "orders")
			p.publish(p.b, "orders", "1")
			ended.expect("subscription", "1")
			p.within("stop", ended.stop)
			p.publish(p.b, "orders", "2")
			other.expect("other subscription", "1", "2")
			ended.expect("stopped subscription", "1")

			for range 10 { // and in the midst of a stream
				var stopped, late atomic.Bool
				stop := p.handle(p.a, "orders", func(context.Context, bus.Message) error {
					late.CompareAndSwap(false, stopped.Load())
					return nil
				})
				p.publish(p.b, "orders", "1", "2", "3", "4", "5")
				p.within("stop", stop)
				stopped.Store(true)
				p.publish(p.b, "orders", "6")
				time.Sleep(p.Quiet / 10)
				if late.Load() {
					p.fatalf("the handler was called after stop had returned")
				}
			}
		},
	},
	{
		Name: "stop-waits",
		Doc:  "Stop waits for a running handler, and leaves its context alone.",
		run: func(p *probe) {
			running, finish := make(chan struct{}), make(chan struct{})
			var interrupted atomic.Bool
			stop := p.handle(p.a, "orders", func(ctx context.Context, _ bus.Message) error {
				close(running)
				<-finish
				interrupted.Store(ctx.Err() != nil)
				return nil
			})
			release := sync.OnceFunc(func() { close(finish) })
			p.Cleanup(release)
			p.publish(p.b, "orders", "1")
			p.closes("the handler runs", running)

			stopped := make(chan error, 1)
			go func() { stopped <- stop() }()
			select {
			case err := <-stopped:
				p.fatalf("stop returned while the handler ran; its error is %v", err)
			case <-time.After(p.Quiet):
			}
			release()
			p.within("stop", func() error { return <-stopped })
			if interrupted.Load() {
				p.fatalf("stop ended the context of a running handler")
			}
		},
	},
	{
		Name: "stop-within-handler",
		Doc:  "A handler can stop its own subscription, and two handlers each other's.",
		run: func(p *probe) {
			var calls atomic.Int32
			stopped := make(chan struct{})
			stops := make(chan func() error, 1)
			stops <- p.handle(p.a, "orders", func(context.Context, bus.Message) error {
				if calls.Add(1) == 1 {
					_ = (<-stops)()
					close(stopped)
				}
				return nil
			})
			p.publish(p.a, "orders", "1", "2")
			p.closes("stop returns within the handler", stopped)
			p.publish(p.a, "orders", "3")
			time.Sleep(p.Quiet)
			if n := calls.Load(); n != 1 {
				p.fatalf("a handler that stopped its subscription was called %d times", n)
			}

			var running atomic.Int32
			var both sync.WaitGroup
			both.Add(2)
			twice := make(chan [2]func() error, 2)
			eachOther := func(context.Context, bus.Message) error {
				defer both.Done()
				running.Add(1)
				two := <-twice
				return errors.Join(two[0](), two[1]())
			}
			two := [2]func() error{p.handle(p.a, "returns", eachOther), p.handle(p.a, "returns", eachOther)}
			p.publish(p.b, "returns", "1")
			p.eventually("both handlers run", func() bool { return running.Load() == 2 })
			twice <- two
			twice <- two
			p.within("two handlers stop each other", func() error { both.Wait(); return nil })
		},
	},
	{
		Name: "stop-twice",
		Doc:  "Stop may be called again, and by several at once.",
		run: func(p *probe) {
			in := p.subscribe(p.a, "orders")
			p.within("stop", in.stop)
			p.within("stop again", in.stop)

			in = p.subscribe(p.a, "orders")
			errs := make([]error, 4)
			p.within("stop four times at once", func() error {
				var wg sync.WaitGroup
				for i := range errs {
					wg.Go(func() { errs[i] = in.stop() })
				}
				wg.Wait()
				return errors.Join(errs...)
			})
		},
	},
	{
		Name: "context",
		Doc:  "A subscription, and the context of its handler, end with the context of Subscribe.",
		run: func(p *probe) {
			ctx, cancel := context.WithCancel(p.ctx)
			defer cancel()
			in := &inbox{p: p}
			in.stop = p.handleUntil(ctx, p.a, "orders", in.receive)
			running, interrupted := make(chan struct{}), make(chan struct{})
			p.handleUntil(ctx, p.a, "returns", func(ctx context.Context, _ bus.Message) error {
				close(running)
				<-ctx.Done()
				close(interrupted)
				return nil
			})
			p.publish(p.b, "orders", "1")
			p.publish(p.b, "returns", "1")
			in.expect("subscription", "1")
			p.closes("the handler runs", running)

			cancel()
			p.closes("the handler's context ends", interrupted)
			p.eventually("the subscription is silent", func() bool {
				in.forget()
				p.publish(p.b, "orders", "late")
				time.Sleep(p.Quiet)
				return len(in.received()) == 0
			})
			p.within("stop", in.stop)
		},
	},
}
