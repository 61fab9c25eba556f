package gogen_test

import (
	"go/format"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/consumer"
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

// A schema of domain events is generated, compiled, vetted and run.
func TestOrders(t *testing.T) {
	m := consumer.New(t, "example.com/shop")
	for _, f := range generate(t, "testdata/orders") {
		assert.Equal(t, "example.com/shop/orders", f.Package.Path)
		formatted, err := format.Source(f.Content)
		require.NoError(t, err)
		assert.Equal(t, string(formatted), string(f.Content), "%s is as gofmt leaves it", f.Name)
		assert.NotContains(t, string(f.Content), "HeartbeatMessage")
		m.Write("orders/"+f.Name, f.Content)
	}
	for _, name := range []string{"main", "levels"} {
		program, err := os.ReadFile("testdata/orders/" + name + "_test.go.txt")
		require.NoError(t, err)
		m.Write("orders/"+name+"_test.go", program)
	}
	m.Go("mod", "tidy")
	m.Go("vet", "./...")
	m.Go("test", "./...")
}

// Schemas that are legal and seldom seen give code that compiles and works.
func TestOddSchemas(t *testing.T) {
	m := consumer.New(t, "example.com/odd")
	for _, f := range slices.Concat(generate(t, "testdata/odd"), generate(t, "testdata/roles")) {
		m.Write(strings.TrimPrefix(f.Package.Path, "example.com/odd/")+"/"+f.Name, f.Content)
	}
	for _, name := range []string{"odd", "methods"} {
		program, err := os.ReadFile("testdata/" + name + "_test.go.txt")
		require.NoError(t, err)
		m.Write("odd/"+name+"_test.go", program)
	}
	m.Go("mod", "tidy")
	m.Go("vet", "./...")
	m.Go("test", "./...")
}

func TestTheSameSchemaGivesTheSameBytes(t *testing.T) {
	first := generate(t, "testdata/orders")
	assert.Equal(t, first, generate(t, "testdata/orders"))
}
