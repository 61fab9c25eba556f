package electortest

import (
	"context"
	"errors"
	"fmt"
)

// leadingCases are about an instance that has no rival.
var leadingCases = []Case{
	{
		Name: "identity",
		Doc:  "The identity is the one that the elector was made with, and stays the same.",
		run: func(p *probe) {
			same := func() {
				for i, e := range p.rivals() {
					if got := e.Identity(); got != identities[i] {
						p.fatalf("Identity is %q, want %q", got, identities[i])
					}
				}
			}
			same()
			p.acquires(p.a, true)
			same()
			p.release(p.a)
			same()
		},
	},
	{
		Name: "not-leader-at-first",
		Doc:  "An elector does not lead before it acquires.",
		run: func(p *probe) {
			for _, e := range p.rivals() {
				p.leads(e, false)
			}
		},
	},
	{
		Name: "nobody-at-first",
		Doc:  "Before anyone acquires there is no current leader.",
		run:  func(p *probe) { p.names(p.a, "") },
	},
	{
		Name: "acquire",
		Doc:  "TryAcquire makes the instance the leader when there is none.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.leads(p.a, true)
		},
	},
	{
		Name: "current-leader",
		Doc:  "The leader is the current leader to itself.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.names(p.a, p.a.Identity())
		},
	},
	{
		Name: "acquire-twice",
		Doc:  "TryAcquire is true for the leader as well.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.acquires(p.a, true)
			p.leads(p.a, true)
		},
	},
	{
		Name: "release",
		Doc:  "Release gives the leadership up; then nobody leads.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.release(p.a)
			p.leads(p.a, false)
			p.names(p.a, "")
		},
	},
	{
		Name: "release-not-leader",
		Doc:  "Release does nothing when the instance does not lead.",
		run: func(p *probe) {
			p.release(p.a)
			p.leads(p.a, false)
			p.acquires(p.a, true)
		},
	},
	{
		Name: "release-twice",
		Doc:  "Release may be called again.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.release(p.a)
			p.release(p.a)
			p.leads(p.a, false)
		},
	},
	{
		Name: "acquire-again",
		Doc:  "An instance that released can lead again.",
		run: func(p *probe) {
			for range 3 {
				p.acquires(p.a, true)
				p.leads(p.a, true)
				p.release(p.a)
			}
		},
	},
	{
		Name: "renew-before",
		Doc:  "Renew is false before the instance ever acquired, and acquires nothing.",
		run: func(p *probe) {
			p.renews(p.a, false)
			p.leads(p.a, false)
			p.names(p.a, "")
		},
	},
	{
		Name: "renew",
		Doc:  "Renew is true while the instance leads.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.renews(p.a, true)
			p.renews(p.a, true)
			p.leads(p.a, true)
		},
	},
	{
		Name: "renew-after",
		Doc:  "Renew is false after a release, and acquires nothing.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.renews(p.a, true)
			p.release(p.a)
			p.renews(p.a, false)
			p.leads(p.a, false)
			p.names(p.a, "")
		},
	},
	{
		Name:  "loss",
		Doc:   "After a loss the instance does not lead, and Renew is false.",
		needs: []capability{canLose},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.lose(p.a)
			p.leads(p.a, false)
			p.renews(p.a, false)
			p.release(p.a)
		},
	},
	{
		Name:  "acquire-after-loss",
		Doc:   "An instance that lost the leadership can lead again.",
		needs: []capability{canLose},
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.lose(p.a)
			p.eventually("TryAcquire is true after a loss", func() bool {
				won, err := p.a.TryAcquire(p.ctx)
				return won && err == nil
			})
			p.leads(p.a, true)
			p.renews(p.a, true)
		},
	},
	{
		Name: "ended-context-acquire",
		Doc:  "TryAcquire with a context that has ended fails with its error, and acquires and loses nothing.",
		run: func(p *probe) {
			refused := func() {
				p.within("TryAcquire with an ended context", func() error {
					_, err := p.a.TryAcquire(p.ended())
					if !errors.Is(err, context.Canceled) {
						return fmt.Errorf("error is %v, want %v", err, context.Canceled)
					}
					return nil
				})
			}
			refused()
			p.leads(p.a, false)
			p.names(p.b, "")
			p.acquires(p.a, true)
			refused()
			p.leads(p.a, true)
		},
	},
	{
		Name: "ended-context-release",
		Doc:  "Release works with a context that has ended.",
		run: func(p *probe) {
			p.acquires(p.a, true)
			p.within("Release with an ended context", func() error { return p.a.Release(p.ended()) })
			p.leads(p.a, false)
			p.acquires(p.b, true)
		},
	},
}

// ended returns a context that was cancelled.
func (p *probe) ended() context.Context {
	ctx, cancel := context.WithCancel(p.ctx)
	cancel()
	return ctx
}
