package convert

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// checkWellKnown says which of protobuf's own messages, in what d holds, is not
// as protobuf has it: a schema may have brought a copy of its own.
func checkWellKnown(d protoreflect.MessageDescriptor) error {
	own := map[protoreflect.FullName]protoreflect.MessageDescriptor{}
	for _, m := range []proto.Message{
		&timestamppb.Timestamp{}, &durationpb.Duration{},
		&fieldmaskpb.FieldMask{}, &structpb.Struct{}, &structpb.Value{}, &structpb.ListValue{},
		&wrapperspb.DoubleValue{}, &wrapperspb.FloatValue{}, &wrapperspb.Int64Value{}, &wrapperspb.UInt64Value{},
		&wrapperspb.Int32Value{}, &wrapperspb.UInt32Value{}, &wrapperspb.BoolValue{}, &wrapperspb.StringValue{}, &wrapperspb.BytesValue{},
	} {
		d := m.ProtoReflect().Descriptor()
		own[d.FullName()] = d
	}
	seen := map[protoreflect.FullName]bool{d.FullName(): true}
	for queue := []protoreflect.MessageDescriptor{d}; len(queue) > 0; queue = queue[1:] {
		d := queue[0]
		if protobufs := own[d.FullName()]; protobufs != nil && !sameFields(d, protobufs) {
			return fmt.Errorf("the schema has a copy of %q that is not as protobuf has it; drop the copy, since coordgen brings the message along", d.FullName())
		}
		for i := range d.Fields().Len() {
			if inner := d.Fields().Get(i).Message(); inner != nil && !seen[inner.FullName()] {
				seen[inner.FullName()] = true
				queue = append(queue, inner)
			}
		}
	}
	return nil
}

func sameFields(a, b protoreflect.MessageDescriptor) bool {
	for i := range b.Fields().Len() {
		want := b.Fields().Get(i)
		got := a.Fields().ByNumber(want.Number())
		if got == nil || got.Name() != want.Name() || got.Kind() != want.Kind() || got.Cardinality() != want.Cardinality() {
			return false
		}
	}
	return a.Fields().Len() == b.Fields().Len()
}
