// Package consumer makes Go modules that use this checkout as a team's own module
// would use a published version. It serves tests.
package consumer

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const coordgen = "github.com/coordgen/coordgen"

// A Module is a Go module in a folder of its own, which ends with the test.
type Module struct {
	t *testing.T
	// Dir is the module's folder.
	Dir string
}

// New makes a module of the given import path. What coordgen itself requires is
// verified by the sums of the checkout.
func New(t *testing.T, importPath string) Module {
	t.Helper()
	_, here, _, ok := runtime.Caller(0)
	require.True(t, ok)
	checkout := filepath.Join(filepath.Dir(here), "..", "..")
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	require.NoError(t, err)
	m := Module{t: t, Dir: t.TempDir()}
	m.Go("mod", "init", importPath)
	m.Go("mod", "edit", "-require", coordgen+"@v0.1.0", "-replace", coordgen+"="+checkout)
	m.Write("go.sum", sums)
	return m
}

// AddTool does what "go get -tool" does for a published version.
func (m Module) AddTool() {
	m.t.Helper()
	m.Go("mod", "edit", "-tool", coordgen+"/cmd/coordgen")
	m.Go("mod", "tidy")
}

// Write writes a file, whose name is relative to the module's folder.
func (m Module) Write(name string, content []byte) {
	m.t.Helper()
	path := filepath.Join(m.Dir, filepath.FromSlash(name))
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o750))
	require.NoError(m.t, os.WriteFile(path, content, 0o600))
}

// Read returns the content of a file.
func (m Module) Read(name string) []byte {
	m.t.Helper()
	content, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
	require.NoError(m.t, err)
	return content
}

// Go runs the go command in the module's folder and returns what it prints. The
// test fails if the command does.
func (m Module) Go(args ...string) string {
	m.t.Helper()
	out, err := m.run(args)
	require.NoError(m.t, err, "go %s: %s", strings.Join(args, " "), out)
	return out
}

// Fails is Go for a command that is to fail.
func (m Module) Fails(args ...string) string {
	m.t.Helper()
	out, err := m.run(args)
	require.ErrorAs(m.t, err, new(*exec.ExitError), "go %s: %s", strings.Join(args, " "), out)
	return out
}

func (m Module) run(args []string) (string, error) {
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.Dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Start runs a program of the module that answers each line of its input with a
// line, and returns a function that has it answer one. The program ends with the
// test.
func (m Module) Start(name string) func(line []byte) []byte {
	m.t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(m.t.Context()), filepath.Join(m.Dir, name))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	require.NoError(m.t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, cmd.Start())
	m.t.Cleanup(func() {
		assert.NoError(m.t, in.Close())
		assert.NoError(m.t, cmd.Wait())
	})
	answers := bufio.NewReader(out)
	return func(line []byte) []byte {
		_, err := in.Write(append(bytes.ReplaceAll(line, []byte("\n"), nil), '\n'))
		require.NoError(m.t, err)
		answer, err := answers.ReadBytes('\n')
		require.NoError(m.t, err)
		return bytes.TrimSpace(answer)
	}
}
