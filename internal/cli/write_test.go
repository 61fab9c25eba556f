package cli

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tree returns the files below a folder and what they hold; folders end in a
// slash.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			files[filepath.ToSlash(name)+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return files
}

// plant writes files into a new folder.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return root
}

func TestApply(t *testing.T) {
	root := plant(t, map[string]string{"same": "s", "changed": "old", "stale": "x", "other": "o"})
	at := func(name string) string { return filepath.Join(root, name) }
	require.NoError(t, apply(t.Context(), []change{
		{path: at("changed"), state: changed, old: []byte("old"), new: []byte("new")},
		{path: at("a/b/missing"), state: missing, new: []byte("m")},
		{path: at("a/second"), state: missing, new: []byte("n")},
		{path: at("same"), state: same, old: []byte("s"), new: []byte("must not be written")},
		{path: at("stale"), state: stale, old: []byte("x")},
		{path: at("gone"), state: stale, old: []byte("removed by another run meanwhile")},
	}))
	assert.Equal(t, map[string]string{
		"same": "s", "changed": "new", "other": "o", "a/": "", "a/b/": "", "a/b/missing": "m", "a/second": "n",
	}, tree(t, root))
}

// afterChecks is a context that is cancelled once it has been asked n times.
type afterChecks struct {
	context.Context
	n *int
}

func (c afterChecks) Err() error {
	if *c.n--; *c.n < 0 {
		return context.Canceled
	}
	return nil
}

// An interrupt leaves the folder as it was, whenever it comes, unless all of the
// content is ready; then all of it is put in place.
func TestApplyInterrupted(t *testing.T) {
	before := map[string]string{"changed": "old", "stale": "x"}
	interrupted := 0
	for n := 0; ; n++ {
		require.Less(t, n, 100)
		root := plant(t, before)
		err := apply(afterChecks{t.Context(), new(n)}, []change{
			{path: filepath.Join(root, "a/b/missing"), state: missing, new: []byte("m")},
			{path: filepath.Join(root, "changed"), state: changed, old: []byte("old"), new: []byte("new")},
			{path: filepath.Join(root, "stale"), state: stale, old: []byte("x")},
		})
		if err == nil {
			assert.Equal(t, map[string]string{"changed": "new", "a/": "", "a/b/": "", "a/b/missing": "m"}, tree(t, root))
			break
		}
		interrupted++
		assert.ErrorIs(t, err, context.Canceled)
		assert.Equal(t, before, tree(t, root), "after %d checks", n)
	}
	assert.Equal(t, 4, interrupted, "once before each file, once before all are moved")
}

// What can't be written leaves the folder as it was.
func TestApplyFails(t *testing.T) {
	before := map[string]string{"changed": "old", "file": "", "stale": "x"}
	root := plant(t, before)
	err := apply(t.Context(), []change{
		{path: filepath.Join(root, "a/missing"), state: missing, new: []byte("m")},
		{path: filepath.Join(root, "changed"), state: changed, old: []byte("old"), new: []byte("new")},
		{path: filepath.Join(root, "file/below"), state: missing, new: []byte("a file is no folder")},
		{path: filepath.Join(root, "stale"), state: stale, old: []byte("x")},
	})
	require.Error(t, err)
	assert.Equal(t, before, tree(t, root))
}

// A rename that fails leaves no temporary file.
func TestApplyFailsToMove(t *testing.T) {
	root := plant(t, map[string]string{"folder/in use": ""})
	err := apply(t.Context(), []change{{path: filepath.Join(root, "folder"), state: missing, new: []byte("m")}})
	require.Error(t, err)
	assert.Equal(t, map[string]string{"folder/": "", "folder/in use": ""}, tree(t, root))
}

// Runs side by side do not disturb each other, in one folder either.
func TestApplySideBySide(t *testing.T) {
	const rounds, runs = 50, 8
	content := strings.Repeat("1", 1<<12)
	for range rounds {
		root := t.TempDir()
		begin, done := make(chan struct{}), make(chan error, runs)
		for range runs {
			go func() {
				<-begin
				done <- apply(t.Context(), []change{
					{path: filepath.Join(root, "a/b/c/d/one"), state: missing, new: []byte(content)},
					{path: filepath.Join(root, "a/b/c/d/two"), state: missing, new: []byte("2")},
				})
			}()
		}
		close(begin)
		for range runs {
			require.NoError(t, <-done)
		}
		assert.Equal(t, map[string]string{
			"a/": "", "a/b/": "", "a/b/c/": "", "a/b/c/d/": "", "a/b/c/d/one": content, "a/b/c/d/two": "2",
		}, tree(t, root))
	}
}

// A run that is cancelled from the start says so and writes nothing.
func TestMainInterrupted(t *testing.T) {
	root := plant(t, map[string]string{"orders.proto": "syntax = \"proto3\";\nmessage Order {}\n"})
	before := tree(t, root)
	t.Chdir(root)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, log strings.Builder
	assert.Equal(t, exitFault, Main(ctx, []string{"generate", "orders.proto"}, Streams{Out: &out, Err: &log}))
	assert.Empty(t, out.String())
	assert.Equal(t, "coordgen: interrupted; no file was changed\n", log.String())
	assert.Equal(t, before, tree(t, root))
}
