package convert

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/dynamicpb"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

func (c *Converter) readProtobuf(data []byte) (*message, []string, error) {
	s := newScan(data)
	if f := s.message(data, 0, c.descriptor, 1); f != nil {
		return nil, nil, f.report(c.message.Name)
	}
	parsed := dynamicpb.NewMessage(c.descriptor)
	// Extensions are not in the model. Without a resolver they are unknown fields,
	// which the scan has noted; and what is required is asked for below.
	o := proto.UnmarshalOptions{Resolver: new(protoregistry.Types), AllowPartial: true, RecursionLimit: 2 * maxNesting}
	if err := o.Unmarshal(data, parsed); err != nil {
		return nil, nil, faultf(wire.ErrSyntax, "%w", err).report(c.message.Name)
	}
	r := protoReader{shapes: c.shapes}
	m, f := r.message(parsed, c.message)
	return m, s.sentences(), f.report(c.message.Name)
}

func missing() *fault { return &fault{offset: -1, err: wire.ErrMissing} }

// A protoReader makes the tree of a parsed message.
type protoReader struct {
	shapes shapes
	depth  int
}

// enter begins a level, as the readers of package wire count them.
func (r *protoReader) enter() *fault {
	if r.depth >= wire.MaxDepth {
		return faultf(wire.ErrDepth, "more than %d levels", wire.MaxDepth)
	}
	r.depth++
	return nil
}

func (r *protoReader) message(from protoreflect.Message, of *model.Message) (*message, *fault) {
	if f := r.enter(); f != nil {
		return nil, f
	}
	m := r.shapes.empty(of)
	for i, f := range of.Fields {
		fd := from.Descriptor().Fields().ByNumber(protoreflect.FieldNumber(f.Number))
		if !from.Has(fd) && fd.HasPresence() {
			if f.Required {
				return nil, missing().within(inField(f.Wire))
			}
			continue
		}
		// Without presence, what is absent has the zero value: a writer leaves
		// that out, also where the schema has another default.
		v, fault := r.field(from.Get(fd), f, fd)
		if fault == nil && v == nil && f.Required { // null in a free value
			fault = missing()
		}
		if fault != nil {
			return nil, fault.within(inField(f.Wire))
		}
		m.values[i] = v
	}
	r.depth--
	return m, nil
}

func (r *protoReader) field(v protoreflect.Value, f *model.Field, fd protoreflect.FieldDescriptor) (any, *fault) {
	switch {
	case f.Oneof != nil:
		value, fault := r.value(v, f.Type, fd)
		return member{value}, fault
	case f.Card == model.Repeated:
		return r.list(v.List(), f.Type, fd)
	case f.Card == model.Mapped:
		return r.entries(v.Map(), f.Type, fd.MapValue())
	}
	return r.value(v, f.Type, fd)
}

func (r *protoReader) list(from protoreflect.List, t model.Type, fd protoreflect.FieldDescriptor) (any, *fault) {
	if from.Len() == 0 {
		return []any(nil), nil
	}
	if f := r.enter(); f != nil {
		return nil, f
	}
	var list []any
	for i := range from.Len() {
		v, f := r.value(from.Get(i), t, fd)
		if f != nil {
			return nil, f.within(inElement(i))
		}
		list = append(list, v)
	}
	r.depth--
	return list, nil
}

func (r *protoReader) entries(from protoreflect.Map, t model.Type, fd protoreflect.FieldDescriptor) (any, *fault) {
	if from.Len() == 0 {
		return map[any]any(nil), nil
	}
	if f := r.enter(); f != nil {
		return nil, f
	}
	entries := make(map[any]any, from.Len())
	var fault *fault
	from.Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
		entries[k.Interface()], fault = r.value(v, t, fd)
		fault = fault.within(inEntry(k.Interface()))
		return fault == nil
	})
	r.depth--
	return entries, fault
}

func (r *protoReader) value(v protoreflect.Value, t model.Type, fd protoreflect.FieldDescriptor) (any, *fault) {
	switch t.Kind {
	case model.KindMessage:
		return r.message(v.Message(), t.Message)
	case model.KindEnum:
		return r.shapes.enum(t.Enum).ByNumber(int32(v.Enum())), nil
	case model.KindTime:
		var at timestamppb.Timestamp
		if f := recode(v, &at); f != nil {
			return nil, f
		}
		return timeOf(&at)
	case model.KindDuration:
		var d durationpb.Duration
		if f := recode(v, &d); f != nil {
			return nil, f
		}
		return durationOf(&d)
	case model.KindStruct:
		var free structpb.Struct
		if f := recode(v, &free); f != nil {
			return nil, f
		}
		return r.freeStruct(&free)
	case model.KindListValue:
		var free structpb.ListValue
		if f := recode(v, &free); f != nil {
			return nil, f
		}
		return r.freeList(&free)
	case model.KindValue:
		var free structpb.Value
		if f := recode(v, &free); f != nil {
			return nil, f
		}
		return r.freeValue(&free)
	case model.KindBool, model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64,
		model.KindFloat32, model.KindFloat64, model.KindString, model.KindBytes:
	}
	if fd.Message() != nil { // a wrapper
		return v.Message().Get(fd.Message().Fields().ByNumber(1)).Interface(), nil
	}
	return v.Interface(), nil
}

// recode makes one of protobuf's own messages, as Go has it, of a dynamic one.
func recode(from protoreflect.Value, to proto.Message) *fault {
	data, err := proto.Marshal(from.Message().Interface())
	if err == nil {
		err = proto.UnmarshalOptions{RecursionLimit: 2 * maxNesting}.Unmarshal(data, to)
	}
	if err != nil {
		return faultf(wire.ErrSyntax, "%w", err)
	}
	return nil
}

func timeOf(at *timestamppb.Timestamp) (any, *fault) {
	switch {
	case at.GetNanos() < 0 || at.GetNanos() >= 1e9:
		return nil, faultf(wire.ErrValue, "found a Timestamp with %d nanoseconds, want 0 to 999999999", at.GetNanos())
	case at.CheckValid() != nil:
		return nil, faultf(wire.ErrRange, "found a Timestamp %d seconds after 1970, want one in the years 1 to 9999", at.GetSeconds())
	}
	return at.AsTime(), nil
}

func durationOf(d *durationpb.Duration) (any, *fault) {
	seconds, nanos := d.GetSeconds(), int64(d.GetNanos())
	if nanos <= -1e9 || nanos >= 1e9 || seconds < 0 && nanos > 0 || seconds > 0 && nanos < 0 {
		return nil, faultf(wire.ErrValue, "found a Duration of %d seconds and %d nanoseconds, want less than a second of nanoseconds, of the same sign", seconds, nanos)
	}
	v := d.AsDuration()
	if v/time.Second != time.Duration(seconds) || v%time.Second != time.Duration(nanos) {
		return nil, faultf(wire.ErrRange, "found a Duration of %d seconds, want one of at most 292 years", seconds)
	}
	return v, nil
}
