package main

import (
	"os/exec"
	"path/filepath"
	"testing"

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

// A view that is told of two leaders, or of a term that goes back, says so.
func TestOverlapsAreFound(t *testing.T) {
	for name, events := range map[string][]event{
		"two leaders":    {{Worker: "a", Kind: eventLeads, Term: 1}, {Worker: "b", Kind: eventLeads, Term: 2}},
		"term goes back": {{Worker: "a", Kind: eventLeads, Term: 2}, {Worker: "a", Kind: eventLost}, {Worker: "b", Kind: eventLeads, Term: 1}},
	} {
		f := newFleet(t.Output())
		for _, e := range events {
			f.take(e)
		}
		assert.Error(t, f.summary(), name)
	}
	f := newFleet(t.Output())
	for _, e := range []event{{Worker: "a", Kind: eventLeads, Term: 1}, {Worker: "a", Kind: eventLost}, {Worker: "b", Kind: eventLeads, Term: 2}} {
		f.take(e)
	}
	assert.NoError(t, f.summary())
}
