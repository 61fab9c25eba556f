//go:build servers

package nats

import (
	"testing"

	"github.com/coordgen/coordgen/internal/mutants"
)

// Faults that electors have had don't pass the tests. It needs no server; it has the
// tag for it takes long: each mutant is compiled.
func TestMutants(t *testing.T) {
	for _, m := range []struct{ name, test, old, new string }{
		{"releases what is another's", "TestOnlyItsOwn/released", "if err != nil || holder != e.own {\n\t\treturn err\n\t}", "if err != nil {\n\t\treturn err\n\t}\n\t_ = holder"},
		{"renews what is another's", "TestOnlyItsOwn/renewed", "if err != nil || holder != e.own {\n\t\treturn false, err", "if err != nil || holder == \"\" {\n\t\treturn false, err"},
		{"renews what has lapsed", "TestConforms/^loss", "return e.rewrite(ctx)\n\t})", "_, won, err := e.take(ctx)\n\t\treturn won, err\n\t})"},
		{"does not know its own after a lost answer", "TestLostAnswer/taken", "won, err = e.rewrite(ctx)\n", "won, err = false, nil\n"},
		{"gives its own the term that it had", "TestLostAnswer/taken", "won, err = e.rewrite(ctx)\n", "_, e.revision, err = e.look(ctx)\n\t\twon = err == nil\n"},
		{"loses what a renewal prolonged", "TestLostAnswerToRenewal", "return e.rewrite(ctx)\n\t})", "return false, nil\n\t})"},
		{"leads for longer than the bucket keeps the key", "TestConforms/lease-lapses", "TTL: status.TTL(), Margin", "TTL: 2 * status.TTL(), Margin"},
		{"takes another of its name for itself", "TestSameIdentity", "rand.Text() + \" \"", "rand.Text()[:0] + \" \""},
	} {
		mutants.Run(t, ".", mutants.Mutant{Name: m.name, File: "elector.go", Old: m.old, New: m.new}, "-run=^"+m.test)
	}
}
