package plugin_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// schemas is a request for all files of an archive.
func schemas(t testing.TB, archive, parameter string) *pluginpb.CodeGeneratorRequest {
	folder := t.TempDir()
	var files []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		write(t, filepath.Join(folder, filepath.FromSlash(f.Name)), string(f.Data))
		files = append(files, f.Name)
	}
	return request(t, []string{folder}, files, parameter)
}

const shop = `
-- shop/orders.proto --
syntax = "proto3";
package shop;
import "shop/items/items.proto";
option go_package = "example.com/shop/orders;orders";
message Order { repeated shop.items.Item items = 1; }
-- shop/items/items.proto --
syntax = "proto3";
package shop.items;
option go_package = "example.com/shop/items";
message Item { string sku = 1; }
`

const noPackage = `
-- root.proto --
syntax = "proto3";
package root;
message Root {}
-- below/leaf.proto --
syntax = "proto3";
package root;
message Leaf {}
`

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		name, schemas, parameter string
		want                     []string
	}{
		{"by import path", shop, "", []string{"example.com/shop/items/items", "example.com/shop/orders/orders"}},
		{"by import path, said", shop, "paths=import", []string{"example.com/shop/items/items", "example.com/shop/orders/orders"}},
		{"in a module", shop, "module=example.com/shop", []string{"items/items", "orders/orders"}},
		{"in a package's own module", shop, "module=example.com/shop/items,Mshop/orders.proto=example.com/shop/items/all", []string{"all/orders", "items"}},
		{"by file", shop, "paths=source_relative", []string{"shop/items/items", "shop/orders"}},
		{"by file, the last word", shop, "paths=import,paths=source_relative", []string{"shop/items/items", "shop/orders"}},
		{"other packages", shop, "Mshop=example.com/else", []string{"example.com/else/items/items", "example.com/else/orders"}},
		{"a package for no file", shop, "Mcoordgen/options.proto=example.com/x,module=example.com", []string{"shop/items/items", "shop/orders/orders"}},
		{"no go_package, in a module", noPackage, "module=example.com/shop", []string{"below/leaf", "root"}},
		{"no go_package", noPackage, "", []string{"leaf", "root"}},
		{"no go_package, by file, in a module", noPackage, "module=example.com/shop,paths=source_relative", []string{"below/leaf", "root"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, log := answer(t, schemas(t, test.schemas, test.parameter))
			assert.Empty(t, log)
			var got []string
			for name := range code(t, response) {
				if base, ok := strings.CutSuffix(name, "_types.gen.go"); ok {
					got = append(got, base)
				}
			}
			slices.Sort(got)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestCodecs(t *testing.T) {
	for parameter, want := range map[string][]string{
		"":                           {"json", "methods", "msgpack", "proto", "types"},
		"codecs=json":                {"json", "methods", "types"},
		"codecs=json+msgpack":        {"json", "methods", "msgpack", "types"},
		"codecs=json,codecs=msgpack": {"json", "methods", "msgpack", "types"},
	} {
		response, _ := answer(t, schemas(t, "-- a.proto --\nsyntax = \"proto3\";\nmessage A {}\n", parameter))
		var got []string
		for _, name := range slices.Sorted(maps.Keys(code(t, response))) {
			got = append(got, strings.TrimSuffix(strings.TrimPrefix(name, "a_"), ".gen.go"))
		}
		assert.Equal(t, want, got, parameter)
	}
}

// Faults are told in the answer, all of them, one a line.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		name, schemas, parameter string
		want                     []string
	}{
		{"parameters", shop, "modul=a,codecs=json,msgpack,codecs=xml,paths=absolute,module,Mx,M=y", []string{
			`parameter "modul=a": there is no such parameter; there are codecs, module, paths and M`,
			`parameter "msgpack": there is no such parameter; there are codecs, module, paths and M. Codecs are joined by +, as in codecs=json+msgpack+proto`,
			`parameter "codecs=xml": unknown codec "xml"; the codecs are json, msgpack, proto`,
			`parameter "paths=absolute": it is import or source_relative`,
			`parameter "module": it needs a value, as in module=example.com/shop/gen`,
			`parameter "Mx": give a .proto file, or a folder of them, its Go package, as in Morders.proto=example.com/shop/orders`,
			`parameter "M=y": give a .proto file, or a folder of them, its Go package, as in Morders.proto=example.com/shop/orders`,
		}},
		{"outside of the module", shop, "module=example.com/shop/items", []string{
			`shop/orders.proto: the Go package "example.com/shop/orders" does not lie in module "example.com/shop/items"; change the go_package, give the file another with Mshop/orders.proto=PATH, or generate it apart`,
		}},
		{"a Go package in two folders", noPackage, "Mroot.proto=example.com/a,Mbelow=example.com/a,paths=source_relative", []string{
			`root.proto: its code would go into the folder ".", and other code of its Go package, "example.com/a", into "below"; give it another go_package, or drop paths=source_relative`,
		}},
		{"two Go packages in a folder", noPackage + "-- other.proto --\nsyntax = \"proto3\";\npackage other;\n", "", []string{
			`other.proto: its code would go into one folder with that of below/leaf.proto, which is of another Go package ("other" and "root"); give both files the same go_package, or place them apart with another`,
		}},
		{"a package that can't be imported", "-- a.proto --\nsyntax = \"proto3\";\nmessage A {}\n-- b.proto --\nsyntax = \"proto3\";\nimport \"a.proto\";\noption go_package = \"example.com/b\";\nmessage B {\n  A a = 1;\n}\n", "", []string{
			`b.proto:5:3: "A" is declared in a.proto, which has no go_package, so that no other Go package can import it; add option go_package to that file, or say which it is with Ma.proto=PATH`,
		}},
		{"the schema", "-- a.proto --\nsyntax = \"proto3\";\nimport \"coordgen/options.proto\";\nmessage A {\n  string a = 1 [(coordgen.field).since = 7];\n  string b = 2 [(coordgen.field).name = \"a\"];\n}\n", "", []string{
			`a.proto:4:17: "a" is there since version 7, but the schema is at version 1; raise (coordgen.schema).version`,
			`a.proto:5:17: field "A.b" has the key "a" on the wire, as has field "A.a" (a.proto:4:3); give one of them another (coordgen.field).name`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			response, _ := answer(t, schemas(t, test.schemas, test.parameter))
			assert.Empty(t, response.GetFile())
			assert.Equal(t, test.want, strings.Split(response.GetError(), "\n"))
		})
	}
}

// Descriptors that no compiler of ours made are refused in words.
func TestForeignDescriptors(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*descriptorpb.FileDescriptorProto)
		want  string
	}{
		"an edition to come": {func(d *descriptorpb.FileDescriptorProto) {
			d.Syntax, d.Edition = proto.String("editions"), descriptorpb.Edition_EDITION_2024.Enum()
		}, "a.proto: the file has EDITION_2024; coordgen knows proto2, proto3 and edition 2023"},
		"an edition of nobody's, under a name that protobuf-go trusts": {func(d *descriptorpb.FileDescriptorProto) {
			d.Name = proto.String("cmd/protoc-gen-go/testdata/a.proto")
			d.Syntax, d.Edition = proto.String("editions"), descriptorpb.Edition(77).Enum()
		}, "cmd/protoc-gen-go/testdata/a.proto: the file has 77; coordgen knows proto2, proto3 and edition 2023"},
		"a path that leads out of the output folder": {func(d *descriptorpb.FileDescriptorProto) {
			d.Name = proto.String("../a.proto")
		}, `../a.proto: its code would go into "..", which is no folder below the output folder`},
		"a path from the root": {func(d *descriptorpb.FileDescriptorProto) {
			d.Name = proto.String("/b/a.proto")
		}, `/b/a.proto: its code would go into "/b", which is no folder below the output folder`},
		"a key that is no text": {func(d *descriptorpb.FileDescriptorProto) {
			d.MessageType[0].Field[0].JsonName = proto.String("\xff")
		}, `a.proto:2:13: field "A.a" has the key "\xff", which is no UTF-8; give it another`},
		"an import that is not there": {func(d *descriptorpb.FileDescriptorProto) {
			d.Dependency = []string{"b.proto"}
		}, `a.proto: could not resolve import "b.proto": not found`},
		"a type that is not there": {func(d *descriptorpb.FileDescriptorProto) {
			d.MessageType[0].Field[0].Type = descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum()
			d.MessageType[0].Field[0].TypeName = proto.String(".B")
		}, `a.proto: message field "A.a" cannot resolve type: "B" not found`},
	} {
		t.Run(name, func(t *testing.T) {
			r := schemas(t, "-- a.proto --\nsyntax = \"proto3\";\nmessage A { string a = 1; }\n", "paths=source_relative")
			test.spoil(r.ProtoFile[0])
			r.FileToGenerate = []string{r.GetProtoFile()[0].GetName()}
			response, _ := answer(t, r)
			assert.Equal(t, test.want, response.GetError())
		})
	}
}

// A file that imports a wrong one is not blamed for it.
func TestFaultsDoNotFollowFromOthers(t *testing.T) {
	r := schemas(t, shop, "")
	r.ProtoFile[0].Syntax = proto.String("proto7")
	response, _ := answer(t, r)
	assert.Equal(t, `shop/items/items.proto: invalid syntax: "proto7"`, response.GetError())
}

func TestFileThatIsNotThere(t *testing.T) {
	r := schemas(t, shop, "")
	r.FileToGenerate = append(r.FileToGenerate, "gone.proto")
	response, _ := answer(t, r)
	assert.Equal(t, "gone.proto: the request asks for its code and does not hold the file", response.GetError())
}

// Warnings are for people: they stand beside the answer, not in it.
func TestWarnings(t *testing.T) {
	response, log := answer(t, schemas(t, "-- a.proto --\nsyntax = \"proto2\";\nmessage A { extensions 5; }\nextend A { optional string e = 5; }\n", ""))
	assert.NotEmpty(t, code(t, response))
	assert.Equal(t, `a.proto:3:12: warning: extension "e" of message "A" gets no Go code; its values are kept as unknown fields. Make it a field of the message to read it`+"\n", log)
}

// Without source information there are no places, and no comments.
func TestWithoutSourceInfo(t *testing.T) {
	r := schemas(t, "-- a.proto --\nsyntax = \"proto3\";\nmessage A { string a = 1; string A = 2; }\n", "")
	r.ProtoFile[0].SourceCodeInfo = nil
	response, _ := answer(t, r)
	assert.True(t, strings.HasPrefix(response.GetError(), "a.proto: "), response.GetError())
}

func TestFeatures(t *testing.T) {
	response, _ := answer(t, schemas(t, shop, ""))
	assert.Equal(t, uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL|pluginpb.CodeGeneratorResponse_FEATURE_SUPPORTS_EDITIONS),
		response.GetSupportedFeatures())
	assert.Equal(t, int32(descriptorpb.Edition_EDITION_PROTO2), response.GetMinimumEdition())
	assert.Equal(t, int32(descriptorpb.Edition_EDITION_2023), response.GetMaximumEdition())
	require.NotEmpty(t, code(t, response))
}
