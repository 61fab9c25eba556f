package docgen_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/randompb"
)

// What protojson writes for a schema with its form is valid. Generated code writes the
// same, which is tested where it is generated.
func TestWhatProtojsonWritesIsValid(t *testing.T) {
	const folder = "../gogen/testdata/protojson"
	r, err := load.Load(t.Context(), load.Options{Files: []string{folder}, Include: []string{folder}})
	require.NoError(t, err)
	kinds := r.Schema.Files[len(r.Schema.Files)-1].Messages[0]
	document := generate(t, []docgen.Part{{Schema: r.Schema, Codecs: codecs}}, docgen.Options{Format: docgen.AsyncAPI, JSON: true})
	valid := validators(t, document)["form.Kinds"]
	for text, wrong := range map[string]bool{
		`{"fFloat":"NaN","rDouble":["-Infinity",1],"mask":"a,b","fColor":7,"rNull":[null]}`: false,
		`{"fFloat":"1e5"}`: true, `{"mask":{"paths":[]}}`: true, `{"fInt64":1}`: true, `{"fColor":1.5}`: true,
	} {
		require.Equal(t, wrong, validate(t, valid, text) != nil, text)
	}
	rapid.Check(t, func(rt *rapid.T) {
		m := randompb.Message(rt, r.Descriptor(kinds))
		if proto.CheckInitialized(m) != nil {
			rt.Skip("a required field is missing where it would be too deep")
		}
		written, err := protojson.Marshal(m)
		require.NoError(t, err)
		require.NoError(t, validate(t, valid, string(written)), "%s", written)
	})
}
