package docgen_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/load"
)

// codecs are those of the documents under test.
var codecs = []string{"json", "msgpack"}

// A schema is one to document.
type schema struct {
	name  string
	parts []docgen.Part
}

// corpus are all schemas of the repository: its own, the examples', those by which
// the generator is tested, and the good ones by which the loader is.
func corpus(t *testing.T) []schema {
	all := []schema{
		{"coordination", parts(t, load.Options{Files: []string{"../../schema/coordination.proto"}, Include: []string{"../../schema"}})},
		{"wellknown", parts(t, load.Options{Files: []string{
			"google/protobuf/any.proto", "google/protobuf/api.proto", "google/protobuf/field_mask.proto", "google/protobuf/struct.proto",
		}})},
		{"several", append(
			parts(t, load.Options{Files: []string{"../gogen/testdata/orders"}, Include: []string{"../gogen/testdata/orders"}}),
			parts(t, load.Options{Files: []string{"../../examples/fleet/schema"}, Include: []string{"../../examples/fleet/schema"}})...)},
	}
	for _, folder := range []string{"broad", "odd", "orders", "roles"} {
		folder = "../gogen/testdata/" + folder
		all = append(all, schema{"gogen-" + filepath.Base(folder), parts(t, load.Options{Files: []string{folder}, Include: []string{folder}})})
	}
	for _, pattern := range []string{"testdata/golden/*.txtar", "../gogen/testdata/golden/*.txtar", "../load/testdata/good/*.txtar"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, file := range files {
			archive, err := txtar.ParseFile(file)
			require.NoError(t, err)
			name := strings.Split(pattern, "/")[1] + "-" + strings.TrimSuffix(filepath.Base(file), ".txtar")
			all = append(all, schema{name, parts(t, cases.Extract(t, archive))})
		}
	}
	return all
}

func parts(t *testing.T, o load.Options) []docgen.Part {
	r, err := load.Load(t.Context(), o)
	require.NoError(t, err)
	return []docgen.Part{{Schema: r.Schema, Codecs: codecs}}
}

func generate(t *testing.T, parts []docgen.Part, o docgen.Options) []byte {
	o.Version = "v0.0.0"
	document, err := docgen.Generate(parts, o)
	require.NoError(t, err)
	return document
}
