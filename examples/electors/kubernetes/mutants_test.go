//go:build servers

package kubernetes

import (
	"testing"
	"time"

	"github.com/coordgen/coordgen/internal/failover"
	"github.com/coordgen/coordgen/internal/mutants"
	"github.com/coordgen/coordgen/runtime/elector"
)

// Faults that an elector over Kubernetes could have don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct {
		test string
		mutants.Mutant
	}{
		{"Anothers", mutants.Mutant{Name: "frees or renews what another has", Old: "case holder(lease) != e.own:", New: "case false:"}},
		{"Conforms", mutants.Mutant{Name: "writes what is lost anew", Old: "case apierrors.IsNotFound(err):\n\t\t\treturn false, nil", New: "case apierrors.IsNotFound(err):\n\t\t\t_, won, err := e.take(ctx)\n\t\t\treturn won, err"}},
		{"OthersClocks", mutants.Mutant{Name: "goes by the clock of others", Old: "time.Since(e.at)", New: "time.Since(lease.Spec.RenewTime.Time)"}},
		{"FirstLook", mutants.Mutant{Name: "has seen nothing and takes it for old", Old: "e.seen, e.at = lease.ResourceVersion, time.Now()", New: "e.seen, e.at = lease.ResourceVersion, lease.Spec.RenewTime.Time"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by the wall clock", Old: "ParseUint(lease.ResourceVersion,", New: "ParseUint(strconv.FormatInt(time.Now().UnixNano(), 10),"}},
		{"TermAfterDeletion", mutants.Mutant{Name: "counts leaderships by the transitions", Old: "ParseUint(lease.ResourceVersion,", New: "ParseUint(strconv.Itoa(int(*lease.Spec.LeaseTransitions)+1),"}},
		{"Conforms", mutants.Mutant{Name: "leads for longer than the others wait", Old: "TTL: config.TTL, ", New: "TTL: config.TTL + time.Second, "}},
		{"LostAnswer", mutants.Mutant{Name: "does not know what is its own", Old: "case holder(lease) != e.own && !e.expired(lease):", New: "case !e.expired(lease):"}},
		{"LostAnswer", mutants.Mutant{Name: "takes what is its own for the same leadership", Old: "default:\n\t\te.begin", New: "case holder(lease) == e.own:\n\tdefault:\n\t\te.begin"}},
		{"Anothers", mutants.Mutant{Name: "takes a label for a loss", Old: "if !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {", New: "if lease.Labels != nil {\n\t\t\treturn false, nil\n\t\t}\n\t\tif !apierrors.IsConflict(err) {"}},
		{"Deadline", mutants.Mutant{Name: "waits for the server for ever", Old: "lease, err := e.client.Get(ctx, e.config.Name, metav1.GetOptions{})\n\tswitch {\n\tcase apierrors.IsNotFound(err):\n\t\tlease =", New: "lease, err := e.client.Get(context.WithoutCancel(ctx), e.config.Name, metav1.GetOptions{})\n\tswitch {\n\tcase apierrors.IsNotFound(err):\n\t\tlease ="}},
	} {
		m.File = "elector.go"
		mutants.Run(t, ".", m.Mutant, "-tags=servers", "-run=^Test"+m.test+"$")
	}
}

func TestFailover(t *testing.T) {
	failover.Run(t, failover.Backend{
		Open: func(t *testing.T, election, identity string) elector.LeaderElector {
			return open(t, election, identity)
		},
		Lease:  ttl,
		Killed: ttl + time.Second, // a rival sees that the leader does not renew at its next attempt
	})
}
