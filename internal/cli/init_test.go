package cli_test

import (
	"bytes"
	"context"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
)

// What init makes compiles, passes its tests, and is what "go generate" makes of
// it, whatever the package is called and wherever it lies. Nothing comes from a
// network.
func TestInitMakesWhatWorks(t *testing.T) {
	checkout, err := filepath.Abs("../..")
	require.NoError(t, err)
	root := t.TempDir()
	t.Chdir(root)
	goTool := func(args ...string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "go %s: %s", strings.Join(args, " "), out)
	}
	// What "go get -tool" does for a published module, for this checkout.
	goTool("mod", "init", "example.com/shop")
	goTool("mod", "edit", "-require", "github.com/coordgen/coordgen@v0.1.0", "-replace", "github.com/coordgen/coordgen="+checkout,
		"-tool", "github.com/coordgen/coordgen/cmd/coordgen")

	for _, args := range [][]string{
		{},
		{"internal/orders", "--name", "orders"},
		{"pkg/shop-events/v2", "--name", "linux"},
		{"context"}, {"bus"}, {"wire"}, {"string"}, {"testing"}, {"publisher"}, {"message"}, {"google"}, {"coordgen"}, {"log"},
		{"go/select", "--package", "X_1"},
	} {
		var log bytes.Buffer
		code := cli.Main(t.Context(), append([]string{"init"}, args...), cli.Streams{Out: &log, Err: &log})
		require.Zero(t, code, "init %v: %s", args, &log)
	}
	before := contents(t, root)
	goTool("mod", "tidy")
	goTool("generate", "./...")
	goTool("vet", "./...")
	goTool("test", "./...")
	after := contents(t, root)
	for _, name := range []string{"go.mod", "go.sum"} {
		delete(before, name)
		delete(after, name)
	}
	assert.Equal(t, before, after, "init generates what go generate does")

	for name, text := range before {
		if filepath.Ext(name) == ".go" {
			formatted, err := format.Source([]byte(text))
			require.NoError(t, err)
			assert.Equal(t, string(formatted), text, "%s is as gofmt leaves it", name)
		}
	}
}

// A run that is interrupted makes nothing, not even the folder.
func TestInitInterrupted(t *testing.T) {
	root := t.TempDir()
	t.Chdir(root)
	t.Setenv("TMPDIR", t.TempDir())
	require.NoError(t, os.WriteFile("go.mod", []byte("module example.com/shop\n"), 0o600))
	before := contents(t, root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var log bytes.Buffer
	require.Equal(t, 1, cli.Main(ctx, []string{"init", "orders"}, cli.Streams{Out: &log, Err: &log}))
	assert.Equal(t, "coordgen: interrupted; no file was changed\n", log.String())
	assert.Equal(t, before, contents(t, root))
	assert.NoDirExists(t, "orders")
	assert.Empty(t, contents(t, os.Getenv("TMPDIR")), "nothing is left elsewhere")
}

// contents are the files below a folder.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		files[name] = string(text)
		return err
	}))
	return files
}
