package docgen_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/version"
)

var update = flag.Bool("update", false, "write the golden parts of the cases in testdata/golden")

// TestGolden runs every case of testdata/golden. A case is an archive of schemas
// whose first line is "doc FILE... [-I DIR]...", and whose other files are the
// documents.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/golden/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			p := parts(t, cases.Extract(t, archive))
			got := map[string][]byte{
				"asyncapi.yaml": generate(t, p, docgen.Options{Format: docgen.AsyncAPI}),
				"reference.md":  generate(t, p, docgen.Options{Format: docgen.Markdown}),
			}
			want := map[string][]byte{}
			var inputs []txtar.File
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".proto") {
					inputs = append(inputs, f)
				} else {
					want[f.Name] = f.Data
				}
			}
			if *update {
				archive.Files = inputs
				for _, name := range []string{"asyncapi.yaml", "reference.md"} {
					archive.Files = append(archive.Files, txtar.File{Name: name, Data: got[name]})
				}
				require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
				return
			}
			require.Len(t, want, len(got))
			for name := range got {
				assert.Equal(t, string(want[name]), string(got[name]), name)
			}
		})
	}
}

// The reference of the built-in schema is the one that is checked in.
func TestTheReferenceOfTheBuiltInSchema(t *testing.T) {
	got, err := docgen.Generate(parts(t, load.Options{Files: []string{"coordination.proto"}}),
		docgen.Options{Format: docgen.Markdown, Version: version.Current()})
	require.NoError(t, err)
	want, err := os.ReadFile("../../docs/coordination.md")
	require.NoError(t, err)
	assert.True(t, docgen.SameButVersion(want, got), "docs/coordination.md is out of date; run make generate")
}
