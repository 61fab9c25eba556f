package electortest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// concurrencyCases are about calls at once. They find most under the race
// detector.
var concurrencyCases = []Case{
	{
		Name: "one-winner",
		Doc:  "Of rivals that acquire at once exactly one wins.",
		run: func(p *probe) {
			rivals := p.rivals()
			for range 10 {
				won := make([]bool, len(rivals))
				p.atOnce("TryAcquire of rivals", len(rivals), func(i int) (err error) {
					won[i], err = rivals[i].TryAcquire(p.ctx)
					return err
				})
				winner := slices.Index(won, true)
				if winner < 0 || slices.Contains(won[winner+1:], true) {
					p.fatalf("of three rivals that acquired at once these won: %v, want one", won)
				}
				for _, e := range rivals {
					p.leads(e, e == rivals[winner])
					p.names(e, rivals[winner].Identity())
				}
				p.release(rivals[winner])
			}
		},
	},
	{
		Name: "exclusion",
		Doc:  "While one leads, from its TryAcquire to its Release, no rival takes itself for the leader.",
		run: func(p *probe) {
			rivals := p.rivals()
			var leaders, terms atomic.Int32
			p.atOnce("terms of rivals", len(rivals), func(i int) error {
				e := rivals[i]
				for range 50 {
					if won, err := e.TryAcquire(p.ctx); err != nil {
						return err
					} else if !won {
						time.Sleep(pause)
						continue
					}
					terms.Add(1)
					if n := leaders.Add(1); n > 1 {
						return fmt.Errorf("%d instances lead at once", n)
					}
					time.Sleep(pause)
					for _, other := range rivals {
						if leads := other.IsLeader(); leads != (other == e) {
							return fmt.Errorf("%q leads, and IsLeader of %q is %t", e.Identity(), other.Identity(), leads)
						}
					}
					leaders.Add(-1)
					if err := e.Release(p.ctx); err != nil {
						return err
					}
				}
				return nil
			})
			if terms.Load() == 0 {
				p.fatalf("no rival ever led")
			}
		},
	},
	{
		Name: "concurrent-use",
		Doc:  "One elector serves many goroutines; its callbacks never overlap and are told true and false in turn.",
		run: func(p *probe) {
			told := &turns{}
			p.register(p.a, told.callback)
			p.atOnce("calls on one elector", 8, func(i int) error { return use(p.ctx, p.a, i) })
			p.release(p.a)
			p.eventually("callbacks were told of each change", func() bool {
				before := told.count()
				time.Sleep(p.Quiet) // there may be more to tell, by a goroutine that is late
				return told.count() == before && before > 0 && before%2 == 0
			})
			if fault := told.fault(); fault != "" {
				p.fatalf("%s", fault)
			}
			p.leads(p.a, false)
			p.acquires(p.b, true)
		},
	},
}

// pause is long enough for other goroutines to come in between.
const pause = 20 * time.Microsecond

// use makes calls of each kind.
func use(ctx context.Context, e elector.LeaderElector, salt int) error {
	for i := range 20 {
		remove := e.OnLeaderChange(func(context.Context, bool) error { return nil })
		_, acquireErr := e.TryAcquire(ctx)
		_, renewErr := e.Renew(ctx)
		_, currentErr := e.CurrentLeader(ctx)
		if e.IsLeader() && (i+salt)%2 == 0 {
			remove()
		}
		if err := errors.Join(acquireErr, renewErr, currentErr, e.Release(ctx)); err != nil {
			return err
		}
		remove()
	}
	return nil
}

// atOnce runs f in n goroutines that start together.
func (p *probe) atOnce(step string, n int, f func(i int) error) {
	p.Helper()
	p.within(step, func() error {
		errs := make([]error, n)
		start := make(chan struct{})
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				<-start
				errs[i] = f(i)
			})
		}
		close(start)
		all.Wait()
		return errors.Join(errs...)
	})
}

// turns is a callback that wants true and false in turn, and one call at a time.
type turns struct {
	running atomic.Bool

	mu      sync.Mutex
	calls   int
	overlap bool
	twice   bool // the same thing was told twice
}

func (c *turns) callback(_ context.Context, leader bool) error {
	alone := c.running.CompareAndSwap(false, true)
	c.mu.Lock()
	c.overlap = c.overlap || !alone
	c.twice = c.twice || leader != (c.calls%2 == 0)
	c.calls++
	c.mu.Unlock()
	time.Sleep(pause)
	c.running.Store(false)
	return nil
}

func (c *turns) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls
}

func (c *turns) fault() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.overlap:
		return "callbacks ran at once"
	case c.twice:
		return "a callback was not told true and false in turn"
	}
	return ""
}
