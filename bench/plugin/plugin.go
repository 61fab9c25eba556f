// Package plugin calls plugins of protoc without protoc.
package plugin

import (
	"context"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/descset"
)

// Request is what protoc hands a plugin for files of a folder, with the parameter
// that stands on protoc's command line.
func Request(ctx context.Context, dir string, paths []string, parameter string) ([]byte, error) {
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{dir}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := compiler.Compile(ctx, paths...)
	if err != nil {
		return nil, err
	}
	return proto.Marshal(&pluginpb.CodeGeneratorRequest{
		FileToGenerate: paths,
		Parameter:      &parameter,
		ProtoFile:      descset.Of(files),
	})
}
