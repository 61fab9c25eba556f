package prototest_test

import (
	"flag"
	"os"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/cmd/protoc-gen-go/internal_gengo"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/descset"
)

var update = flag.Bool("update", false, "write the code of protobuf-go anew")

// The code in pb is protobuf-go's for the schema.
func TestCodeOfProtobufGo(t *testing.T) {
	const schema, code = "prototest.proto", "pb/prototest.pb.go"
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(t.Context(), schema)
	require.NoError(t, err)
	plugin, err := protogen.Options{}.New(&pluginpb.CodeGeneratorRequest{
		FileToGenerate:  []string{schema},
		Parameter:       proto.String("M" + schema + "=github.com/coordgen/coordgen/internal/prototest/pb,paths=source_relative"),
		ProtoFile:       descset.Of(files),
		CompilerVersion: &pluginpb.Version{Major: proto.Int32(6)},
	})
	require.NoError(t, err)
	internal_gengo.GenerateFile(plugin, plugin.FilesByPath[schema])
	response := plugin.Response()
	require.Empty(t, response.GetError())
	want := response.GetFile()[0].GetContent()
	if *update {
		require.NoError(t, os.WriteFile(code, []byte(want), 0o600))
	}
	got, err := os.ReadFile(code)
	require.NoError(t, err)
	assert.Equal(t, want, string(got), "run go test -update")
}
