// Package electortest is the conformance suite for electors. An implementation's
// test hands it a [Factory]:
//
//	func TestElector(t *testing.T) {
//		electortest.Run(t, electortest.Factory{Open: connect, Lose: revoke, Fenced: true})
//	}
//
// An elector that breaks the contract, by a deadlock too, fails its case within
// [Factory.Wait]; it does not hang the test. Run it with the race detector on.
package electortest

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Factory makes electors, and declares what they can do. What it does not
// declare is not tested, and the suite says so.
type Factory struct {
	// Open returns an elector for each identity, rivals in an election that no
	// other call of Open takes part in and that nobody leads yet. It closes them
	// by t.Cleanup. Each call is for one case. Required.
	Open func(t TB, identities ...string) []elector.LeaderElector

	// Lose takes the leadership from e, as a backend does that revokes it. E has
	// to notice by itself, at its next call of Renew at the latest. Nil where
	// that can't be brought about.
	Lose func(ctx context.Context, e elector.LeaderElector) error
	// Disconnect cuts e, and no other elector, off from its backend until the
	// end of the case, or until Reconnect. Nil where that can't be brought about.
	Disconnect func(ctx context.Context, e elector.LeaderElector) error
	// Reconnect ends what Disconnect did to e. Nil where that can't be brought about.
	Reconnect func(ctx context.Context, e elector.LeaderElector) error
	// Restart kills the backend and starts it again, with what it had on disk. It
	// returns when the backend answers. Nil where that can't be brought about.
	Restart func(ctx context.Context) error
	// Lease is how long an elector leads that does not renew. It has to outlast
	// the steps of a case, which don't renew; two seconds are enough, and the
	// suite waits for several leases. 0 means that there are no leases.
	Lease time.Duration
	// Takeover is how long at most a rival has to wait for a leader that died. 0 means
	// two leases.
	Takeover time.Duration
	// Fenced says that the electors implement [elector.Fenced].
	Fenced bool

	// Wait bounds every step: a call that takes longer is a deadlock, a callback
	// that does not come by then is missing. 0 means 10 seconds.
	Wait time.Duration
	// Quiet is how long the suite listens where no more callbacks may come. 0
	// means 50 milliseconds.
	Quiet time.Duration
}

// TB is the part of [testing.TB] that the suite uses.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	FailNow()
	Cleanup(func())
}

// A Case is one demand on an elector.
type Case struct {
	// Name is short and unique.
	Name string
	// Doc is the demand, in a sentence.
	Doc string

	needs []capability
	run   func(p *probe)
}

// LeftOut says why the case does not concern the factory's electors. It returns
// "" when it does.
func (c Case) LeftOut(f Factory) string {
	for _, needed := range c.needs {
		if !needed.declared(f) {
			return "left out: the factory does not declare " + needed.name
		}
	}
	return ""
}

// Run runs the case on fresh electors and reports to t.
func (c Case) Run(t TB, f Factory) {
	t.Helper()
	c.run(open(t, f))
}

// Cases returns the whole suite.
func Cases() []Case {
	return slices.Concat(leadingCases, rivalCases, callbackCases, nestedCases, concurrencyCases, termCases, leaseCases, backendCases, contentionCases)
}

// Run runs every case as a subtest, and skips what the factory does not declare.
func Run(t *testing.T, f Factory) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.LeftOut(f); why != "" {
				t.Skip(why)
			}
			t.Log(c.Doc)
			c.Run(t, f)
		})
	}
}

// A capability is what not every backend has.
type capability struct {
	name     string
	declared func(Factory) bool
}

var (
	canLose       = capability{"Lose", func(f Factory) bool { return f.Lose != nil }}
	canDisconnect = capability{"Disconnect", func(f Factory) bool { return f.Disconnect != nil }}
	canReconnect  = capability{"Reconnect", func(f Factory) bool { return f.Reconnect != nil }}
	canRestart    = capability{"Restart", func(f Factory) bool { return f.Restart != nil }}
	hasLease      = capability{"Lease", func(f Factory) bool { return f.Lease > 0 }}
	isFenced      = capability{"Fenced", func(f Factory) bool { return f.Fenced }}
)
