package electortest

import (
	"errors"
	"fmt"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// leaseCases are about electors whose leadership lapses unless it is renewed.
var leaseCases = []Case{
	{
		Name:  "lease-lapses",
		Doc:   "When its lease runs out an instance does not lead, without being asked, and a rival can.",
		needs: []capability{hasLease},
		run: func(p *probe) {
			j := &journal{p: p}
			j.hear(p.a, "a")
			p.acquires(p.a, true)
			time.Sleep(p.Lease + p.Quiet)
			if p.a.IsLeader() {
				p.fatalf("%q leads although its lease of %v has run out", p.a.Identity(), p.Lease)
			}
			j.expect("a true", "a false")
			p.eventually("a rival acquires after a lapse", func() bool {
				won, err := p.b.TryAcquire(p.ctx)
				return won && err == nil
			})
			p.renews(p.a, false)
			p.leads(p.a, false)
		},
	},
	{
		Name:  "lease-renewed",
		Doc:   "An instance that renews leads for longer than a lease.",
		needs: []capability{hasLease},
		run: func(p *probe) {
			p.acquires(p.a, true)
			for range 6 {
				time.Sleep(p.Lease / 3)
				p.renews(p.a, true)
			}
			p.leads(p.a, true)
			p.acquires(p.b, false)
		},
	},
}

// backendCases are about electors that can't reach their backend.
var backendCases = []Case{
	{
		Name:  "cached-is-leader",
		Doc:   "IsLeader does not ask the backend.",
		needs: []capability{canDisconnect},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.disconnect(p.a)
			p.leads(p.a, true)
		},
	},
	{
		Name:  "unreachable-acquire",
		Doc:   "TryAcquire fails with ErrUnreachable when the backend can't be reached, and acquires nothing.",
		needs: []capability{canDisconnect},
		run: func(p *probe) {
			p.disconnect(p.a)
			p.unreachable("TryAcquire", func() error { _, err := p.a.TryAcquire(p.ctx); return err })
			p.leads(p.a, false)
			p.acquires(p.b, true)
		},
	},
	{
		Name:  "unreachable-current-leader",
		Doc:   "CurrentLeader fails with ErrUnreachable when the backend can't be reached.",
		needs: []capability{canDisconnect},
		run: func(p *probe) {
			p.disconnect(p.a)
			p.unreachable("CurrentLeader", func() error { _, err := p.a.CurrentLeader(p.ctx); return err })
		},
	},
	{
		Name:  "unreachable-renew",
		Doc:   "Renew is false when the backend can't be reached.",
		needs: []capability{canDisconnect},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.disconnect(p.a)
			p.within("Renew", func() error {
				if renewed, _ := p.a.Renew(p.ctx); renewed {
					return errors.New("true without a backend")
				}
				return nil
			})
		},
	},
}

func (p *probe) unreachable(method string, call func() error) {
	p.Helper()
	p.within(method+" without a backend", func() error {
		if err := call(); !errors.Is(err, elector.ErrUnreachable) {
			return fmt.Errorf("error is %v, want %v", err, elector.ErrUnreachable)
		}
		return nil
	})
}
