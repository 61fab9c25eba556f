package gogen_test

import (
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// generate returns the files of the schemas below a folder.
func generate(t *testing.T, folder string) []gogen.File {
	loaded, err := load.Load(t.Context(), load.Options{Files: []string{folder}, Include: []string{folder}})
	require.NoError(t, err)
	require.Empty(t, loaded.Warnings)
	files, err := gogen.Generate(loaded.Schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	return files
}

// A module is a folder with a Go module that uses this one.
type module struct {
	t   *testing.T
	dir string
}

func newModule(t *testing.T, path string) module {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	m := module{t, t.TempDir()}
	m.run("mod", "init", path)
	m.run("mod", "edit", "-require", "github.com/coordgen/coordgen@v0.0.0", "-replace", "github.com/coordgen/coordgen="+root)
	return m
}

func (m module) write(name string, content []byte) {
	require.NoError(m.t, os.MkdirAll(filepath.Dir(filepath.Join(m.dir, name)), 0o750))
	require.NoError(m.t, os.WriteFile(filepath.Join(m.dir, name), content, 0o600))
}

func (m module) run(args ...string) {
	cmd := exec.CommandContext(m.t.Context(), "go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	require.NoError(m.t, err, "go %s: %s", strings.Join(args, " "), out)
}

// A schema of domain events is generated, compiled, vetted and run.
func TestOrders(t *testing.T) {
	m := newModule(t, "example.com/shop")
	for _, f := range generate(t, "testdata/orders") {
		assert.Equal(t, "example.com/shop/orders", f.Package.Path)
		formatted, err := format.Source(f.Content)
		require.NoError(t, err)
		assert.Equal(t, string(formatted), string(f.Content), "%s is as gofmt leaves it", f.Name)
		assert.NotContains(t, string(f.Content), "HeartbeatMessage")
		m.write("orders/"+f.Name, f.Content)
	}
	for _, name := range []string{"main", "levels"} {
		program, err := os.ReadFile("testdata/orders/" + name + "_test.go.txt")
		require.NoError(t, err)
		m.write("orders/"+name+"_test.go", program)
	}
	m.run("mod", "tidy")
	m.run("vet", "./...")
	m.run("test", "./...")
}

// Schemas that are legal and seldom seen give code that compiles and works.
func TestOddSchemas(t *testing.T) {
	m := newModule(t, "example.com/odd")
	for _, f := range slices.Concat(generate(t, "testdata/odd"), generate(t, "testdata/roles")) {
		m.write(strings.TrimPrefix(f.Package.Path, "example.com/odd/")+"/"+f.Name, f.Content)
	}
	program, err := os.ReadFile("testdata/odd_test.go.txt")
	require.NoError(t, err)
	m.write("odd/odd_test.go", program)
	m.run("mod", "tidy")
	m.run("vet", "./...")
	m.run("test", "./...")
}

func TestTheSameSchemaGivesTheSameBytes(t *testing.T) {
	first := generate(t, "testdata/orders")
	assert.Equal(t, first, generate(t, "testdata/orders"))
}
