package bustest_test

import (
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/bus/bustest"
)

func TestInMemory(t *testing.T) {
	bustest.Run(t, everything(inMemory))
}

// Broken buses fail the case that is about what they break, and every case has
// a bus that fails it.
func TestBrokenBuses(t *testing.T) {
	cases := make(map[string]bustest.Case)
	for _, c := range bustest.Cases() {
		require.NotContains(t, cases, c.Name)
		cases[c.Name] = c
	}
	unproven := make(map[string]bool)
	for name := range cases {
		unproven[name] = true
	}
	for _, m := range mutants {
		for _, name := range m.fails {
			require.Contains(t, cases, name)
			delete(unproven, name)
			t.Run(m.name+"/"+name, func(t *testing.T) {
				if name != "goroutines" { // which counts those of the whole process
					t.Parallel()
				}
				f := everything(m.open)
				f.Wait, f.Quiet = 300*time.Millisecond, 30*time.Millisecond
				assert.NotEmpty(t, record(t, cases[name], f))
			})
		}
	}
	assert.Empty(t, unproven, "cases that no broken bus fails")
}

// What a factory does not declare is left out, and said.
func TestLeftOut(t *testing.T) {
	var said []string
	for _, c := range bustest.Cases() {
		assert.Empty(t, c.LeftOut(everything(inMemory)), c.Name)
		if why := c.LeftOut(bustest.Factory{Open: inMemory}); why != "" {
			said = append(said, c.Name+": "+why)
		}
	}
	assert.Equal(t, []string{
		"publisher-order: left out: the factory does not declare Ordered",
		"headers: left out: the factory does not declare Headers",
	}, said)
}

// A bus without order or headers passes once it says so.
func TestModestBus(t *testing.T) {
	for _, name := range []string{"delivers in any order", "loses headers"} {
		i := slices.IndexFunc(mutants, func(m mutant) bool { return m.name == name })
		require.GreaterOrEqual(t, i, 0)
		for _, c := range bustest.Cases() {
			f := bustest.Factory{Open: mutants[i].open, Quiet: 20 * time.Millisecond}
			if c.LeftOut(f) == "" {
				assert.Empty(t, record(t, c, f), "%s: %s", name, c.Name)
			}
		}
	}
}

func everything(open func(bustest.TB, int) []bus.Bus) bustest.Factory {
	return bustest.Factory{Open: open, Headers: true, Ordered: true, TopicCharacters: "/: *>#é"}
}

func inMemory(t bustest.TB, instances int) []bus.Bus {
	b := bus.NewInMemory(bus.InMemoryOptions{Logger: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { go func() { _ = b.Close() }() }) // a broken bus may have left a handler that never returns
	return slices.Repeat([]bus.Bus{b}, instances)
}

// record runs a case and returns its failures.
func record(t *testing.T, c bustest.Case, f bustest.Factory) []string {
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
