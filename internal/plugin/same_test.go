package plugin_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/plugin"
)

// An example is a set of schemas without faults, in a folder of its own, and how
// the command generates them.
type example struct {
	cases.Arguments
	name, folder string
	editions     bool // protoc has to be new for them
}

// examples are the good cases of the loader and the schemas that the generator is
// tested with.
func examples(t testing.TB) []example {
	paths, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.Greater(t, len(paths), 10)
	var all []example
	for _, name := range paths {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		e := example{
			Arguments: cases.Parse(t, archive.Comment),
			name:      strings.TrimSuffix(filepath.Base(name), ".txtar"), folder: t.TempDir(),
		}
		for _, f := range archive.Files {
			// The command passes over a broken copy of that file, protoc does not.
			if path.Ext(f.Name) == ".proto" && f.Name != "google/protobuf/descriptor.proto" {
				write(t, filepath.Join(e.folder, filepath.FromSlash(f.Name)), string(f.Data))
				e.editions = e.editions || bytes.Contains(f.Data, []byte("edition = \"2023\""))
			}
		}
		all = append(all, e)
	}
	for _, name := range []string{"broad", "odd", "orders", "roles"} {
		folder, err := filepath.Abs("../gogen/testdata/" + name)
		require.NoError(t, err)
		all = append(all, example{Arguments: cases.Arguments{Files: []string{"."}}, name: name, folder: folder})
	}
	return all
}

// load returns the import paths of the example's files. Where they are of several
// Go packages, they need a module, which is one that all lie in, and so does
// each file.
func (e *example) load(t testing.TB) (targets []string) {
	if len(e.Include) == 0 {
		e.Include = []string{"."}
	}
	r, err := load.Load(t.Context(), e.Options())
	require.NoError(t, err)
	packages := map[string]bool{}
	var homeless []string
	for _, f := range r.Schema.Files {
		if f.Target {
			targets = append(targets, f.Path)
			packages[f.Go.Path] = true
			if f.Go.Path == "" {
				homeless = append(homeless, f.Path+"=example.com/"+f.Go.Name)
			}
		}
	}
	if len(packages) > 1 {
		e.Module = "example.com"
		e.Packages = append(e.Packages, homeless...)
	}
	return targets
}

// command runs the command on the example and returns the files that it wrote.
func (e *example) command(t *testing.T) map[string]string {
	out := t.TempDir()
	args := []string{"generate", "--out", out}
	for _, folder := range e.Include {
		args = append(args, "-I", folder)
	}
	if e.Module != "" {
		args = append(args, "--module", e.Module)
	}
	for _, p := range e.Packages {
		args = append(args, "--package", p)
	}
	var stderr bytes.Buffer
	require.Zero(t, cli.Main(t.Context(), append(args, e.Files...), cli.Streams{Out: &stderr, Err: &stderr}), stderr.String())
	return written(t, out)
}

// parameter is how a plugin is told what the command's flags say.
func (e *example) parameter() string {
	var all []string
	if e.Module != "" {
		all = append(all, "module="+e.Module)
	}
	for _, p := range e.Packages {
		all = append(all, "M"+p)
	}
	return strings.Join(all, ",")
}

// The plugin writes what the command writes, to the byte.
func TestSameAsTheCommand(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			t.Chdir(e.folder)
			targets := e.load(t)
			want := e.command(t)
			require.NotEmpty(t, want)
			r := request(t, e.Include, targets, e.parameter())
			response, _ := answer(t, r)
			assert.Equal(t, want, e.below(t, code(t, response)))
			// In the bytes the options are unknown fields, here they are the compiler's.
			response, _ = plugin.Respond(r)
			assert.Equal(t, want, e.below(t, code(t, response)))
		})
	}
}

// below drops the folder that the plugin puts the code of a single Go package
// into. The command puts that right into the output folder.
func (e *example) below(t *testing.T, files map[string]string) map[string]string {
	if e.Module != "" {
		return files
	}
	moved := map[string]string{}
	for name, content := range files {
		moved[path.Base(name)] = content
	}
	require.Len(t, moved, len(files))
	return moved
}

func write(t testing.TB, name, content string) {
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o750))
	require.NoError(t, os.WriteFile(name, []byte(content), 0o600))
}

func read(t testing.TB, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

func relative(t testing.TB, folder, name string) string {
	below, err := filepath.Rel(folder, name)
	require.NoError(t, err)
	return filepath.ToSlash(below)
}
