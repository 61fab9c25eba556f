package main

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The story is run as a user runs it. Any step that goes otherwise fails it.
func TestStory(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "fleet")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.CommandContext(t.Context(), binary).CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.NotContains(t, string(out), "FAILED")
	assert.Contains(t, string(out), "takes all work over")
}

func TestLeadershipsThatOverlapAreFound(t *testing.T) {
	at := func(s int) time.Time { return time.Unix(int64(s), 0) }
	leads := func(worker string, term uint64, s int) event {
		return event{Worker: worker, Kind: eventLeads, Term: term, At: at(s)}
	}
	lost := func(worker string, s int) event { return event{Worker: worker, Kind: eventLost, At: at(s)} }

	for name, events := range map[string][]event{
		"no end":         {leads("a", 1, 1), leads("b", 2, 2)},
		"late end":       {leads("a", 1, 1), leads("b", 2, 2), lost("a", 3)},
		"same term":      {leads("a", 1, 1), lost("a", 2), leads("b", 1, 3)},
		"term goes back": {leads("a", 2, 1), lost("a", 2), leads("b", 1, 3), lost("b", 4)},
	} {
		f := newFleet(t.Output())
		for _, e := range events {
			f.take(e)
		}
		assert.Error(t, f.summary(nil), name)
	}

	for name, events := range map[string][]event{
		"one after the other":          {leads("a", 1, 1), lost("a", 2), leads("b", 2, 2)},
		"the end is told late":         {leads("a", 1, 1), leads("b", 2, 3), lost("a", 2)},
		"the same one, no end between": {leads("a", 1, 1), leads("a", 2, 3), lost("a", 4), leads("b", 3, 5)},
	} {
		f := newFleet(t.Output())
		for _, e := range events {
			f.take(e)
		}
		assert.NoError(t, f.summary(nil), name)
		assert.True(t, f.leaderships.settled(), name)
		assert.True(t, f.ledAfter([]string{"a", "b"}, 1), name)
	}
}

func TestActs(t *testing.T) {
	nothing := func() error { return nil }
	yes, no := step{what: "yes", done: func() bool { return true }}, step{what: "no", done: func() bool { return false }}

	f := newFleet(t.Output())
	require.NoError(t, f.act(t.Context(), "fine", nothing, yes, yes))

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, f.act(ended, "interrupted", nothing, no, yes), errInterrupted)
	assert.False(t, f.acts[1].steps[0].seen)
	assert.True(t, f.acts[1].steps[1].seen)

	broken := errors.New("broken")
	require.ErrorIs(t, f.act(t.Context(), "never begun", func() error { return broken }, yes), broken)

	f.workers["worker-a"] = &process{}
	f.exits <- exit{id: "worker-a", code: 3}
	require.ErrorContains(t, f.act(t.Context(), "a worker crashes", nothing, no), "worker-a ended by itself with exit code 3")
}
