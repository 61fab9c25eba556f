package plugin_test

import (
	"bytes"
	"io"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/wellknownimports"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/descset"
	"github.com/coordgen/coordgen/internal/plugin"
	"github.com/coordgen/coordgen/schema"
)

// request is what protoc would send for the files, which lie in the include
// folders, or among the schemas that coordgen carries.
func request(t testing.TB, include, files []string, parameter string) *pluginpb.CodeGeneratorRequest {
	return &pluginpb.CodeGeneratorRequest{
		FileToGenerate: files, Parameter: proto.String(parameter), ProtoFile: descset.Of(compiled(t, include, files)),
	}
}

func compiled(t testing.TB, include, files []string) linker.Files {
	carried := &protocompile.SourceResolver{Accessor: func(path string) (io.ReadCloser, error) {
		if path == "google/protobuf/descriptor.proto" {
			return nil, fs.ErrNotExist
		}
		return schema.Files.Open(path)
	}}
	compiler := protocompile.Compiler{
		Resolver: wellknownimports.WithStandardImports(protocompile.CompositeResolver{
			&protocompile.SourceResolver{ImportPaths: include}, carried,
		}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	linked, err := compiler.Compile(t.Context(), files...)
	require.NoError(t, err)
	return linked
}

// answer sends a request to the plugin, as bytes, and returns its answer and what
// it printed.
func answer(t testing.TB, request *pluginpb.CodeGeneratorRequest) (response *pluginpb.CodeGeneratorResponse, log string) {
	raw, err := proto.Marshal(request)
	require.NoError(t, err)
	var out, stderr bytes.Buffer
	require.Zero(t, plugin.Main(nil, plugin.Streams{In: bytes.NewReader(raw), Out: &out, Err: &stderr}), stderr.String())
	response = &pluginpb.CodeGeneratorResponse{}
	require.NoError(t, proto.Unmarshal(out.Bytes(), response))
	return response, stderr.String()
}

// code is the files of an answer without faults, by their names.
func code(t testing.TB, response *pluginpb.CodeGeneratorResponse) map[string]string {
	require.Empty(t, response.GetError())
	files := map[string]string{}
	for _, f := range response.GetFile() {
		require.True(t, fs.ValidPath(f.GetName()), f.GetName())
		files[f.GetName()] = f.GetContent()
	}
	require.Len(t, files, len(response.GetFile()))
	return files
}

// written is the files below a folder, by their paths with slashes.
func written(t testing.TB, folder string) map[string]string {
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files[relative(t, folder, path)] = read(t, path)
		return nil
	}))
	return files
}
