package gogen_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/randompb"
	"github.com/coordgen/coordgen/schema"
)

// Any message that protobuf's own JSON holds is read, taken through msgpack, and
// written as JSON that protobuf reads as an equal message. The differences are
// those of the generators below: there is no NaN and no infinity in JSON, a
// duration has 292 years and no more, a null in a field of type Value is absence,
// and so is the zero of a Timestamp or a Duration that is not optional. What the
// schema of the test leaves out differs too: the number of an enum value that the
// schema lacks is written as text, google.protobuf.Any and FieldMask are messages
// like any other, and keys are the schema's names, not their camel case.
func TestProtobufJSON(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	m := consumer.New(t, "example.com/broad")
	for _, f := range generate(t, "testdata/broad") {
		m.Write("broad/"+f.Name, f.Content)
	}
	source, err := os.ReadFile("testdata/broad/main.go.txt")
	require.NoError(t, err)
	m.Write("main.go", source)
	m.Go("mod", "tidy")
	m.Go("build", "-o", "broad.exe")
	through := m.Start("broad.exe")

	broad := descriptor(t, "testdata/broad", "broad.proto", "broad.Broad")
	rapid.Check(t, func(t *rapid.T) {
		want := randompb.Message(t, broad)
		options := protojson.MarshalOptions{
			UseProtoNames:     true,
			EmitUnpopulated:   rapid.Bool().Draw(t, "unpopulated"),
			EmitDefaultValues: rapid.Bool().Draw(t, "defaults"),
			UseEnumNumbers:    rapid.Bool().Draw(t, "numbers"),
		}
		text, err := options.Marshal(want)
		require.NoError(t, err)
		text = bytes.ReplaceAll(text, []byte(`"kebab":`), []byte(`"ke-bab":`)) // protojson's UseProtoNames leaves json_name out
		line := through(text)
		require.True(t, json.Valid(line), "%s\ngave %s", text, line)
		got := dynamicpb.NewMessage(broad)
		require.NoError(t, protojson.Unmarshal(line, got), "%s\ngave %s", text, line)
		assert.True(t, proto.Equal(want, got), "%s\ngave %s", text, line)
	})
}

func descriptor(t *testing.T, folder, file string, name protoreflect.FullName) protoreflect.MessageDescriptor {
	compiler := protocompile.Compiler{Resolver: protocompile.WithStandardImports(protocompile.CompositeResolver{
		&protocompile.SourceResolver{ImportPaths: []string{folder}},
		&protocompile.SourceResolver{Accessor: func(path string) (io.ReadCloser, error) { return schema.Files.Open(path) }},
	})}
	files, err := compiler.Compile(t.Context(), file)
	require.NoError(t, err)
	d, ok := files[0].FindDescriptorByName(name).(protoreflect.MessageDescriptor)
	require.True(t, ok)
	return d
}
