package convert

import (
	"strconv"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

func (c *Converter) writeProtobuf(m *message) ([]byte, error) {
	out := dynamicpb.NewMessage(c.descriptor)
	w := protoWriter{c.shapes}
	if f := w.message(m, out); f != nil {
		return nil, f.report(c.message.Name)
	}
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(out)
	if err != nil {
		return nil, faultf(ErrProtobuf, "%w", err).report(c.message.Name)
	}
	return data, nil
}

// A protoWriter makes a message that protobuf can write of a tree.
type protoWriter struct{ shapes shapes }

func (w protoWriter) message(m *message, out protoreflect.Message) *fault {
	if len(m.unknown) > 0 {
		return faultf(ErrProtobuf, "the schema has no field with this key, and so no number for it").within(inField(m.unknown[0].Key))
	}
	for i, f := range m.message.Fields {
		v := m.values[i]
		if v == nil || !isSet(f, v) {
			continue
		}
		fd := out.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		if fault := w.field(v, f, fd, out); fault != nil {
			return fault.within(inField(f.Wire))
		}
	}
	return nil
}

func (w protoWriter) field(v any, f *model.Field, fd protoreflect.FieldDescriptor, out protoreflect.Message) *fault {
	switch f.Card {
	case model.Repeated:
		list := out.Mutable(fd).List()
		for i, element := range v.([]any) {
			value, fault := w.value(element, f.Type, fd, list.NewElement)
			if fault != nil {
				return fault.within(inElement(i))
			}
			list.Append(value)
		}
		return nil
	case model.Mapped:
		entries := v.(map[any]any)
		to := out.Mutable(fd).Map()
		for _, key := range sortedKeys(entries) {
			value, fault := w.value(entries[key], f.Type, fd.MapValue(), to.NewValue)
			if fault != nil {
				return fault.within(inEntry(key))
			}
			to.Set(protoreflect.ValueOf(key).MapKey(), value)
		}
		return nil
	case model.Single, model.Optional:
	}
	if set, ok := v.(member); ok && f.Oneof != nil {
		v = set.value
	}
	value, fault := w.value(v, f.Type, fd, func() protoreflect.Value { return out.NewField(fd) })
	if fault == nil {
		out.Set(fd, value)
	}
	return fault
}

// value is protobuf's form of a value. Empty makes an empty one of the field's
// type, which must be a message.
func (w protoWriter) value(v any, t model.Type, fd protoreflect.FieldDescriptor, empty func() protoreflect.Value) (protoreflect.Value, *fault) {
	own := func(m proto.Message, f *fault) (protoreflect.Value, *fault) {
		if f != nil {
			return protoreflect.Value{}, f
		}
		return protoreflect.ValueOfMessage(m.ProtoReflect()), nil
	}
	switch t.Kind {
	case model.KindMessage:
		inner := empty()
		return inner, w.message(v.(*message), inner.Message())
	case model.KindEnum:
		number, f := numberOf(w.shapes.enum(t.Enum), v.(string))
		return protoreflect.ValueOfEnum(number), f
	case model.KindTime:
		return own(timestamppb.New(v.(time.Time)), nil)
	case model.KindDuration:
		return own(durationpb.New(v.(time.Duration)), nil)
	case model.KindStruct:
		s, f := protoStruct(v.(map[string]any))
		return own(s, f)
	case model.KindListValue:
		l, f := protoList(v.([]any))
		return own(l, f)
	case model.KindValue:
		free, f := protoValue(v)
		return own(free, f)
	case model.KindBool, model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64,
		model.KindFloat32, model.KindFloat64, model.KindString, model.KindBytes:
	}
	if fd.Message() != nil { // a wrapper
		wrapper := empty()
		wrapper.Message().Set(fd.Message().Fields().ByNumber(1), protoreflect.ValueOf(v))
		return wrapper, nil
	}
	return protoreflect.ValueOf(v), nil
}

// numberOf is the number of an enum's value, which protobuf has in place of the
// name.
func numberOf(e *wire.Enum, name string) (protoreflect.EnumNumber, *fault) {
	if e.Known(name) {
		return protoreflect.EnumNumber(e.Number(name)), nil
	}
	n, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		return 0, faultf(ErrProtobuf, "%s has no value %.64q, and so no number for it", e.Name, name)
	}
	return protoreflect.EnumNumber(n), nil
}
