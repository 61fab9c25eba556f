package electortest_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

var discard = slog.New(slog.DiscardHandler)

// An elector that has it all passes every case. Time is synthetic here, so that
// no lease lapses because the machine is slow.
func TestRemote(t *testing.T) {
	f := everything(time.Minute, nil)
	for _, c := range electortest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			require.Empty(t, c.LeftOut(f))
			require.NotEmpty(t, c.Doc)
			synctest.Test(t, func(t *testing.T) { c.Run(t, f) })
		})
	}
}

// Broken electors fail the cases that are about what they break, and every case
// has an elector that fails it.
func TestBrokenElectors(t *testing.T) {
	cases := make(map[string]electortest.Case)
	for _, c := range electortest.Cases() {
		require.NotContains(t, cases, c.Name)
		cases[c.Name] = c
	}
	proven := make(map[string]bool)
	for _, m := range mutants {
		for name := range strings.FieldsSeq(m.fails) {
			require.Contains(t, cases, name)
			proven[name] = true
			t.Run(m.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				lease := time.Minute
				if strings.HasPrefix(name, "lease-") || slices.Contains([]string{"contention", "takeover", "unreachable-and-back", "backend-restarted"}, name) {
					lease = 200 * time.Millisecond
				}
				f := everything(lease, m.breaks)
				f.Wait, f.Quiet = 300*time.Millisecond, 30*time.Millisecond
				assert.NotEmpty(t, record(t, cases[name], f))
			})
		}
	}
	for name := range cases {
		assert.True(t, proven[name], "no broken elector fails %q", name)
	}
}

// What a factory does not declare is left out, and said.
func TestLeftOut(t *testing.T) {
	var said []string
	for _, c := range electortest.Cases() {
		if why := c.LeftOut(electortest.Factory{Open: everything(time.Minute, nil).Open}); why != "" {
			said = append(said, c.Name+" "+why)
		}
	}
	assert.Equal(t, []string{
		"loss left out: the factory does not declare Lose",
		"acquire-after-loss left out: the factory does not declare Lose",
		"rival-after-loss left out: the factory does not declare Lose",
		"callback-loss left out: the factory does not declare Lose",
		"nested-loss left out: the factory does not declare Lose",
		"term-zero left out: the factory does not declare Fenced",
		"term-after-loss left out: the factory does not declare Fenced",
		"term-steady left out: the factory does not declare Fenced",
		"term-rises left out: the factory does not declare Fenced",
		"lease-lapses left out: the factory does not declare Lease",
		"lease-renewed left out: the factory does not declare Lease",
		"cached-is-leader left out: the factory does not declare Disconnect",
		"unreachable-acquire left out: the factory does not declare Disconnect",
		"unreachable-current-leader left out: the factory does not declare Disconnect",
		"unreachable-renew left out: the factory does not declare Disconnect",
		"contention left out: the factory does not declare Fenced",
		"takeover left out: the factory does not declare Fenced",
		"unreachable-and-back left out: the factory does not declare Fenced",
		"backend-restarted left out: the factory does not declare Fenced",
	}, said)
}

// record runs a case and returns its failures.
func record(t *testing.T, c electortest.Case, f electortest.Factory) []string {
	t.Helper()
	r := &recorder{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer r.cleanup()
		c.Run(r, f)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		require.FailNow(t, "the case hangs", c.Name)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.failures {
		t.Logf("%s: %s", c.Name, s)
	}
	return r.failures
}

// A recorder is a test that may fail.
type recorder struct {
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Logf(string, ...any) {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) FailNow() { runtime.Goexit() }

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

func (r *recorder) cleanup() {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
}
