//go:build servers

package elector_test

import (
	"testing"

	"github.com/coordgen/coordgen/internal/mutants"
)

// Faults of the campaign and the lease, each as others have made it, don't pass the
// tests here. It has the tag for it takes minutes: each mutant is compiled.
func TestMutants(t *testing.T) {
	for _, m := range []struct{ Name, File, Old, New string }{
		{"ends on time only if the elector says so", "leadership.go", "time.AfterFunc(time.Until(until), l.lose)", "time.AfterFunc(time.Hour, l.lose)"},
		{"knows of the end by the timer", "leadership.go", "if l.ended() {\n\t\tl.lose()\n\t}", ""},
		{"hears of no loss", "leadership.go", "_ = l.Err()\n", ""},
		{"counts from the answer to an attempt", "campaign.go", "begun.Add(c.config.Lease))\n\tdefer", "begun.Add(time.Since(begun)+c.config.Lease))\n\tdefer"},
		{"counts from the answer to a renewal", "campaign.go", "l.prolong(begun.Add(c.config.Lease))", "l.prolong(begun.Add(time.Since(begun) + c.config.Lease))"},
		{"releases while the work goes on", "campaign.go", "canceled = nil", "return"},
		{"does not renew while the work ends", "campaign.go", `c.call(context.WithoutCancel(ctx), "Renew"`, `c.call(ctx, "Renew"`},
		{"gives up at a failed renewal", "campaign.go", "case err == nil, errors.Is(err, ErrClosed):", "default:"},
		{"leads once", "campaign.go", "wait(ctx, c.config.Retry/2+rand.N(c.config.Retry))", "return nil"},
		{"tries at fixed times", "campaign.go", "c.config.Retry/2+rand.N(c.config.Retry)", "c.config.Retry"},
		{"believes what it won", "campaign.go", "case l.Err() == nil:", "case true:"},
		{"starts more work beside what does not end", "campaign.go", "lost = nil", "return"},
		{"renews as late as the lease ends", "campaign.go", "c.Renew > c.Lease/2", "c.Renew > c.Lease"},
		{"goes on with a closed elector", "campaign.go", "errors.Is(err, ErrClosed) || ctx.Err() != nil", "ctx.Err() != nil"},

		{"acquires for as long as the backend gives", "lease.go", "begun.Add(l.config.TTL - l.config.Margin)", "begun.Add(l.config.TTL)"},
		{"goes by the wall clock", "lease.go", "begun.Add(l.config.TTL - l.config.Margin)", "begun.Round(0).Add(l.config.TTL - l.config.Margin)"},
		{"has a lease begin with the answer", "lease.go", "!l.state.gain(ctx, term, l.until(begun))", "!l.state.gain(ctx, term, l.until(begun.Add(time.Since(begun))))"},
		{"has a renewal begin with the answer", "lease.go", "!l.state.prolong(l.until(begun))", "!l.state.prolong(l.until(begun.Add(time.Since(begun))))"},
		{"resurrects what has lapsed", "lease_state.go", "if !s.holds() || !time.Now().Before(until) {", "if !time.Now().Before(until) {"},
		{"tells no lapse", "lease_state.go", "s.lapse.Reset(time.Until(until))\n\ts.change(ctx, true)", "s.change(ctx, true)"},
		{"tells in the call", "lease_state.go", "s.telling.Go(func() { s.notifier.Tell(s.log, s.identity) })", "s.notifier.Tell(s.log, s.identity)"},
		{"forgets what an answer that was lost may have given", "lease_state.go", "s.there = true", ""},
		{"does not release with an ended context", "lease.go", "l.begin(lasting(ctx))", "l.begin(ctx)"},
		{"loses a connection without a word", "lease.go", "l.state.lose(ctx, true)\n\t\treturn false, l.unreachable(\"renew\", err)", "l.state.lose(ctx, true)\n\t\treturn false, nil"},
		{"makes calls at once", "lease.go", "make(chan struct{}, 1)", "make(chan struct{}, 2)"},
	} {
		mutants.Run(t, ".", m, "-run=^Test[^MP]") // this test neither, nor the one that takes long
	}
}
