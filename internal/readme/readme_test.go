// Package readme follows the README as a new user would.
package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// files finds the file that a fenced block is said to be.
var files = regexp.MustCompile("(?s)in `([^`]+)`:\n\n```\\w+\n(.*?)```")

// answer finds what the program is said to print.
var answer = regexp.MustCompile("It prints `([^`]+)`")

func TestFiveMinutes(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)

	dir := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
		return string(out)
	}
	// What "go get -tool" does for a published module, for this checkout.
	run("mod", "init", "example.com/shop")
	run("mod", "edit", "-require", "github.com/coordgen/coordgen@v0.1.0", "-replace", "github.com/coordgen/coordgen="+root,
		"-tool", "github.com/coordgen/coordgen/cmd/coordgen")

	blocks := files.FindAllStringSubmatch(string(readme), -1)
	require.Len(t, blocks, 2, "the README shows a schema and a program")
	for _, block := range blocks {
		require.NoError(t, os.WriteFile(filepath.Join(dir, block[1]), []byte(block[2]), 0o600))
	}
	run("mod", "tidy")
	run("generate")
	run("mod", "tidy")
	printed := answer.FindStringSubmatch(string(readme))
	require.NotNil(t, printed)
	require.Equal(t, printed[1]+"\n", run("run", "."))
}
