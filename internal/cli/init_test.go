package cli_test

import (
	"bytes"
	"context"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/consumer"
)

// What init makes compiles, passes its tests, and is what "go generate" makes of
// it, whatever the package is called and wherever it lies.
func TestInitMakesWhatWorks(t *testing.T) {
	m := consumer.New(t, "example.com/shop")
	m.AddTool()
	t.Chdir(m.Dir)
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
	before := contents(t, m.Dir)
	m.Go("mod", "tidy")
	m.Go("generate", "./...")
	m.Go("vet", "./...")
	m.Go("test", "./...")
	after := contents(t, m.Dir)
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
