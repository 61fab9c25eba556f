package gogen_test

import (
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

var update = flag.Bool("update", false, "write the golden parts of the cases in testdata/golden")

// TestGolden runs every case of testdata/golden. A case is an archive of schemas,
// one for each thing that the code depends on. Its first line names the schemas,
// "generate FILE...", its second the concerns to compare, "want CONCERN...". Its
// other files are the code.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runGolden(t, path) })
	}
}

func runGolden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	second := strings.Split(string(archive.Comment), "\n")[1]
	concerns, ok := strings.CutPrefix(second, "want ")
	require.True(t, ok, "a case's second line is: want CONCERN...")

	inputs, want := []txtar.File{}, []txtar.File{}
	for _, f := range archive.Files {
		if strings.HasSuffix(f.Name, ".proto") {
			inputs = append(inputs, f)
		} else {
			want = append(want, f)
		}
	}
	r, err := load.Load(t.Context(), cases.Extract(t, archive))
	require.NoError(t, err)
	assert.Empty(t, r.Warnings)
	files, err := gogen.Generate(r.Schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	got := []txtar.File{}
	for _, f := range files {
		parts := strings.Split(strings.TrimSuffix(f.Name, ".gen.go"), "_")
		if slices.Contains(strings.Fields(concerns), parts[len(parts)-1]) {
			got = append(got, txtar.File{Name: f.Name, Data: f.Content})
		}
	}
	if *update {
		archive.Files = slices.Concat(inputs, got)
		require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
		return
	}
	require.Equal(t, names(want), names(got))
	for i := range want {
		assert.Equal(t, string(want[i].Data), string(got[i].Data), want[i].Name)
	}
}

func names(files []txtar.File) []string {
	all := make([]string, len(files))
	for i, f := range files {
		all[i] = f.Name
	}
	return all
}

// The code depends on what the schema says alone, not on the order of its files.
func TestOrderOfFilesDoesNotMatter(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/golden/same-package-names.txtar")
	require.NoError(t, err)
	o := cases.Extract(t, archive)
	o.Files = o.Include
	r, err := load.Load(t.Context(), o)
	require.NoError(t, err)
	for _, f := range r.Schema.Files {
		f.Target = true
	}
	generate := func() map[string]string {
		files, err := gogen.Generate(r.Schema, gogen.Options{Version: "v0.0.0"})
		require.NoError(t, err)
		content := map[string]string{}
		for _, f := range files {
			content[f.Package.Path+"/"+f.Name] = string(f.Content)
		}
		require.Len(t, content, len(files))
		return content
	}
	want := generate()
	require.Greater(t, len(want), 20)
	shuffle := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		shuffle.Shuffle(len(r.Schema.Files), func(i, j int) {
			r.Schema.Files[i], r.Schema.Files[j] = r.Schema.Files[j], r.Schema.Files[i]
		})
		require.Equal(t, want, generate())
	}
}

func TestCodecs(t *testing.T) {
	r, err := load.Load(t.Context(), load.Options{Files: []string{"testdata/orders"}, Include: []string{"testdata/orders"}})
	require.NoError(t, err)
	for codec, want := range map[string][]string{
		"json":    {"orders_types.gen.go", "orders_methods.gen.go", "orders_json.gen.go", "orders_topics.gen.go"},
		"msgpack": {"orders_types.gen.go", "orders_methods.gen.go", "orders_msgpack.gen.go", "orders_topics.gen.go"},
		"proto":   {"orders_types.gen.go", "orders_methods.gen.go", "orders_proto.gen.go", "orders_topics.gen.go"},
	} {
		files, err := gogen.Generate(r.Schema, gogen.Options{Codecs: []string{codec}})
		require.NoError(t, err)
		got := make([]string, len(files))
		for i, f := range files {
			got[i] = f.Name
		}
		assert.Equal(t, want, got)
	}
	_, err = gogen.Generate(r.Schema, gogen.Options{Codecs: []string{"json", "xml"}})
	require.EqualError(t, err, `unknown codec "xml"; the codecs are json, msgpack, proto`)
}
