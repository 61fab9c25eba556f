package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/consumer"
)

// TestVectors follows schemas through their versions, as a team would: it generates
// code of each version and its vectors, and locks it, and runs the test that is
// generated. A case of testdata/vectors is an archive: v1/a.proto is a file of the first
// version, and want are the sub-tests of the last one that fail, which the warnings
// of the run tell.
func TestVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages")
	}
	paths, err := filepath.Glob("testdata/vectors/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	m := consumer.New(t, "example.com/m")
	cases := map[string]*txtar.Archive{}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		cases[strings.TrimSuffix(filepath.Base(path), ".txtar")] = archive
	}
	t.Chdir(m.Dir)
	for name, archive := range cases {
		history(t, name, archive)
	}
	m.Go("mod", "tidy")
	for name := range cases {
		t.Run(name, func(t *testing.T) {
			t.Log(m.Go("test", "./"+name+"/..."))
		})
	}
}

// history writes what there is after the last version of a case.
func history(t *testing.T, name string, archive *txtar.Archive) {
	t.Helper()
	version := ""
	step := func(args ...string) {
		var out bytes.Buffer
		args = append(args, "-I", name, name)
		code := cli.Main(context.Background(), args, cli.Streams{Out: &out, Err: &out})
		require.Equal(t, 0, code, "%s %s: %v: %s", name, version, args, out.String())
		t.Log(out.String())
	}
	finish := func() {
		if version == "" {
			return
		}
		place := []string{"--out", name, "--module", "example.com/m/" + name}
		step("lock")
		step(append([]string{"generate"}, place...)...)
		step(append([]string{"vectors"}, place...)...)
		step(append([]string{"vectors", "--check"}, place...)...)
	}
	for _, f := range archive.Files {
		v, file, ok := strings.Cut(f.Name, "/")
		if !ok {
			continue
		}
		if v != version {
			finish()
			version = v
		}
		path := filepath.Join(name, filepath.FromSlash(file))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, f.Data, 0o600))
	}
	finish()
	assert.NotEmpty(t, version)
}
