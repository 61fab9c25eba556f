package electortest

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// contentionCases are about rivals that contend while things go wrong. A [History]
// of them is checked in the end.
var contentionCases = []Case{
	{
		Name:  "contention",
		Doc:   "Of many rivals that acquire, renew, release and lapse no two lead at once, and no term comes twice or goes back.",
		needs: []capability{isFenced},
		run: func(p *probe) {
			var many []string
			for i := range 8 {
				many = append(many, fmt.Sprintf("rival-%d", i+1))
			}
			rivals := p.Open(p.TB, many...)
			h := p.watch(rivals...)
			end := time.Now().Add(1000 * p.unit())
			p.bound += time.Until(end)
			p.atOnce("contention", len(rivals), func(i int) error {
				for n := i; time.Now().Before(end); n++ {
					if err := p.contend(rivals[i], n); err != nil {
						return err
					}
				}
				return nil
			})
			p.sound(h)
			led := map[string]bool{}
			for _, r := range h.Reigns() {
				led[r.Identity] = true
			}
			if len(led) < 2 {
				p.fatalf("%d of %d rivals ever led, want several", len(led), len(rivals))
			}
		},
	},
	{
		Name:  "takeover",
		Doc:   "When a leader dies, a rival acquires within Takeover, and not while the leader takes itself for one.",
		needs: []capability{isFenced, hasLease},
		run: func(p *probe) {
			h := p.watch(p.a, p.b)
			p.acquires(p.a, true)
			p.takesOver(p.b)
			p.sound(h)
		},
	},
	{
		Name:  "unreachable-and-back",
		Doc:   "A leader that can't reach the backend leads no longer than its lease; when it is back, it is a rival like any other.",
		needs: []capability{isFenced, hasLease, canDisconnect, canReconnect},
		run: func(p *probe) {
			h := p.watch(p.a, p.b)
			p.acquires(p.a, true)
			p.disconnect(p.a)
			p.takesOver(p.b)
			p.leads(p.a, false)
			p.within("Reconnect", func() error { return p.Reconnect(p.ctx, p.a) })
			p.eventually("the former leader sees its rival lead", func() bool {
				name, err := p.a.CurrentLeader(p.ctx)
				return err == nil && name == p.b.Identity()
			})
			p.renews(p.a, false)
			p.acquires(p.a, false)
			p.release(p.b)
			p.eventually("the former leader acquires again", func() bool { won, err := p.a.TryAcquire(p.ctx); return won && err == nil })
			p.settle()
			p.sound(h)
		},
	},
	{
		Name:  "backend-restarted",
		Doc:   "When the backend was killed and is back, somebody leads again, no two at once, and no term goes back.",
		needs: []capability{isFenced, canRestart},
		run: func(p *probe) {
			h := p.watch(p.rivals()...)
			p.acquires(p.a, true)
			before := p.term(p.a)
			p.settle()
			p.within("Restart", func() error { return p.Restart(p.ctx) })
			p.bound += 2 * p.takeover()
			p.eventually("somebody leads", func() bool {
				return slices.ContainsFunc(p.rivals(), func(e elector.LeaderElector) bool {
					if renewed, err := e.Renew(p.ctx); renewed && err == nil {
						return true
					}
					won, err := e.TryAcquire(p.ctx)
					return won && err == nil
				})
			})
			p.settle()
			for _, e := range p.rivals() {
				p.release(e)
			}
			p.eventually("a rival acquires after all", func() bool { won, err := p.c.TryAcquire(p.ctx); return won && err == nil })
			if term := p.term(p.c); term <= before {
				p.fatalf("term is %d, and was %d before the restart", term, before)
			}
			p.sound(h)
		},
	},
}

// unit is a short time for the electors: a lease is 500 of it.
func (p *probe) unit() time.Duration { return cmp.Or(p.Lease/500, time.Millisecond) }

// settle gives watches the time to see what is.
func (p *probe) settle() { time.Sleep(max(p.Quiet, 4*p.unit())) }

func (p *probe) takeover() time.Duration { return cmp.Or(p.Takeover, 2*p.Lease) }

// contend seeks a leadership and does with it what n says.
func (p *probe) contend(e elector.LeaderElector, n int) error {
	won, err := e.TryAcquire(p.ctx)
	if err != nil {
		return err
	}
	time.Sleep(rand.N(10 * p.unit()))
	switch {
	case !won || n%7 == 0 && p.Lease > 0: // it lapses, unless the next attempt finds it here
		return nil
	case n%2 == 0:
		if _, err := e.Renew(p.ctx); err != nil {
			return err
		}
	}
	err = e.Release(p.ctx)
	time.Sleep(10 * p.unit()) // for others to have their turn
	return err
}

// takesOver waits until the rival has acquired from a leader that is not heard of
// any more.
func (p *probe) takesOver(rival elector.LeaderElector) {
	p.Helper()
	begun := time.Now()
	p.bound += p.takeover()
	p.eventually("a rival takes over", func() bool {
		won, err := rival.TryAcquire(p.ctx)
		return won && err == nil
	})
	took := time.Since(begun)
	p.Logf("%q took over after %v, with leases of %v", rival.Identity(), took.Round(time.Millisecond), p.Lease)
	if took > p.takeover() {
		p.fatalf("%q took over after %v; Takeover is %v", rival.Identity(), took, p.takeover())
	}
	p.settle()
}

// watch keeps the history of electors until the end of the case.
func (p *probe) watch(rivals ...elector.LeaderElector) *watched {
	p.Helper()
	ctx, cancel := context.WithCancel(p.ctx)
	h := &watched{cancel: cancel}
	p.Cleanup(h.end)
	for _, e := range rivals {
		p.term(e)
		h.watches.Go(func() { h.Watch(ctx, e.(elector.Fenced), p.unit()) })
	}
	return h
}

// A watched history ends with its electors' watches.
type watched struct {
	History
	cancel  func()
	watches sync.WaitGroup
}

func (h *watched) end() {
	h.cancel()
	h.watches.Wait()
}

// sound checks a history.
func (p *probe) sound(h *watched) {
	p.Helper()
	h.end()
	if faults := h.Faults(); len(faults) > 0 {
		p.fatalf("%s", faults[0])
	}
}
