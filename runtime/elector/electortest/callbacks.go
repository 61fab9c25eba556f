package electortest

import (
	"context"
	"errors"
)

// callbackCases are about what leader-change callbacks are told.
var callbackCases = []Case{
	{
		Name: "callback-gain",
		Doc:  "Callbacks are told true on a gain.",
		run: func(p *probe) {
			j := &journal{p: p}
			j.hear(p.a, "a")
			p.acquires(p.a, true)
			j.expect("a true")
		},
	},
	{
		Name: "callback-release",
		Doc:  "Callbacks are told false on a release.",
		run: func(p *probe) {
			j := &journal{p: p}
			p.acquires(p.a, true)
			j.hear(p.a, "a")
			p.release(p.a)
			j.expect("a false")
		},
	},
	{
		Name:  "callback-loss",
		Doc:   "Callbacks are told false, once, on a loss.",
		needs: []capability{canLose},
		run: func(p *probe) {
			j := &journal{p: p}
			p.acquires(p.a, true)
			j.hear(p.a, "a")
			p.lose(p.a)
			p.release(p.a)
			j.expect("a false")
		},
	},
	{
		Name: "callback-only-changes",
		Doc:  "Callbacks are called on a change only.",
		run: func(p *probe) {
			j := &journal{p: p}
			j.hear(p.a, "a")
			p.release(p.a)
			p.renews(p.a, false)
			p.acquires(p.a, true)
			p.acquires(p.a, true)
			p.renews(p.a, true)
			p.release(p.a)
			p.release(p.a)
			p.renews(p.a, false)
			j.expect("a true", "a false")
		},
	},
	{
		Name: "callback-own-changes",
		Doc:  "Callbacks are told of their own instance, not of rivals.",
		run: func(p *probe) {
			j := &journal{p: p}
			j.hear(p.a, "a")
			j.hear(p.b, "b")
			p.acquires(p.b, true)
			p.acquires(p.a, false)
			p.renews(p.a, false)
			p.release(p.a)
			p.release(p.b)
			j.expect("b true", "b false")
		},
	},
	{
		Name: "callback-order",
		Doc:  "Callbacks run in the order of their registration.",
		run: func(p *probe) {
			j := &journal{p: p}
			for _, name := range []string{"1", "2", "3", "4"} {
				j.hear(p.a, name)
			}
			p.acquires(p.a, true)
			p.release(p.a)
			j.expect("1 true", "2 true", "3 true", "4 true", "1 false", "2 false", "3 false", "4 false")
		},
	},
	{
		Name: "callback-fails",
		Doc:  "A callback that fails stops neither the others nor the call.",
		run: func(p *probe) {
			p.contained(func() error { return errors.New("a callback that fails, for the test") })
		},
	},
	{
		Name: "callback-panics",
		Doc:  "A callback that panics stops neither the others nor the call.",
		run: func(p *probe) {
			p.contained(func() error { panic("a callback that panics, for the test") })
		},
	},
	{
		Name: "callback-context",
		Doc:  "The context of a callback has not ended, even if that of the call has.",
		run: func(p *probe) {
			j := &journal{p: p}
			p.register(p.a, func(ctx context.Context, leader bool) error {
				j.write("%t %v", leader, ctx.Err())
				return nil
			})
			p.acquires(p.a, true)
			p.within("Release with an ended context", func() error { return p.a.Release(p.ended()) })
			j.expect("true <nil>", "false <nil>")
		},
	},
	{
		Name: "remove",
		Doc:  "A removed callback is silent; the others are called.",
		run: func(p *probe) {
			j := &journal{p: p}
			j.hear(p.a, "1")
			remove := j.hear(p.a, "2")
			j.hear(p.a, "3")
			p.acquires(p.a, true)
			j.expect("1 true", "2 true", "3 true")
			p.remove(remove)
			p.release(p.a)
			j.expect("1 true", "2 true", "3 true", "1 false", "3 false")
		},
	},
	{
		Name: "remove-twice",
		Doc:  "Removing a callback again does nothing, to its twin neither.",
		run: func(p *probe) {
			j := &journal{p: p}
			twin := j.callback("twin")
			remove := p.register(p.a, twin)
			p.register(p.a, twin)
			p.remove(remove)
			p.remove(remove)
			p.acquires(p.a, true)
			p.remove(remove)
			p.release(p.a)
			j.expect("twin true", "twin false")
		},
	},
}

// contained has the second of three callbacks fail.
func (p *probe) contained(fail func() error) {
	p.Helper()
	j := &journal{p: p}
	j.hear(p.a, "1")
	p.register(p.a, func(context.Context, bool) error {
		j.write("2")
		return fail()
	})
	j.hear(p.a, "3")
	p.acquires(p.a, true)
	p.leads(p.a, true)
	p.release(p.a)
	j.expect("1 true", "2", "3 true", "1 false", "2", "3 false")
}
