package bustest

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

var orderCases = []Case{
	{
		Name:  "publisher-order",
		Doc:   "The messages of each publisher arrive in the order in which it published them.",
		needs: needsOrder,
		run: func(p *probe) {
			a, b := p.subscribe(p.a, "orders"), p.subscribe(p.b, "orders")
			want := p.publishFrom(2, 200)
			for _, in := range []*inbox{a, b} {
				in.await(len(want))
				got := in.payloads()
				slices.SortStableFunc(got, func(x, y string) int { return strings.Compare(x[:1], y[:1]) }) // by publisher
				p.same("subscription", got, want)
			}
		},
	},
	{
		Name: "one-at-a-time",
		Doc:  "A subscription's handler is never called while it runs.",
		run: func(p *probe) {
			var running, calls, overlaps atomic.Int32
			p.handle(p.a, "orders", func(context.Context, bus.Message) error {
				if running.Add(1) > 1 {
					overlaps.Add(1)
				}
				time.Sleep(time.Millisecond)
				running.Add(-1)
				calls.Add(1)
				return nil
			})
			want := p.publishFrom(2, 20)
			p.eventually("all are handled", func() bool { return int(calls.Load()) == len(want) })
			if n := overlaps.Load(); n > 0 {
				p.fatalf("the handler was called %d times while it ran", n)
			}
		},
	},
}
