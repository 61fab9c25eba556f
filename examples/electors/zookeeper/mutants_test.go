//go:build servers

package zookeeper

import (
	"testing"

	"github.com/coordgen/coordgen/internal/failover"
	"github.com/coordgen/coordgen/internal/mutants"
	"github.com/coordgen/coordgen/runtime/elector"
)

// Faults that an elector over ZooKeeper could have don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct {
		test string
		mutants.Mutant
	}{
		{"Anothers", mutants.Mutant{Name: "frees what another holds", File: "nodes.go", Old: "if !strings.HasPrefix(node, name) {", New: "if name == \"\" {"}},
		{"Anothers", mutants.Mutant{Name: "renews what another has", File: "nodes.go", Old: "return len(nodes) > 0 && strings.HasPrefix(nodes[0], e.attempt.name), err", New: "return len(nodes) > 0, err"}},
		{"Conforms", mutants.Mutant{Name: "makes anew what is lost", File: "nodes.go", Old: "return len(nodes) > 0 && strings.HasPrefix(nodes[0], e.attempt.name), err", New: "_ = nodes\n\treturn true, errors.Join(err, e.create(ctx, e.attempt.name))"}},
		{"LostSession", mutants.Mutant{Name: "loses a session without a word", File: "nodes.go", Old: "if errors.Is(err, zk.ErrSessionExpired) || e.client.SessionID() != e.attempt.session {", New: "if errors.Is(err, zk.ErrSessionExpired) {"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by the wall clock", File: "nodes.go", Old: "uint64(stat.Czxid)", New: "uint64(time.Now().UnixNano())"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by changes of the node", File: "nodes.go", Old: "uint64(stat.Czxid)", New: "uint64(stat.Version) + 1"}},
		{"EndsBeforeTheSession", mutants.Mutant{Name: "leads for longer than the session", File: "elector.go", Old: "TTL: config.SessionTimeout,", New: "TTL: 3 * config.SessionTimeout,"}},
		{"LostAnswer", mutants.Mutant{Name: "does not know what is its own", File: "nodes.go", Old: "if err := e.give(ctx); err != nil {", New: "if err := ctx.Err(); err != nil {"}},
		{"LostAnswer", mutants.Mutant{Name: "forgets what an answer that was lost may have given", File: "nodes.go", Old: "e.running.Go(func() { e.watch(a, until) })", New: "_ = until"}},
		{"Conforms", mutants.Mutant{Name: "keeps its node when it does not lead", File: "nodes.go", Old: "if until = e.lease.Until(); !until.IsZero() {", New: "if true {\n\t\t\tuntil = time.Now().Add(time.Second)"}},
		{"NoNodeStays", mutants.Mutant{Name: "waits in line", File: "nodes.go", Old: "return 0, false, e.give(ctx)", New: "return 0, false, nil"}},
		{"Deadline", mutants.Mutant{Name: "waits for the server for ever", File: "nodes.go", Old: "case a := <-answers:\n\t\treturn a.value, a.err\n\tcase <-ctx.Done():", New: "case a := <-answers:\n\t\treturn a.value, a.err\n\tcase <-e.ended.Done():"}},
	} {
		mutants.Run(t, ".", m.Mutant, "-tags=servers", "-run=^Test"+m.test+"$", "-timeout=60s")
	}
}

func TestFailover(t *testing.T) {
	failover.Run(t, failover.Backend{
		Open: func(t *testing.T, election, identity string) elector.LeaderElector {
			return open(t, "/elector-test-"+election, identity, timeout)
		},
		Lease:  timeout / 2,
		Killed: timeout + timeout/2, // servers count sessions in ticks, of which there are two in a timeout at least
	})
}
