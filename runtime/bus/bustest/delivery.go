package bustest

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/coordgen/coordgen/runtime/bus"
)

var deliveryCases = []Case{
	{
		Name: "every-subscription",
		Doc:  "Each subscription of each instance gets each message.",
		run: func(p *probe) {
			inboxes := map[string]*inbox{
				"first of a":  p.subscribe(p.a, "orders"),
				"second of a": p.subscribe(p.a, "orders"),
				"first of b":  p.subscribe(p.b, "orders"),
				"second of b": p.subscribe(p.b, "orders"),
			}
			p.publish(p.a, "orders", "1", "2")
			for name, in := range inboxes {
				in.expect(name, "1", "2")
			}
		},
	},
	{
		Name: "own-messages",
		Doc:  "An instance gets what it published itself.",
		run: func(p *probe) {
			a, b := p.subscribe(p.a, "orders"), p.subscribe(p.b, "orders")
			p.publish(p.a, "orders", "from a")
			a.expect("a", "from a")
			p.publish(p.b, "orders", "from b")
			b.expect("b", "from a", "from b")
		},
	},
	{
		Name: "at-once",
		Doc:  "A subscription is in place when Subscribe returns.",
		run: func(p *probe) {
			for i := range 20 {
				topic := fmt.Sprintf("orders-%d", i)
				in := p.subscribe(p.a, topic)
				p.publish(p.b, topic, "first")
				p.eventually("the first message is there", func() bool { return len(in.received()) == 1 })
			}
		},
	},
	{
		Name: "no-history",
		Doc:  "A subscription gets nothing that was published before it.",
		run: func(p *probe) {
			witness := p.subscribe(p.b, "orders")
			p.publish(p.a, "orders", "before")
			witness.expect("witness", "before")
			in := p.subscribe(p.b, "orders")
			p.publish(p.a, "orders", "after")
			in.expect("subscription", "after")
		},
	},
	{
		Name: "exactly-once",
		Doc:  "Of many messages from several publishers, each arrives once.",
		run: func(p *probe) {
			const publishers, each = 4, 250
			inboxes := []*inbox{p.subscribe(p.a, "orders"), p.subscribe(p.b, "orders"), p.subscribe(p.b, "orders")}
			want := p.publishFrom(publishers, each)
			for i, in := range inboxes {
				in.await(len(want))
				got := in.payloads()
				slices.Sort(got)
				p.same(fmt.Sprintf("subscription %d", i), got, want)
			}
		},
	},
}

// publishFrom publishes on "orders" from several publishers at once, by turns on
// a and on b.
// It returns the payloads, sorted: "0-000", "0-001", ...
func (p *probe) publishFrom(publishers, each int) []string {
	p.Helper()
	payload := func(publisher, i int) string { return fmt.Sprintf("%d-%03d", publisher, i) }
	errs := make([]error, publishers)
	p.within("publish many", func() error {
		var wg sync.WaitGroup
		for n := range publishers {
			on := []bus.Bus{p.a, p.b}[n%2]
			wg.Go(func() {
				for i := 0; i < each && errs[n] == nil; i++ {
					errs[n] = on.Publish(p.ctx, bus.Message{Topic: p.prefix + "orders", Payload: []byte(payload(n, i))})
				}
			})
		}
		wg.Wait()
		return errors.Join(errs...)
	})
	var all []string
	for n := range publishers {
		for i := range each {
			all = append(all, payload(n, i))
		}
	}
	return all
}
