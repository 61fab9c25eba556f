//go:build servers

package redis

import (
	"testing"

	"github.com/coordgen/coordgen/internal/mutants"
)

// Faults that electors have had don't pass the tests.
func TestMutants(t *testing.T) {
	for _, m := range []struct{ name, test, file, old, new string }{
		{"releases what is another's", "TestReleasesOnlyItsOwn", "quorum.go", "if holder == own then\n\t\t\tredis.call('DEL', KEYS[1])", "if true then\n\t\t\tredis.call('DEL', KEYS[1])"},
		{"renews what has lapsed", "TestConforms/^loss", "quorum.go", "if holder == own then\n\t\t\tredis.call('PEXPIRE', KEYS[1], ARGV[2])", "if holder == own or holder == '' then\n\t\t\tholder = own\n\t\t\tredis.call('SET', KEYS[1], own, 'PX', ARGV[2])"},
		{"renews what is another's", "TestRenewsOnlyItsOwn", "elector.go", "return p.holder == e.held, err", "return p.holder != \"\", err"},
		{"does not know its own after a lost answer", "TestLostAnswer", "quorum.go", "if holder == '' or string.sub(holder, 1, #ARGV[3]) == ARGV[3] then", "if holder == '' then"},
		{"gives its own the term that it had", "TestLostAnswer", "quorum.go", "holder, term = own, redis.call('INCR', KEYS[2])", "term = redis.call(holder == '' and 'INCR' or 'GET', KEYS[2]) + 0 holder = own"},
		{"counts in a key that lapses", "TestTermAfterLapse", "quorum.go", "redis.call('INCR', KEYS[2])\n", "redis.call('INCR', KEYS[2]) redis.call('PEXPIRE', KEYS[2], ARGV[2])\n"},
		{"leads for longer than Redis keeps it", "TestConforms/lease-lapses", "elector.go", "TTL: config.TTL, Margin", "TTL: 2 * config.TTL, Margin"},
		{"takes another of its name for itself", "TestSameIdentity", "elector.go", "own: rand.Text()", "own: rand.Text()[:0]"},
		{"has calls overtake one another", "TestCallsArriveInOrder", "quorum.go", "case <-turn:\n\t\t\t\tanswers", "default:\n\t\t\t\tanswers"},
		{"takes away by a late call what it has by a new one", "TestLateRelease", "quorum.go", "e.count++\n", ""},
		{"settles a term with one server", "TestQuorumWithoutMinority", "quorum.go", "\tif len(terms) >= e.majority() {\n\t\treturn", "\tif len(terms) >= 1 {\n\t\treturn"},
		{"leads by a minority", "TestQuorumWithoutMajority", "quorum.go", "len(e.servers)/2 + 1", "(len(e.servers) + 1) / 2 - len(e.servers) / 4"},
		{"waits for all servers", "TestFaultyMinority/hung", "quorum.go", "len(terms) >= e.majority() {\n\t\t\t\tp.holder", "len(terms) >= e.majority() && p.pending == 0 {\n\t\t\t\tp.holder"},
	} {
		mutants.Run(t, ".", mutants.Mutant{Name: m.name, File: m.file, Old: m.old, New: m.new}, "-tags=servers", "-run=^"+m.test)
	}
}
