package electortest

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// nestedCases are about calls on an elector while its callbacks run.
var nestedCases = []Case{
	{
		Name: "nested-reads",
		Doc:  "A callback can ask its elector who leads.",
		run: func(p *probe) {
			j := &journal{p: p}
			p.register(p.a, func(ctx context.Context, leader bool) error {
				name, err := p.a.CurrentLeader(ctx)
				if !leader {
					name = "" // the backend may be told after the callbacks
				}
				renewed, renewErr := p.a.Renew(ctx)
				j.write("%t: %t %q %v %t %v", leader, p.a.IsLeader(), name, err, renewed, renewErr)
				return nil
			})
			p.acquires(p.a, true)
			gain := fmt.Sprintf("true: true %q <nil> true <nil>", p.a.Identity())
			j.expect(gain)
			p.release(p.a)
			j.expect(gain, `false: false "" <nil> false <nil>`)
		},
	},
	{
		Name: "nested-release",
		Doc:  "A callback can release; that is told when the callbacks of the gain have returned.",
		run: func(p *probe) {
			p.nested(p.a.Release)
			p.acquires(p.b, true)
		},
	},
	{
		Name:  "nested-loss",
		Doc:   "The leadership can be lost during a callback; that is told when the callbacks of the gain have returned.",
		needs: []capability{canLose},
		run: func(p *probe) {
			p.nested(func(ctx context.Context) error {
				if err := p.Lose(ctx, p.a); err != nil {
					return err
				}
				_, err := p.a.Renew(ctx) // it has to find out by now
				return err
			})
		},
	},
	{
		Name: "nested-acquire",
		Doc:  "A callback can acquire again after a release; that is told when the callbacks of the release have returned.",
		run: func(p *probe) {
			j := &journal{p: p}
			p.acquires(p.a, true)
			p.register(p.a, func(ctx context.Context, leader bool) error {
				j.write("1 %t", leader)
				if leader {
					return nil
				}
				won, err := p.a.TryAcquire(ctx)
				j.write("%t %v", won, err)
				return nil
			})
			j.hear(p.a, "2")
			p.release(p.a)
			j.expect("1 false", "true <nil>", "2 false", "1 true", "2 true")
			p.leads(p.a, true)
		},
	},
	{
		Name: "nested-register",
		Doc:  "A callback can register another, which is told only of the changes after that.",
		run: func(p *probe) {
			j := &journal{p: p}
			var once sync.Once
			p.register(p.a, func(ctx context.Context, leader bool) (err error) {
				j.write("first %t", leader)
				once.Do(func() {
					err = p.a.Release(ctx)
					p.a.OnLeaderChange(j.callback("late"))
				})
				return err
			})
			p.acquires(p.a, true)
			j.expect("first true", "first false")
			p.acquires(p.a, true)
			j.expect("first true", "first false", "first true", "late true")
		},
	},
	{
		Name: "nested-remove",
		Doc:  "A callback can remove itself and those after it, which are then not told of this change either.",
		run: func(p *probe) {
			j := &journal{p: p}
			removals := make(chan func(), 2)
			p.register(p.a, func(_ context.Context, leader bool) error {
				j.write("1 %t", leader)
				for range len(removals) {
					(<-removals)()
				}
				return nil
			})
			remove := p.register(p.a, j.callback("2"))
			var self func()
			self = p.register(p.a, func(_ context.Context, leader bool) error {
				j.write("3 %t", leader)
				self()
				return nil
			})
			j.hear(p.a, "4")
			removals <- remove
			p.acquires(p.a, true)
			p.release(p.a)
			j.expect("1 true", "3 true", "4 true", "1 false", "4 false")
		},
	},
	{
		Name: "no-lock",
		Doc:  "A callback that takes long holds up no call of others.",
		run: func(p *probe) {
			end := p.slowCallback(&journal{p: p})
			p.leads(p.a, true)
			p.names(p.a, p.a.Identity())
			p.acquires(p.a, true)
			p.renews(p.a, true)
			p.acquires(p.b, false)
			p.names(p.b, p.a.Identity())
			p.remove(p.register(p.a, func(context.Context, bool) error { return nil }))
			p.release(p.a)
			p.leads(p.a, false)
			p.acquires(p.b, true)
			end()
		},
	},
	{
		Name: "one-at-a-time",
		Doc:  "Callbacks never run at once: a change waits until the one before it has been told.",
		run: func(p *probe) {
			j := &journal{p: p}
			end := p.slowCallback(j)
			p.release(p.a)
			p.acquires(p.a, true)
			time.Sleep(p.Quiet)
			end()
			j.expect("1 true", "2 true", "1 false", "2 false", "1 true", "2 true")
		},
	},
}

// nested has the first of two callbacks give the leadership up by a call.
func (p *probe) nested(giveUp func(context.Context) error) {
	p.Helper()
	j := &journal{p: p}
	p.register(p.a, func(ctx context.Context, leader bool) error {
		j.write("1 %t", leader)
		if leader {
			j.write("%v, leads %t", giveUp(ctx), p.a.IsLeader())
		}
		return nil
	})
	j.hear(p.a, "2")
	p.within("TryAcquire", func() error { _, err := p.a.TryAcquire(p.ctx); return err })
	j.expect("1 true", "<nil>, leads false", "2 true", "1 false", "2 false")
	p.leads(p.a, false)
}

// slowCallback registers two callbacks and has a acquire. It returns while the
// first of them runs, which goes on when the returned function is called, or when
// the case ends.
func (p *probe) slowCallback(j *journal) (proceed func()) {
	p.Helper()
	running, proceeding := make(chan struct{}), make(chan struct{})
	runs := sync.OnceFunc(func() { close(running) })
	proceeds := sync.OnceFunc(func() { close(proceeding) })
	p.Cleanup(proceeds)
	p.register(p.a, func(_ context.Context, leader bool) error {
		runs()
		<-proceeding
		j.write("1 %t", leader)
		return nil
	})
	j.hear(p.a, "2")
	wait := p.begin("TryAcquire", func() error { _, err := p.a.TryAcquire(p.ctx); return err })
	p.closes("the callback runs", running)
	return func() {
		p.Helper()
		proceeds()
		wait()
	}
}
