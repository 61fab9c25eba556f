package load

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// with puts the bytes of a custom option of coordgen's into options.
func with[T proto.Message](options T, value []byte) T {
	raw := protowire.AppendTag(nil, 72610, protowire.BytesType)
	options.ProtoReflect().SetUnknown(protowire.AppendBytes(raw, value))
	return options
}

// number is a message whose only field is a number.
func number(field protowire.Number, n uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), n)
}

// protobuf lets an encoder write the parts of one message apart.
func TestOptionInParts(t *testing.T) {
	v, err := builtin()
	require.NoError(t, err)
	o := with(&descriptorpb.FileOptions{}, number(1, 7))
	second := with(&descriptorpb.FileOptions{}, number(2, 2))
	o.ProtoReflect().SetUnknown(append(o.ProtoReflect().GetUnknown(), second.ProtoReflect().GetUnknown()...))
	d, err := protodesc.NewFile(&descriptorpb.FileDescriptorProto{Name: proto.String("a.proto"), Options: o}, nil)
	require.NoError(t, err)
	got, err := v.schema.of(d)
	require.NoError(t, err)
	assert.Equal(t, 7, got.number("version"))
	assert.Equal(t, 2, got.number("unknown_fields"))
}

// A plugin may be handed options by a compiler that knows a newer vocabulary, and
// bytes that are none of it.
func TestStrangeOptions(t *testing.T) {
	garbage := []byte{0xff}
	file := &descriptorpb.FileDescriptorProto{
		Name: proto.String("a.proto"), Syntax: proto.String("proto3"), Dependency: []string{"gone.proto"},
		Options: with(&descriptorpb.FileOptions{GoPackage: proto.String("example.com/a")}, number(2, 9)),
		MessageType: []*descriptorpb.DescriptorProto{
			{Name: proto.String("New"), Options: with(&descriptorpb.MessageOptions{}, number(1, 99))},
			{Name: proto.String("Bad"), Options: with(&descriptorpb.MessageOptions{}, garbage)},
			{Name: proto.String("M"), Options: with(&descriptorpb.MessageOptions{}, number(1, 1)), Field: []*descriptorpb.FieldDescriptorProto{
				{
					Name: proto.String("bad"), Number: proto.Int32(1), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
					Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Options: with(&descriptorpb.FieldOptions{}, garbage),
				},
				{
					Name: proto.String("new"), Number: proto.Int32(2), Type: descriptorpb.FieldDescriptorProto_TYPE_STRING.Enum(),
					Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), Options: with(&descriptorpb.FieldOptions{}, number(7, 99)),
				},
				{
					Name: proto.String("gone"), Number: proto.Int32(3), Type: descriptorpb.FieldDescriptorProto_TYPE_MESSAGE.Enum(),
					Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(), TypeName: proto.String(".gone.Message"),
				},
			}},
		},
		EnumType: []*descriptorpb.EnumDescriptorProto{{Name: proto.String("E"), Value: []*descriptorpb.EnumValueDescriptorProto{
			{Name: proto.String("A"), Number: proto.Int32(0), Options: with(&descriptorpb.EnumValueOptions{}, garbage)},
		}}},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: proto.String("S"), Options: with(&descriptorpb.ServiceOptions{}, garbage),
			Method: []*descriptorpb.MethodDescriptorProto{
				{Name: proto.String("Bad"), InputType: proto.String(".M"), OutputType: proto.String(".M"), Options: with(&descriptorpb.MethodOptions{}, garbage)},
				{Name: proto.String("Gone"), InputType: proto.String(".gone.Message"), OutputType: proto.String(".M"), Options: with(&descriptorpb.MethodOptions{}, nil)},
			},
		}},
	}
	d, err := protodesc.FileOptions{AllowUnresolvable: true}.New(file, nil)
	require.NoError(t, err)
	r, err := Build([]protoreflect.FileDescriptor{d}, map[string]bool{"a.proto": true}, GoPackages{})
	assert.Nil(t, r.Schema)
	var faults Errors
	require.ErrorAs(t, err, &faults)
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	assert.ElementsMatch(t, []string{
		`a.proto: file "a.proto" has unknown_fields 9, which this version of coordgen does not know; upgrade coordgen, or choose another`,
		`a.proto: message "New" has role 99, which this version of coordgen does not know; upgrade coordgen, or choose another`,
		`a.proto: field "M.new" has role 99, which this version of coordgen does not know; upgrade coordgen, or choose another`,
		"a.proto: option (coordgen.message) can't be read: it is no coordgen.Message",
		"a.proto: option (coordgen.field) can't be read: it is no coordgen.Field",
		"a.proto: option (coordgen.value) can't be read: it is no coordgen.Value",
		"a.proto: option (coordgen.namespace) can't be read: it is no coordgen.Namespace",
		"a.proto: option (coordgen.topic) can't be read: it is no coordgen.Topic",
		`a.proto: field "M.gone" has the type "gone.Message", of which the schema is not there; import its file`,
		`a.proto: rpc "S.Gone" takes "gone.Message", for which there is no Go code; give it a message of your own`,
		`a.proto: rpc "S.Gone" returns "M", but nobody waits for what a callback returns; write returns (google.protobuf.Empty)`,
		`a.proto: the topic of rpc "S.Gone" has no name; write option (coordgen.topic) = { name: "gone" }`,
		`a.proto: message "M" has role HEARTBEAT, but no field with role INSTANCE_ID; add one such as ` + "`string instance_id`, or give the role to a field that means it",
		`a.proto: message "M" has role HEARTBEAT, but no field with role SENT_AT; add one such as ` + "`google.protobuf.Timestamp timestamp`, or give the role to a field that means it",
		`a.proto: message "M" has role HEARTBEAT, but no field with role WORK; add one such as ` + "`repeated string subscriptions`, or give the role to a field that means it",
	}, got)
}
