package gogen_test

import (
	"errors"
	"go/format"
	"io/fs"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// What package load accepts has code that compiles and that go vet finds nothing
// in: its own good cases, the golden ones of this package, and the schemas by
// which protobuf-go is tested.
func TestEverySchemaCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles about a hundred packages")
	}
	m := consumer.New(t, "example.com/breadth")
	loaders, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, loaders)
	own, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, own)
	for _, file := range append(loaders, own...) {
		archive, err := txtar.ParseFile(file)
		require.NoError(t, err)
		r, err := load.Load(t.Context(), cases.Extract(t, archive))
		require.NoError(t, err, file)
		generateBelow(t, m, strings.TrimSuffix(filepath.Base(file), ".txtar"), r.Schema)
	}
	for _, codec := range gogen.Codecs() {
		r, err := load.Load(t.Context(), load.Options{Files: []string{"testdata/orders"}, Include: []string{"testdata/orders"}})
		require.NoError(t, err)
		generateBelow(t, m, "only_"+codec, r.Schema, codec)
	}
	accepted := protobufSchemas(t, m)
	assert.GreaterOrEqual(t, accepted, 80, "schemas of the protobuf module that are accepted")
	m.Go("mod", "tidy")
	m.Go("vet", "./...")
}

// protobufSchemas generates the code of the schemas in the protobuf module that
// load accepts, and returns how many they are.
func protobufSchemas(t *testing.T, m consumer.Module) int {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "google.golang.org/protobuf")
	out, err := cmd.Output()
	require.NoError(t, err)
	root := strings.TrimSpace(string(out))
	var names []string
	require.NoError(t, filepath.WalkDir(root, func(name string, _ fs.DirEntry, err error) error {
		if path.Ext(name) == ".proto" {
			names = append(names, name)
		}
		return err
	}))
	var accepted []string
	for _, name := range names {
		_, err := load.Load(t.Context(), load.Options{Files: []string{name}, Include: []string{root}})
		if err == nil {
			accepted = append(accepted, name)
			continue
		}
		require.ErrorAs(t, err, new(load.Errors), name)
	}
	// Some of them can't be there at once, since they declare the same names.
	for {
		r, err := load.Load(t.Context(), load.Options{Files: accepted, Include: []string{root}})
		var faults load.Errors
		if !errors.As(err, &faults) {
			require.NoError(t, err)
			generateBelow(t, m, "protobuf", r.Schema)
			return len(accepted)
		}
		wrong := map[string]bool{}
		for _, f := range faults {
			wrong[f.Pos.Path] = true
		}
		before := len(accepted)
		accepted = slices.DeleteFunc(accepted, func(name string) bool { return wrong[name] })
		require.Less(t, len(accepted), before, "%v", err)
	}
}

// generateBelow writes the code of all files of the schema that are not coordgen's own
// below the folder name. No codecs means all.
func generateBelow(t *testing.T, m consumer.Module, name string, s *model.Schema, codecs ...string) {
	for _, f := range s.Files {
		if strings.HasPrefix(f.Go.Path, "github.com/coordgen/coordgen/generated/") {
			f.Target = false
			continue
		}
		f.Target = true
		f.Go.Path = path.Join("example.com/breadth", name, strings.ReplaceAll(f.Go.Path, "testdata", "data"), f.Go.Name)
	}
	files, err := gogen.Generate(s, gogen.Options{Version: "v0.0.0", Codecs: codecs})
	require.NoError(t, err, name)
	for _, f := range files {
		formatted, err := format.Source(f.Content)
		require.NoError(t, err)
		assert.Equal(t, string(formatted), string(f.Content), "%s is as gofmt leaves it", f.Name)
		m.Write(strings.TrimPrefix(f.Package.Path, "example.com/breadth/")+"/"+f.Name, f.Content)
	}
}
