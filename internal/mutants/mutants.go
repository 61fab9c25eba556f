// Package mutants puts tests to the test: it breaks the code that they are about
// and sees that they fail.
package mutants

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A Mutant is a fault that somebody could make.
type Mutant struct {
	// Name says what the broken code does.
	Name string
	// File is the name of a file of the package, in which Old, which is there
	// once, becomes New.
	File, Old, New string
}

// Run tests the package in a folder with a mutant in place, with the given flags
// of "go test", and wants a failure. The files stay as they are.
func Run(t *testing.T, folder string, m Mutant, flags ...string) {
	t.Run(m.Name, func(t *testing.T) {
		folder, err := filepath.Abs(folder)
		require.NoError(t, err)
		out, err := test(t, folder, overlay(t, filepath.Join(folder, m.File), m), flags)
		require.NotContains(t, out, "[build failed]", out)
		require.NotContains(t, out, "no tests to run")
		assert.Error(t, err, "no test fails")
		assert.Contains(t, out, "FAIL", out)
	})
}

// overlay is the name of a file that has the go command see a mutant's code.
func overlay(t *testing.T, path string, m Mutant) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), m.Old), "%s: %q has to be there once", path, m.Old)
	mutant := filepath.Join(t.TempDir(), "mutant.go")
	require.NoError(t, os.WriteFile(mutant, []byte(strings.Replace(string(text), m.Old, m.New, 1)), 0o600))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {path: mutant}})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "overlay.json")
	require.NoError(t, os.WriteFile(name, replace, 0o600))
	return name
}

func test(t *testing.T, folder, overlay string, flags []string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-vet=off", "-failfast", "-timeout=20s", "-overlay", overlay}, flags...)...)
	cmd.Dir = folder
	out, err := cmd.CombinedOutput()
	return string(out), err
}
