// Package randompb draws random messages of any protobuf schema, for tests.
package randompb

import (
	"math"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"pgregory.net/rapid"
)

// Message draws a message. Most of its fields are absent, and messages in it are
// at most four deep. None is there of what is the same as absent in generated
// code.
func Message(t *rapid.T, d protoreflect.MessageDescriptor) protoreflect.ProtoMessage {
	return message(t, d, 0)
}

func message(t *rapid.T, d protoreflect.MessageDescriptor, depth int) protoreflect.ProtoMessage {
	m := dynamicpb.NewMessage(d)
	for range min(rapid.IntRange(0, 12).Draw(t, "fields"), d.Fields().Len()) {
		f := d.Fields().Get(rapid.IntRange(0, d.Fields().Len()-1).Draw(t, "field"))
		set(t, m, f, depth)
	}
	for i := range d.Fields().Len() {
		// In generated code an absent field with a default is one that holds it.
		f := d.Fields().Get(i)
		if must := f.Cardinality() == protoreflect.Required || f.HasDefault() && f.ContainingOneof() == nil; must && !m.Has(f) {
			set(t, m, f, depth)
		}
	}
	return m
}

func set(t *rapid.T, m protoreflect.Message, f protoreflect.FieldDescriptor, depth int) {
	switch {
	case f.IsMap():
		entries := m.Mutable(f).Map()
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			if v, ok := value(t, f.MapValue(), entries.NewValue, depth); ok {
				key, _ := value(t, f.MapKey(), nil, depth)
				entries.Set(key.MapKey(), v)
			}
		}
	case f.IsList():
		elements := m.Mutable(f).List()
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			if v, ok := value(t, f, elements.NewElement, depth); ok {
				elements.Append(v)
			}
		}
	default:
		v, ok := value(t, f, func() protoreflect.Value { return m.NewField(f) }, depth)
		if ok && !Absent(f, v) {
			m.Set(f, v)
		}
	}
}

// Absent says whether a present value is the same as none in Go.
func Absent(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
	if f.Message() == nil {
		return false
	}
	switch inner := v.Message(); f.Message().FullName() {
	case "google.protobuf.Value":
		return inner.Has(f.Message().Fields().ByName("null_value"))
	case "google.protobuf.Duration":
		return f.ContainingOneof() == nil && isZero(inner, 0)
	case "google.protobuf.Timestamp":
		return f.ContainingOneof() == nil && isZero(inner, time.Time{}.Unix())
	}
	return false
}

func isZero(m protoreflect.Message, seconds int64) bool {
	fields := m.Descriptor().Fields()
	return m.Get(fields.ByName("seconds")).Int() == seconds && m.Get(fields.ByName("nanos")).Int() == 0
}

// value draws one value of a field's type, which empty makes if it is a message.
// It says false where that would be too deep.
func value(t *rapid.T, f protoreflect.FieldDescriptor, empty func() protoreflect.Value, depth int) (protoreflect.Value, bool) {
	switch f.Kind() {
	case protoreflect.BoolKind:
		return protoreflect.ValueOfBool(rapid.Bool().Draw(t, "bool")), true
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return protoreflect.ValueOfInt32(edged(math.MinInt32, rapid.Int32(), math.MaxInt32).Draw(t, "int32")), true
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return protoreflect.ValueOfInt64(edged(math.MinInt64, rapid.Int64(), math.MaxInt64).Draw(t, "int64")), true
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return protoreflect.ValueOfUint32(edged(0, rapid.Uint32(), math.MaxUint32).Draw(t, "uint32")), true
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return protoreflect.ValueOfUint64(edged(0, rapid.Uint64(), math.MaxUint64).Draw(t, "uint64")), true
	case protoreflect.FloatKind:
		return protoreflect.ValueOfFloat32(rapid.Float32().Draw(t, "float")), true
	case protoreflect.DoubleKind:
		return protoreflect.ValueOfFloat64(rapid.Float64().Draw(t, "double")), true
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(rapid.String().Draw(t, "string")), true
	case protoreflect.BytesKind:
		return protoreflect.ValueOfBytes(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")), true
	case protoreflect.EnumKind:
		if f.Enum().FullName() == "google.protobuf.NullValue" {
			return protoreflect.ValueOfEnum(0), true
		}
		return protoreflect.ValueOfEnum(rapid.SampledFrom(numbers(f.Enum())).Draw(t, "enum")), true
	}
	if depth > 3 {
		return protoreflect.Value{}, false
	}
	v := empty()
	copyInto(t, v.Message(), depth)
	return v, true
}

// edged draws what between does, or the first or the last of all values.
func edged[T any](first T, between *rapid.Generator[T], last T) *rapid.Generator[T] {
	return rapid.OneOf(between, between, rapid.SampledFrom([]T{first, last}))
}

// numbers are those of an enum's values, and some that it may lack.
func numbers(e protoreflect.EnumDescriptor) []protoreflect.EnumNumber {
	all := []protoreflect.EnumNumber{0, 1, -5}
	for i := range e.Values().Len() {
		all = append(all, e.Values().Get(i).Number())
	}
	return all
}

func copyInto(t *rapid.T, m protoreflect.Message, depth int) {
	var from proto.Message
	switch d := m.Descriptor(); d.FullName() {
	case "google.protobuf.Timestamp":
		first, last := time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Unix()
		from = &timestamppb.Timestamp{Seconds: rapid.Int64Range(first, last).Draw(t, "seconds"), Nanos: nanos(t)}
	case "google.protobuf.Duration":
		from = durationpb.New(time.Duration(rapid.Int64().Draw(t, "duration")))
	case "google.protobuf.FieldMask":
		from = &fieldmaskpb.FieldMask{Paths: rapid.SliceOfN(rapid.StringMatching(`[a-z]+(_[a-z]+|\.[a-z]+)*`), 0, 3).Draw(t, "paths")}
	case "google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue":
		from = free(t, d.Name(), depth)
	default:
		from = message(t, d, depth+1)
	}
	// A required message may be missing where it would be too deep.
	data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(from)
	require.NoError(t, err)
	require.NoError(t, proto.UnmarshalOptions{AllowPartial: true}.Unmarshal(data, m.Interface()))
}

// nanos draws a part of a second, often one with few digits.
func nanos(t *rapid.T) int32 {
	unit := rapid.SampledFrom([]int32{1, 1e3, 1e6, 1e9}).Draw(t, "unit")
	return unit * rapid.Int32Range(0, 1e9/unit-1).Draw(t, "nanos")
}

// free draws a value of one of the types for JSON of any shape.
func free(t *rapid.T, kind protoreflect.Name, depth int) proto.Message {
	v, err := structpb.NewValue(freeValue(t, kind, depth))
	require.NoError(t, err)
	switch kind {
	case "Struct":
		return v.GetStructValue()
	case "ListValue":
		return v.GetListValue()
	}
	return v
}

func freeValue(t *rapid.T, kind protoreflect.Name, depth int) any {
	shapes := []protoreflect.Name{"null", "bool", "number", "whole", "string", "Struct", "ListValue"}
	if depth > 4 {
		shapes = shapes[:5]
	}
	if kind == "Value" {
		kind = rapid.SampledFrom(shapes).Draw(t, "shape")
	}
	switch kind {
	case "bool":
		return rapid.Bool().Draw(t, "bool")
	case "number":
		return rapid.Float64().Draw(t, "number")
	case "whole":
		return float64(rapid.Int64().Draw(t, "whole"))
	case "string":
		return rapid.String().Draw(t, "text")
	case "Struct":
		m := map[string]any{}
		for range rapid.IntRange(0, 3).Draw(t, "entries") {
			m[rapid.String().Draw(t, "key")] = freeValue(t, "Value", depth+1)
		}
		return m
	case "ListValue":
		l := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "elements") {
			l = append(l, freeValue(t, "Value", depth+1))
		}
		return l
	}
	return nil
}
