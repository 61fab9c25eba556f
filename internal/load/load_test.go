package load_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/load"
)

var update = flag.Bool("update", false, "write the golden parts of the cases in testdata")

// TestCases runs every case of testdata. A case is an archive of schemas whose
// first line is the command line, "load FILE... [-I DIR]...", and whose files
// "want" and "warnings" are what comes of it: for a good schema its model, for a
// wrong one the errors.
func TestCases(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/*.txtar")
	require.NoError(t, err)
	wrong := 0
	for _, path := range paths {
		kind := filepath.Base(filepath.Dir(path))
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if kind == "wrong" {
			wrong++
		}
		t.Run(kind+"/"+name, func(t *testing.T) { runCase(t, path, kind == "wrong") })
	}
	assert.GreaterOrEqual(t, wrong, 40, "wrong schemas")
}

func runCase(t *testing.T, path string, wrong bool) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	golden, err := filepath.Abs(path)
	require.NoError(t, err)

	dir := t.TempDir()
	t.Chdir(dir)
	want := map[string]string{}
	var inputs []txtar.File
	for _, f := range archive.Files {
		if f.Name == "want" || f.Name == "warnings" {
			want[f.Name] = string(f.Data)
			continue
		}
		inputs = append(inputs, f)
		require.NoError(t, os.MkdirAll(filepath.Dir(f.Name), 0o755))
		require.NoError(t, os.WriteFile(f.Name, f.Data, 0o644))
	}
	require.Equal(t, "load", strings.Fields(string(archive.Comment))[0], "a case begins with: load FILE...")
	r, err := load.Load(context.Background(), cases.Parse(t, archive.Comment).Options())
	require.NotNil(t, r, "%v", err)
	require.Equal(t, wrong, err != nil, "error: %v", err)
	got := map[string]string{}
	if err != nil {
		require.ErrorAs(t, err, new(load.Errors))
		require.Nil(t, r.Schema)
		got["want"] = err.Error() + "\n"
	} else {
		got["want"] = load.Dump(r.Schema)
	}
	for _, w := range r.Warnings {
		got["warnings"] += w.Error() + "\n"
	}
	if *update {
		archive.Files = inputs
		for _, name := range []string{"want", "warnings"} {
			if got[name] != "" {
				archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(got[name])})
			}
		}
		require.NoError(t, os.WriteFile(golden, txtar.Format(archive), 0o644))
		return
	}
	assert.Equal(t, want, got)
}

func TestErrorIsOneLineForEachFault(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.proto", []byte("syntax = \"proto3\";\nmessage A { B b = 1; C c = 2; }\n"), 0o644))
	require.NoError(t, os.WriteFile("b.proto", []byte("syntax = \"proto3\";\nmessage {}\n"), 0o644))
	_, err := load.Load(context.Background(), load.Options{Files: []string{"b.proto", "a.proto"}})
	var faults load.Errors
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults, 3)
	assert.Equal(t, []string{"a.proto", "a.proto", "b.proto"}, []string{faults[0].Pos.Path, faults[1].Pos.Path, faults[2].Pos.Path})
	assert.Len(t, strings.Split(err.Error(), "\n"), 3)
}

// What is no schema has a fault at every other byte, of which nobody reads more
// than the first ones.
func TestFaultsOfAFileAreLimited(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "syntax = \"proto3\"; message A { string a = 1 [default = \"" + strings.Repeat("\x00", 1<<16) + "\"]; }"
	require.NoError(t, os.WriteFile("a.proto", []byte(text), 0o644))
	require.NoError(t, os.WriteFile("b.proto", []byte("syntax = \"proto3\";\nmessage {}\n"), 0o644))
	_, err := load.Load(t.Context(), load.Options{Files: []string{"a.proto", "b.proto"}})
	var faults load.Errors
	require.ErrorAs(t, err, &faults)
	require.Len(t, faults, 102)
	assert.Equal(t, "a.proto:1:157: there are more faults in this file than 100; mend those first", faults[100].Error())
	assert.Equal(t, "b.proto", faults[101].Pos.Path)
}

func TestCancelled(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.proto", []byte("syntax = \"proto3\";\n"), 0o644))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := load.Load(ctx, load.Options{Files: []string{"a.proto"}})
	require.ErrorIs(t, err, context.Canceled)
}
