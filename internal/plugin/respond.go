package plugin

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/version"
)

// Respond answers a request: with the files, or with all that is wrong, one fault
// a line, each with its place where the request has source information. Warnings
// are there beside faults too.
func Respond(request *pluginpb.CodeGeneratorRequest) (*pluginpb.CodeGeneratorResponse, []load.Diagnostic) {
	response := &pluginpb.CodeGeneratorResponse{
		SupportedFeatures: proto.Uint64(uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL |
			pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS)),
		MinimumEdition: proto.Int32(int32(descriptorpb.Edition_EDITION_PROTO2)),
		MaximumEdition: proto.Int32(int32(newest)),
	}
	files, warnings, err := generate(request)
	if err != nil {
		response.Error = proto.String(strings.ToValidUTF8(err.Error(), "\uFFFD"))
	} else {
		response.File = files
	}
	return response, warnings
}

// generate makes the files. Descriptors are whatever some program sends: where
// they break what reads them, that is told as a fault.
func generate(request *pluginpb.CodeGeneratorRequest) (files []*pluginpb.CodeGeneratorResponse_File, warnings []load.Diagnostic, err error) {
	defer func() {
		if p := recover(); p != nil {
			files, err = nil, fmt.Errorf("coordgen breaks on these descriptors, please report it: %v", p)
		}
	}()
	p, faults := parse(request.GetParameter())
	if len(faults) > 0 {
		return nil, nil, faults
	}
	descriptors, faults := link(request.GetProtoFile())
	held := map[string]bool{}
	for _, d := range request.GetProtoFile() {
		held[d.GetName()] = true
	}
	targets := map[string]bool{}
	for _, file := range request.GetFileToGenerate() {
		targets[file] = true
		if !held[file] {
			faults = append(faults, load.Diagnostic{Pos: model.Pos{Path: file}, Message: "the request asks for its code and does not hold the file"})
		}
	}
	result, err := load.Build(descriptors, targets, load.GoPackages{Module: p.module, Of: p.packages, Flag: "M"})
	if result != nil {
		warnings = result.Warnings
	}
	var more load.Errors
	if err != nil && !errors.As(err, &more) {
		return nil, warnings, err
	}
	if faults = append(faults, more...); len(faults) > 0 {
		return nil, warnings, faults
	}
	folders, faults := p.folders(result.Schema)
	if len(faults) > 0 {
		return nil, warnings, faults
	}
	code, err := gogen.Generate(result.Schema, gogen.Options{Codecs: p.codecs, Version: version.Current()})
	if err != nil {
		return nil, warnings, err
	}
	for _, f := range code {
		files = append(files, &pluginpb.CodeGeneratorResponse_File{
			Name:    proto.String(strings.TrimPrefix(folders[f.Package]+"/"+f.Name, "./")),
			Content: proto.String(string(f.Content)),
		})
	}
	return files, warnings, nil
}

// newest is the newest edition that coordgen knows.
const newest = descriptorpb.Edition_EDITION_2023

// link makes files of their descriptors, in which each file stands behind those
// that it imports. What is wrong with them is what protobuf-go does not take,
// though protoc or buf did; files that import such a one are left out.
func link(protos []*descriptorpb.FileDescriptorProto) (files []protoreflect.FileDescriptor, faults load.Errors) {
	registry := &protoregistry.Files{}
	wrong := map[string]bool{}
	for _, d := range protos {
		f, err := linkFile(d, registry, wrong)
		if err == nil && f != nil {
			err = registry.RegisterFile(f)
		}
		switch {
		case err != nil:
			wrong[d.GetName()] = true
			// protobuf's own text differs from build to build, on purpose.
			text := strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\u00a0", " "), "proto: ")
			faults = append(faults, load.Diagnostic{Pos: model.Pos{Path: d.GetName()}, Message: text})
		case f == nil:
			wrong[d.GetName()] = true
		default:
			files = append(files, f)
		}
	}
	return files, faults
}

// linkFile returns nil for a file that imports a wrong one.
func linkFile(d *descriptorpb.FileDescriptorProto, registry *protoregistry.Files, wrong map[string]bool) (protoreflect.FileDescriptor, error) {
	for _, file := range d.GetDependency() {
		if wrong[file] {
			return nil, nil
		}
	}
	// Past those that it knows, protodesc would end the program.
	if d.GetSyntax() == "editions" && d.GetEdition() != newest {
		return nil, fmt.Errorf("the file has %v; coordgen knows proto2, proto3 and edition 2023", d.GetEdition())
	}
	return protodesc.NewFile(d, registry)
}

// folders decides where the code of each Go package goes, as a path with slashes
// below the output folder.
func (p parameters) folders(s *model.Schema) (map[model.GoPackage]string, load.Errors) {
	folders := map[model.GoPackage]string{}
	first := map[string]*model.File{} // by folder
	var faults load.Errors
	for _, f := range s.Files {
		if !f.Target {
			continue
		}
		fault := func(format string, args ...any) {
			faults = append(faults, load.Diagnostic{Pos: model.Pos{Path: f.Path}, Message: fmt.Sprintf(format, args...)})
		}
		folder, ok := p.folder(f)
		if !ok {
			fault("the Go package %q does not lie in module %q; change the go_package, give the file another with M%s=PATH, or generate it apart",
				f.Go.Path, p.module, f.Path)
			continue
		}
		if !fs.ValidPath(folder) {
			fault("its code would go into %q, which is no folder below the output folder", folder)
			continue
		}
		if other := first[folder]; other == nil {
			first[folder] = f
		} else if other.Go != f.Go {
			fault("its code would go into one folder with that of %s, which is of another Go package (%s and %s); give both files the same go_package, or place them apart with another",
				other.Path, label(f.Go), label(other.Go))
		}
		if other, ok := folders[f.Go]; ok && other != folder {
			fault("its code would go into the folder %q, and other code of its Go package, %s, into %q; give it another go_package, or drop paths=%s",
				folder, label(f.Go), other, pathsRelative)
		}
		folders[f.Go] = folder
	}
	return folders, faults
}

// folder is where the code of a file goes.
func (p parameters) folder(f *model.File) (folder string, ok bool) {
	switch {
	case p.relative:
		return path.Dir(f.Path), true
	case p.module != "":
		return f.Go.Below(p.module)
	}
	return cmp.Or(f.Go.Path, "."), true
}

// label is a Go package as people know it.
func label(p model.GoPackage) string { return strconv.Quote(cmp.Or(p.Path, p.Name)) }
