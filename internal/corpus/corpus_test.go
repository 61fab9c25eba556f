//go:build servers

// Package corpus puts the .proto files of others through the generator as they
// are: those of Google's public APIs, which an npm package brings.
package corpus

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gocheck"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// root is the folder of the schemas.
const root = "../../tools/npm/node_modules/google-proto-files"

// Each schema either gives code that Go's type checker finds nothing in, or a
// clear error with its place.
func TestGoogleAPIs(t *testing.T) {
	all := protoFiles(t)
	require.Greater(t, len(all), 7000)
	schema, refused := accepted(t, all)
	t.Logf("%d files, %d refused", len(all), refused)
	assert.Less(t, refused, 30)

	files, err := gogen.Generate(schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	t.Logf("%d messages, %d Go files", messages(schema), len(files))
	c, err := gocheck.New(t.Context())
	require.NoError(t, err)
	assert.NoError(t, c.Check(files))
}

func messages(s *model.Schema) int {
	n := 0
	for _, f := range s.Files {
		n += len(f.Messages)
	}
	return n
}

func protoFiles(t *testing.T) []string {
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		// Copies of protobuf's own files are there to be imported.
		if path.Ext(name) == ".proto" && !strings.HasPrefix(name, root+"/google/protobuf/") {
			names = append(names, name)
		}
		return err
	}), "run make test-servers, which installs the schemas")
	return names
}

// accepted loads the files, without those that load refuses and those that import
// one of them, and gives each Go package a place of its own.
func accepted(t *testing.T, names []string) (s *model.Schema, refused int) {
	for left := names; ; {
		r, err := load.Load(t.Context(), load.Options{Files: left, Include: []string{root}})
		var faults load.Errors
		if err == nil {
			for _, f := range r.Schema.Files {
				if f.Target = !strings.HasPrefix(f.Go.Path, "github.com/coordgen/"); f.Target {
					f.Go.Path = path.Join(home, f.Go.Path, f.Go.Name)
				}
			}
			return r.Schema, len(names) - len(left)
		}
		require.ErrorAs(t, err, &faults)
		wrong := map[string]bool{}
		for _, f := range faults {
			t.Log(f)
			require.Positive(t, f.Pos.Line, "%v has a place", f)
			wrong[f.Pos.Path] = true
		}
		before := len(left)
		left = without(t, left, wrong)
		require.Less(t, len(left), before, "%v", err)
	}
}

// home is the import path below which the code lies.
const home = "example.com/corpus"

// without drops the files that are wrong and those that import one, also over
// others.
func without(t *testing.T, names []string, wrong map[string]bool) []string {
	imports := map[string][]string{}
	for _, name := range names {
		imports[name] = importsOf(t, name)
	}
	for again := true; again; {
		again = false
		for _, name := range names {
			for _, i := range imports[name] {
				if wrong[filepath.Join(root, i)] && !wrong[name] {
					wrong[name], again = true, true
				}
			}
		}
	}
	var right []string
	for _, name := range names {
		if !wrong[name] {
			right = append(right, name)
		}
	}
	return right
}

func importsOf(t *testing.T, name string) []string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	var found []string
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "import "); ok {
			found = append(found, strings.Split(rest, `"`)[1])
		}
	}
	return found
}
