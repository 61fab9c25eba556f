//go:build servers

package consul

import (
	"testing"

	"github.com/coordgen/coordgen/internal/failover"
	"github.com/coordgen/coordgen/internal/mutants"
	"github.com/coordgen/coordgen/runtime/elector"
)

// Faults that an elector over Consul could have don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct {
		test string
		mutants.Mutant
	}{
		{"Anothers", mutants.Mutant{Name: "frees what another holds", Old: "_, _, err := e.client.KV().Release(e.pair(), writing(ctx))", New: "_, err := e.client.KV().Delete(e.config.Key, writing(ctx))"}},
		{"Anothers", mutants.Mutant{Name: "renews what another has", Old: "err != nil || pair.Session != e.session {\n\t\treturn false", New: "err != nil || pair.Session == \"\" {\n\t\treturn false"}},
		{"Conforms", mutants.Mutant{Name: "locks what is lost anew", Old: "err != nil || pair.Session != e.session {\n\t\treturn false", New: "err != nil || pair.Session != e.session {\n\t\t_, _, err = e.client.KV().Acquire(e.pair(), writing(ctx))\n\t\treturn err == nil"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by the wall clock", Old: "return pair.ModifyIndex, true, nil", New: "return uint64(time.Now().UnixNano()), true, nil"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by the lock's index", Old: "return pair.ModifyIndex, true, nil", New: "return pair.LockIndex, true, nil"}},
		{"SessionDestroyed", mutants.Mutant{Name: "leads for longer than the session", Old: "TTL: config.TTL, ", New: "TTL: 3 * config.TTL, "}},
		{"LostAnswer", mutants.Mutant{Name: "does not know what is its own", Old: "if err := e.give(ctx); err != nil {", New: "if err := ctx.Err(); err != nil {"}},
		{"Conforms", mutants.Mutant{Name: "destroys the session first", Old: "if _, _, err := e.client.KV().Release(e.pair(), writing(ctx)); err != nil {", New: "if err := ctx.Err(); err != nil {"}},
		{"SessionDestroyed", mutants.Mutant{Name: "has no lock delay", Old: "LockDelay: e.config.LockDelay,", New: "LockDelay: time.Millisecond,"}},
		{"Deadline", mutants.Mutant{Name: "waits for the server for ever", Old: "options.WithContext(ctx)", New: "options.WithContext(context.WithoutCancel(ctx))"}},
	} {
		m.File = "elector.go"
		mutants.Run(t, ".", m.Mutant, "-tags=servers", "-run=^Test"+m.test+"$")
	}
}

func TestFailover(t *testing.T) {
	ttl := ttl(t)
	failover.Run(t, failover.Backend{
		Open: func(t *testing.T, election, identity string) elector.LeaderElector {
			return open(t, election, identity, ttl)
		},
		Lease:  ttl,
		Killed: 3 * ttl, // two for the session, one for the lock delay
	})
}
