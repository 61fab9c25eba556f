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

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/plugin"
)

// An example is a set of schemas without faults, in a folder of its own, and how
// the command generates them.
type example struct {
	name, folder   string
	files, include []string
	module         string
	packages       []string
	editions       bool // protoc has to be new for them
}

// examples are the good cases of the loader and the schemas that the generator is
// tested with.
func examples(t testing.TB) []example {
	cases, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.Greater(t, len(cases), 10)
	var all []example
	for _, name := range cases {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		e := example{name: strings.TrimSuffix(filepath.Base(name), ".txtar"), folder: t.TempDir()}
		for _, f := range archive.Files {
			// The command passes over a broken copy of that file, protoc does not.
			if path.Ext(f.Name) == ".proto" && f.Name != "google/protobuf/descriptor.proto" {
				write(t, filepath.Join(e.folder, filepath.FromSlash(f.Name)), string(f.Data))
				e.editions = e.editions || bytes.Contains(f.Data, []byte("edition = \"2023\""))
			}
		}
		line, _, _ := strings.Cut(string(archive.Comment), "\n")
		e.parse(strings.Fields(line)[1:])
		all = append(all, e)
	}
	for _, name := range []string{"broad", "odd", "orders", "roles"} {
		folder, err := filepath.Abs("../gogen/testdata/" + name)
		require.NoError(t, err)
		all = append(all, example{name: name, folder: folder, files: []string{"."}})
	}
	return all
}

// parse reads the arguments of a case.
func (e *example) parse(args []string) {
	for len(args) > 0 {
		switch args[0] {
		case "-I":
			e.include = append(e.include, args[1])
		case "--module":
			e.module = args[1]
		case "--package":
			e.packages = append(e.packages, args[1])
		default:
			e.files = append(e.files, args[0])
			args = args[1:]
			continue
		}
		args = args[2:]
	}
}

// load returns the import paths of the example's files. Where they are of several
// Go packages, they need a module, which is one that all lie in, and so does
// each file.
func (e *example) load(t testing.TB) (targets []string) {
	given := map[string]string{}
	for _, p := range e.packages {
		proto, goPackage, _ := strings.Cut(p, "=")
		given[proto] = goPackage
	}
	if len(e.include) == 0 {
		e.include = []string{"."}
	}
	r, err := load.Load(t.Context(), load.Options{
		Files: e.files, Include: e.include, Go: load.GoPackages{Module: e.module, Of: given},
	})
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
		e.module = "example.com"
		e.packages = append(e.packages, homeless...)
	}
	return targets
}

// command runs the command on the example and returns the files that it wrote.
func (e *example) command(t *testing.T) map[string]string {
	out := t.TempDir()
	args := []string{"generate", "--out", out}
	for _, folder := range e.include {
		args = append(args, "-I", folder)
	}
	if e.module != "" {
		args = append(args, "--module", e.module)
	}
	for _, p := range e.packages {
		args = append(args, "--package", p)
	}
	var stderr bytes.Buffer
	require.Zero(t, cli.Main(t.Context(), append(args, e.files...), cli.Streams{Out: &stderr, Err: &stderr}), stderr.String())
	return written(t, out)
}

// parameter is how a plugin is told what the command's flags say.
func (e *example) parameter() string {
	var all []string
	if e.module != "" {
		all = append(all, "module="+e.module)
	}
	for _, p := range e.packages {
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
			r := request(t, e.include, targets, e.parameter())
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
	if e.module != "" {
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
