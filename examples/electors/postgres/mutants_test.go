//go:build servers

package postgres

import (
	"testing"

	"github.com/coordgen/coordgen/internal/mutants"
)

// Faults that electors have had don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct{ name, test, file, old, new string }{
		{"releases what is another's", "TestOnlyItsOwn/released", "row.go", "SET session = '' WHERE election = $1 AND session = $2", "SET session = '' WHERE election = $1 AND $2 <> ''"},
		{"renews what is another's", "TestOnlyItsOwn/renewed", "row.go", "WHERE election = $1 AND session = $2 AND until", "WHERE election = $1 AND $2 <> '' AND until"},
		{"renews what has lapsed", "TestRenewsNothingLapsed", "row.go", "AND session = $2 AND until > clock_timestamp()", "AND session = $2"},
		{"does not know its own after a lost answer", "TestLostAnswer/taken_again", "row.go", "IN ('', excluded.session)", "= ''"},
		{"gives its own the term that it had", "TestLostAnswer/taken_again", "row.go", "term = e.term + 1", "term = e.term"},
		{"forgets the term with the leadership", "TestTermAfterLapse", "row.go", "term = e.term + 1", "term = 1"},
		{"takes what a lost connection has left", "TestLostConnection", "row.go", "OR e.until <= clock_timestamp()", "OR true"},
		{"loses its connection in silence", "TestLostConnection", "row.go", "return false, fmt.Errorf(\"%w: the connection that holds the lock: %w\", elector.ErrLost, err)", "return false, fmt.Errorf(\"%w: %w\", elector.ErrUnreachable, err)"},
		{"leaves a dead connection alone", "TestSilence", "row.go", "set_config('idle_session_timeout', $1, false), -- between calls", ""},
		{"leads for longer than the row says", "TestConforms/lease-lapses", "elector.go", "TTL: config.TTL, Margin", "TTL: 2 * config.TTL, Margin"},
		{"takes another of its name for itself", "TestSameIdentity", "elector.go", "session: rand.Text()", "session: rand.Text()[:0] + config.Identity"},
	} {
		mutants.Run(t, ".", mutants.Mutant{Name: m.name, File: m.file, Old: m.old, New: m.new}, "-tags=servers", "-run=^"+m.test)
	}
}
