package load

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/descset"
)

// A protoc plugin is handed descriptors as bytes, in which the options are bytes
// too. The model must be the same as from the files themselves.
func TestBuildFromBytes(t *testing.T) {
	for _, a := range archives(t) {
		s := newSources(nil)
		text := map[string][]byte{}
		var paths []string
		for _, f := range a.Files {
			if filepath.Ext(f.Name) == ".proto" && !strings.Contains(f.Name, "/") {
				text[f.Name] = f.Data
				paths = append(paths, f.Name)
			}
		}
		s.read = func(name string) ([]byte, error) {
			if data, ok := text[name]; ok {
				return data, nil
			}
			return nil, fs.ErrNotExist
		}
		c := compilation{sources: s, targets: set(paths)}
		compiled, err := c.run(context.Background(), paths)
		require.NoError(t, err)
		if len(c.errs) > 0 || len(compiled) == 0 || text["a.proto"] != nil && strings.Contains(string(text["a.proto"]), "message_set") {
			continue // protobuf-go has no message sets
		}
		direct, directErr := Build(compiled, set(paths), GoPackages{})
		again, againErr := Build(throughBytes(t, compiled), set(paths), GoPackages{})
		require.Equal(t, fmt.Sprint(directErr), fmt.Sprint(againErr))
		assert.Equal(t, direct.Warnings, again.Warnings)
		if directErr == nil {
			assert.Equal(t, dump(direct.Schema), dump(again.Schema))
		}
	}
}

// throughBytes encodes files and those that they import, and decodes them.
func throughBytes(t *testing.T, files []protoreflect.FileDescriptor) []protoreflect.FileDescriptor {
	all := &descriptorpb.FileDescriptorSet{File: descset.Of(files)}
	raw, err := proto.Marshal(all)
	require.NoError(t, err)
	decoded := &descriptorpb.FileDescriptorSet{}
	require.NoError(t, proto.Unmarshal(raw, decoded))
	registry, err := protodesc.NewFiles(decoded)
	require.NoError(t, err)
	var out []protoreflect.FileDescriptor
	for _, f := range decoded.File {
		d, err := registry.FindFileByPath(f.GetName())
		require.NoError(t, err)
		out = append(out, d)
	}
	return out
}

// name draws names that are likely to meet once they are Go's.
func drawName(t *rapid.T, label string) string {
	part := rapid.SampledFrom([]string{"foo", "Foo", "bar", "BAR", "id", "Id", "_", "1", "json", "marshal", "string", "kind"})
	name := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, label), rapid.SampledFrom([]string{"", "_"}).Draw(t, "joint"))
	if name[0] == '1' {
		name = "_" + name
	}
	return name
}

// distinct draws names that protobuf can tell apart.
func distinct(t *rapid.T, label string, upTo int) []string {
	return rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return drawName(t, label) }), 0, upTo, rapid.ID[string]).Draw(t, label)
}

func drawMessage(t *rapid.T, name string, depth int) *descriptorpb.DescriptorProto {
	m := &descriptorpb.DescriptorProto{Name: proto.String(name)}
	names := distinct(t, "members", 8)
	for i, n := range names {
		switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
		case kind == 0 && depth > 0:
			m.NestedType = append(m.NestedType, drawMessage(t, n, depth-1))
		case kind == 1:
			m.EnumType = append(m.EnumType, drawEnum(t, n, fmt.Sprintf("X%d", i)))
		case kind == 2 && i+1 < len(names):
			m.OneofDecl = append(m.OneofDecl, &descriptorpb.OneofDescriptorProto{Name: proto.String(n)})
			m.Field = append(m.Field, drawField(names[i+1]+"_in", i+1, int32(len(m.OneofDecl)-1)))
		default:
			m.Field = append(m.Field, drawField(n, i+1, -1))
		}
	}
	return m
}

func drawField(name string, number int, oneof int32) *descriptorpb.FieldDescriptorProto {
	f := &descriptorpb.FieldDescriptorProto{
		Name: proto.String(name), Number: proto.Int32(int32(number)),
		Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(), Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
	}
	if oneof >= 0 {
		f.OneofIndex = &oneof
	}
	return f
}

func drawEnum(t *rapid.T, name, unique string) *descriptorpb.EnumDescriptorProto {
	e := &descriptorpb.EnumDescriptorProto{Name: proto.String(name)}
	for i, n := range append([]string{"none"}, distinct(t, "values", 4)...) {
		e.Value = append(e.Value, &descriptorpb.EnumValueDescriptorProto{Name: proto.String(n + unique), Number: proto.Int32(int32(i))})
	}
	return e
}

func drawFile(t *rapid.T) *descriptorpb.FileDescriptorProto {
	f := &descriptorpb.FileDescriptorProto{
		Name: proto.String("a.proto"), Syntax: proto.String("proto2"),
		Options: &descriptorpb.FileOptions{GoPackage: proto.String("example.com/a")},
	}
	for i, n := range distinct(t, "types", 6) {
		if rapid.Bool().Draw(t, "enum") {
			f.EnumType = append(f.EnumType, drawEnum(t, n, fmt.Sprintf("_%d", i)))
		} else {
			f.MessageType = append(f.MessageType, drawMessage(t, n, 2))
		}
	}
	return f
}

// Whatever a schema's names are, those of Go are distinct, or there is an error.
func TestNamesNeverCollide(t *testing.T) {
	built := 0
	rapid.Check(t, func(t *rapid.T) {
		file := drawFile(t)
		d, err := protodesc.NewFile(file, nil)
		if err != nil {
			t.Skip(err)
		}
		r, err := Build([]protoreflect.FileDescriptor{d}, map[string]bool{"a.proto": true}, GoPackages{})
		if err != nil {
			return
		}
		built++
		checkModel(t, r.Schema)
	})
	require.Positive(t, built, "no drawn schema was sound")
}

// A field that is added at the end of a message changes no name of what was
// there before in that message.
func TestAddedFieldRenamesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		file := drawFile(t)
		if len(file.MessageType) == 0 {
			t.Skip("no message")
		}
		m := file.MessageType[rapid.IntRange(0, len(file.MessageType)-1).Draw(t, "message")]
		build := func() (string, bool) {
			d, err := protodesc.NewFile(file, nil)
			if err != nil {
				t.Skip(err)
			}
			r, err := Build([]protoreflect.FileDescriptor{d}, map[string]bool{"a.proto": true}, GoPackages{})
			if err != nil {
				return "", false
			}
			return dump(r.Schema), true
		}
		before, ok := build()
		if !ok {
			return
		}
		m.Field = append(m.Field, drawField(drawName(t, "added"), 99, -1))
		after, ok := build()
		if !ok {
			return // it meets another, which is reported
		}
		left := after
		for line := range strings.Lines(after) {
			if strings.HasPrefix(strings.TrimSpace(line), "99 ") {
				left = strings.Replace(after, line, "", 1)
			}
		}
		if left != before {
			t.Fatalf("before:\n%s\nafter:\n%s", before, after)
		}
	})
}
