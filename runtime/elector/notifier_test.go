package elector_test

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/runtime/elector"
)

var discard = slog.New(slog.DiscardHandler)

// told registers a callback that adds to the returned list.
func told(n *elector.Notifier, name string) (lines *[]string, remove func()) {
	lines = new([]string)
	return lines, n.OnLeaderChange(func(_ context.Context, leader bool) error {
		*lines = append(*lines, fmt.Sprintf("%s %t", name, leader))
		return nil
	})
}

func TestNotifierTellsChangesOnly(t *testing.T) {
	var n elector.Notifier
	lines, _ := told(&n, "a")
	for _, leader := range []bool{false, true, true, false, false, true} {
		n.Queue(t.Context(), leader)
	}
	assert.Empty(t, *lines, "before Tell")
	n.Tell(discard, "worker-1")
	n.Tell(discard, "worker-1")
	assert.Equal(t, []string{"a true", "a false", "a true"}, *lines)
}

func TestNotifierTellsThoseWhoWereThere(t *testing.T) {
	var n elector.Notifier
	there, _ := told(&n, "there")
	gone, remove := told(&n, "gone")
	n.Queue(t.Context(), true)
	remove()
	late, _ := told(&n, "late")
	n.Queue(t.Context(), false)
	n.Tell(discard, "worker-1")
	assert.Equal(t, []string{"there true", "there false"}, *there)
	assert.Empty(t, *gone)
	assert.Equal(t, []string{"late false"}, *late)
}

func TestNotifierKeepsTheValuesOfTheContext(t *testing.T) {
	type key struct{}
	var n elector.Notifier
	var value any
	var ended error
	n.OnLeaderChange(func(ctx context.Context, _ bool) error {
		value, ended = ctx.Value(key{}), ctx.Err()
		return nil
	})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "trace"))
	n.Queue(ctx, true)
	cancel()
	n.Tell(discard, "worker-1")
	assert.Equal(t, "trace", value)
	assert.NoError(t, ended)
}

func TestNotifierLeavesChangesToWhoIsTelling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var n elector.Notifier
		proceed := make(chan struct{})
		n.OnLeaderChange(func(context.Context, bool) error {
			<-proceed
			return nil
		})
		lines, _ := told(&n, "a")
		n.Queue(t.Context(), true)
		go n.Tell(discard, "worker-1")
		synctest.Wait()

		n.Queue(t.Context(), false)
		n.Tell(discard, "worker-1") // returns, although the callback waits
		close(proceed)
		synctest.Wait()
		assert.Equal(t, []string{"a true", "a false"}, *lines)
	})
}

// A callback that ends its goroutine, as require does in a test, does not silence
// the elector for good.
func TestNotifierOutlivesTheGoroutineOfACallback(t *testing.T) {
	var n elector.Notifier
	lines, _ := told(&n, "a")
	remove := n.OnLeaderChange(func(context.Context, bool) error { runtime.Goexit(); return nil })
	var ended sync.WaitGroup
	ended.Go(func() {
		n.Queue(t.Context(), true)
		n.Tell(discard, "worker-1")
	})
	ended.Wait()
	remove()
	n.Queue(t.Context(), false)
	n.Tell(discard, "worker-1")
	assert.Equal(t, []string{"a true", "a false"}, *lines)
}

// Every change is told, once and in its order, by the time all calls have returned.
func TestNotifierIsFedByMany(t *testing.T) {
	var n elector.Notifier
	var got, want []bool
	n.OnLeaderChange(func(_ context.Context, leader bool) error {
		got = append(got, leader)
		return nil
	})
	var mu sync.Mutex
	leader := false
	flip := func() {
		defer n.Tell(discard, "worker-1")
		mu.Lock()
		defer mu.Unlock()
		leader = !leader
		want = append(want, leader)
		n.Queue(t.Context(), leader)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 100 {
				flip()
			}
		})
	}
	all.Wait()
	assert.Equal(t, want, got)
}
