package gogen_test

import (
	"go/format"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gocheck"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// A schema with parts that were dropped, doubled or exchanged either has faults,
// each with its place, or code that compiles.
func FuzzGenerate(f *testing.F) {
	cases, err := filepath.Glob("../load/testdata/*/*.txtar")
	require.NoError(f, err)
	own, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(f, err)
	for i, name := range append(cases, own...) {
		archive, err := txtar.ParseFile(name)
		require.NoError(f, err)
		for _, file := range archive.Files {
			if path.Ext(file.Name) == ".proto" {
				f.Add(string(file.Data), uint64(i))
			}
		}
	}
	checker, err := gocheck.New(f.Context())
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, schema string, seed uint64) {
		name := filepath.Join(t.TempDir(), "fuzz.proto")
		require.NoError(t, os.WriteFile(name, []byte(mutated(schema, seed)), 0o600))
		r, err := load.Load(t.Context(), load.Options{Files: []string{name}, Include: []string{filepath.Dir(name)}})
		if err != nil {
			var faults load.Errors
			require.ErrorAs(t, err, &faults)
			for _, fault := range faults {
				require.Equal(t, name, fault.Pos.Path, "%v", fault)
			}
			return
		}
		files, err := gogen.Generate(r.Schema, gogen.Options{Version: "v0.0.0"})
		require.NoError(t, err)
		for _, file := range files {
			formatted, err := format.Source(file.Content)
			require.NoError(t, err)
			require.Equal(t, string(formatted), string(file.Content), file.Name)
		}
		for i := range files {
			files[i].Package.Path = "example.com/fuzz"
		}
		require.NoError(t, checker.Check(files))
	})
}

var token = regexp.MustCompile(`\w+|\s+|.`)

// mutated returns the text with some of its words and marks dropped, doubled or
// exchanged, as the seed says. The seed 0 leaves it as it is.
func mutated(text string, seed uint64) string {
	tokens := token.FindAllString(text, -1)
	if seed == 0 || len(tokens) == 0 {
		return text
	}
	r := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a repeatable choice is wanted
	for range 1 + r.IntN(4) {
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		switch r.IntN(4) {
		case 0:
			tokens[i] = ""
		case 1:
			tokens[i] = tokens[j]
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3: // a part of the text once more
			i, j = min(i, j), max(i, j)
			tokens = slices.Insert(tokens, j, strings.Join(tokens[i:min(j, i+40)], ""))
		}
	}
	return strings.Join(tokens, "")
}
