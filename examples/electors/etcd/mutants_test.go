//go:build servers

package etcd

import (
	"os"
	"testing"
	"time"

	"github.com/coordgen/coordgen/internal/failover"
	"github.com/coordgen/coordgen/internal/mutants"
	"github.com/coordgen/coordgen/runtime/elector"
)

// Faults that an elector over etcd could have don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct {
		test string
		mutants.Mutant
	}{
		{"Faults", mutants.Mutant{Name: "frees what another holds", Old: "e.client.Revoke(ctx, e.held)", New: "e.client.Delete(ctx, e.config.Key)"}},
		{"Faults", mutants.Mutant{Name: "renews what another has", Old: " || clientv3.LeaseID(kv.Lease) != e.held", New: ""}},
		{"Conforms", mutants.Mutant{Name: "writes what is lost anew", Old: "_, err = e.client.KeepAliveOnce(ctx, e.held)", New: "_, err = e.client.Put(ctx, e.config.Key, e.config.Identity, clientv3.WithLease(e.held))"}},
		{"Faults", mutants.Mutant{Name: "counts leaderships by the wall clock", Old: "uint64(answer.Header.Revision)", New: "uint64(time.Now().UnixNano())"}},
		{"Faults", mutants.Mutant{Name: "leads for longer than the lease", Old: "TTL: config.TTL,", New: "TTL: 2 * config.TTL,"}},
		{"Faults", mutants.Mutant{Name: "does not know what is its own", Old: "if err := e.give(ctx); err != nil {", New: "if err := ctx.Err(); err != nil {"}},
		{"Deadline", mutants.Mutant{Name: "waits for the server for ever", Old: "answer, err := e.client.Get(ctx,", New: "answer, err := e.client.Get(context.WithoutCancel(ctx),"}},
	} {
		m.File = "elector.go"
		mutants.Run(t, ".", m.Mutant, "-run=^Test"+m.test+"$", "-timeout=60s")
	}
}

func TestFailover(t *testing.T) {
	if os.Getenv(addrVar) == "" {
		t.Setenv(addrVar, serve(t)) // for the other process as well
	}
	failover.Run(t, failover.Backend{
		Open: func(t *testing.T, election, identity string) elector.LeaderElector {
			return open(t, os.Getenv(addrVar), election, identity)
		},
		Lease:  ttl,
		Killed: ttl + time.Second, // etcd looks for leases that have expired twice a second
	})
}

const addrVar = "COORDGEN_TEST_ETCD"
