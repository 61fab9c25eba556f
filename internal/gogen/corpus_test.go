//go:build servers

package gogen_test

import (
	"flag"
	"go/format"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gocheck"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// googleAPIs is the folder of the .proto files of Google's public APIs, which an
// npm package brings.
const googleAPIs = "../../tools/npm/node_modules/google-proto-files"

// Of each hundred Go packages, the share that is compiled and run.
var share = flag.Int("share", 4, "compile and run this many of a hundred Go packages of the corpus")

// Each schema of others, as it is, either gives code that Go's type checker finds
// nothing in, or a clear error with its place. Random messages pass through the
// code of some of them, in all codecs, and come back equal to what protobuf-go
// made of them.
func TestSchemasOfOthers(t *testing.T) {
	all := protoFiles(t, googleAPIs)
	require.Greater(t, len(all), 7000)
	c, err := gocheck.New(t.Context())
	require.NoError(t, err)
	refused := checkSchemas(t, c, all, []string{googleAPIs})
	assert.Less(t, refused, 30)
}

// checkSchemas puts the files through the generator, and what comes of them
// through Go's type checker and, in part, gofmt and the compiler. It returns how many
// of them are refused.
func checkSchemas(t *testing.T, c *gocheck.Checker, names, include []string) int {
	schema, refused := accepted(t, names, include)
	t.Logf("%d files, %d refused", len(names), refused)
	files, err := gogen.Generate(schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	t.Logf("%d messages, %d Go files", len(messages(schema)), len(files))
	for i := 0; i < len(files); i += 5 {
		formatted, err := format.Source(files[i].Content)
		require.NoError(t, err, files[i].Name)
		require.Equal(t, string(formatted), string(files[i].Content), files[i].Name)
	}
	require.NoError(t, c.Check(files))
	checkRoundTrips(t, schema, files, include)
	return refused
}

// messages returns the messages of the target files.
func messages(s *model.Schema) []*model.Message {
	var all []*model.Message
	for _, f := range s.Files {
		if f.Target {
			all = append(all, f.Messages...)
		}
	}
	return all
}

func protoFiles(t *testing.T, root string) []string {
	var names []string
	require.NoError(t, filepath.WalkDir(root+"/", func(name string, _ fs.DirEntry, err error) error {
		// Copies of protobuf's own files are there to be imported.
		if path.Ext(name) == ".proto" && !strings.Contains(name, "/google/protobuf/") {
			names = append(names, name)
		}
		return err
	}), "run make test-servers, which installs the schemas")
	return names
}

// accepted loads the files, without those that load refuses and those that import
// one of them, and gives each Go package a place of its own.
func accepted(t *testing.T, names, include []string) (s *model.Schema, refused int) {
	for left := names; ; {
		r, err := load.Load(t.Context(), load.Options{Files: left, Include: include, Go: load.GoPackages{Module: home}})
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
		left = without(t, left, include, wrong)
		require.Less(t, len(left), before, "%v", err)
	}
}

// home is the import path below which the code lies.
const home = "example.com/corpus"

// without drops the files that are wrong and those that import one, also over
// others.
func without(t *testing.T, names, include []string, wrong map[string]bool) []string {
	imports := map[string][]string{}
	for _, name := range names {
		imports[name] = importsOf(t, name)
	}
	for again := true; again; {
		again = false
		for _, name := range names {
			for _, i := range imports[name] {
				imported := func(folder string) bool { return wrong[filepath.Join(folder, i)] }
				if !wrong[name] && slices.ContainsFunc(include, imported) {
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
		if parts := strings.Split(line, `"`); strings.HasPrefix(line, "import ") && len(parts) > 2 {
			found = append(found, parts[1])
		}
	}
	return found
}
