package callback_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/callback"
)

var (
	discard = slog.New(slog.DiscardHandler)
	errRoom = errors.New("no room")
)

// A log is what callbacks write down.
type log []string

func (l *log) writer(name string) callback.Func[int] {
	return func(_ context.Context, v int) error {
		*l = append(*l, fmt.Sprintf("%s %d", name, v))
		return nil
	}
}

func TestCallsInTheOrderOfRegistration(t *testing.T) {
	var l callback.List[int]
	var got log
	l.Call(t.Context(), 0, discard, "nobody")
	for _, name := range []string{"a", "b", "c"} {
		l.Add(got.writer(name))
	}
	l.Call(t.Context(), 1, discard, "event")
	l.Call(t.Context(), 2, discard, "event")
	assert.Equal(t, log{"a 1", "b 1", "c 1", "a 2", "b 2", "c 2"}, got)
}

func TestCallsWithItsContext(t *testing.T) {
	type key struct{}
	var l callback.List[int]
	var value any
	l.Add(func(ctx context.Context, _ int) error { value = ctx.Value(key{}); return nil })
	l.Call(context.WithValue(t.Context(), key{}, "trace"), 1, discard, "event")
	assert.Equal(t, "trace", value)
}

func TestFailuresAreLoggedAndStopNobody(t *testing.T) {
	var l callback.List[int]
	var got log
	l.Add(func(context.Context, int) error { return errRoom })
	l.Add(func(context.Context, int) error { panic("no lock") })
	l.Add(func(_ context.Context, v int) error { return []error{}[v] })
	l.Add(nil)()
	l.Add(got.writer("last"))

	var out bytes.Buffer
	l.Call(t.Context(), 1, slog.New(slog.NewJSONHandler(&out, nil)), "heartbeat", "peer", "worker-2")
	assert.Equal(t, log{"last 1"}, got)

	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 3)
	for i, want := range []string{"no room", "panic: no lock\ngoroutine", "panic: runtime error: index out of range"} {
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &line))
		assert.Equal(t, "ERROR", line["level"])
		assert.Equal(t, "callback failed", line["msg"])
		assert.Equal(t, "heartbeat", line["event"])
		assert.Equal(t, "worker-2", line["peer"])
		assert.True(t, strings.HasPrefix(line["error"].(string), want), line["error"])
	}
}

func TestRemoveSilencesOneOnly(t *testing.T) {
	var l callback.List[int]
	var got log
	twin := got.writer("twin")
	remove := l.Add(twin)
	l.Add(twin)
	l.Add(got.writer("other"))
	remove()
	remove()
	l.Call(t.Context(), 1, discard, "event")
	assert.Equal(t, log{"twin 1", "other 1"}, got)
}

func TestRemoveWithinACallback(t *testing.T) {
	var l callback.List[int]
	var got log
	var self, next func()
	l.Add(func(context.Context, int) error { next(); return nil })
	next = l.Add(got.writer("next"))
	self = l.Add(func(ctx context.Context, v int) error {
		self()
		return got.writer("self")(ctx, v)
	})
	l.Add(got.writer("last"))
	l.Call(t.Context(), 1, discard, "event")
	l.Call(t.Context(), 2, discard, "event")
	assert.Equal(t, log{"self 1", "last 1", "last 2"}, got)
}

func TestAddWithinACallbackCountsFromTheNextCall(t *testing.T) {
	var l callback.List[int]
	var got log
	var once sync.Once
	l.Add(func(context.Context, int) error {
		once.Do(func() { l.Add(got.writer("late")) })
		return nil
	})
	l.Call(t.Context(), 1, discard, "event")
	l.Call(t.Context(), 2, discard, "event")
	assert.Equal(t, log{"late 2"}, got)
}

func TestSnapshotKeepsThoseWhoWereThere(t *testing.T) {
	var l callback.List[int]
	var got log
	l.Add(got.writer("there"))
	remove := l.Add(got.writer("gone"))
	s := l.Snapshot()
	l.Add(got.writer("late"))
	remove()
	s.Call(t.Context(), 1, discard, "event")
	assert.Equal(t, log{"there 1"}, got)
}

func TestConcurrentUse(t *testing.T) {
	var l callback.List[int]
	var calls atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for v := range 100 {
				remove := l.Add(func(context.Context, int) error { calls.Add(1); return nil })
				l.Call(t.Context(), v, discard, "event")
				remove()
			}
		})
	}
	all.Wait()
	made := calls.Load()
	assert.GreaterOrEqual(t, made, int64(800))
	l.Call(t.Context(), 1, discard, "event")
	assert.Equal(t, made, calls.Load(), "all were removed")
}

func TestContain(t *testing.T) {
	contained := func(f func() error) error {
		return callback.Contain(t.Context(), func(context.Context, int) error { return f() }, 1)
	}
	require.NoError(t, contained(func() error { return nil }))
	assert.Equal(t, errRoom, contained(func() error { return errRoom }))

	err := contained(func() error { panic(fmt.Errorf("while storing: %w", errRoom)) })
	require.ErrorIs(t, err, errRoom)
	var p *callback.PanicError
	require.ErrorAs(t, err, &p)
	assert.EqualError(t, p.Value.(error), "while storing: no room")
	assert.Contains(t, string(p.Stack), "TestContain")
	assert.NotErrorIs(t, contained(func() error { panic("text") }), errRoom)
}
