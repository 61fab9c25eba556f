package convert

import (
	"fmt"
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A tagged is a field of a message as it stands on protobuf's wire. One that may come
// in one piece stands there in two ways.
type tagged struct {
	index  int
	packed bool
}

func tagsOf(m *model.Message) map[uint32]tagged {
	tags := map[uint32]tagged{}
	for i, f := range m.Fields {
		if f.Packable() {
			tags[tag(f.Number, model.WireBytes)] = tagged{i, true}
		}
		kind := f.WireType()
		if f.Card == model.Mapped {
			kind = model.WireBytes
		}
		tags[tag(f.Number, kind)] = tagged{i, false}
	}
	return tags
}

func tag(number, kind int) uint32 { return uint32(number<<3 | kind) }

// beforeProto is the value of a field before its message is read from protobuf. A
// writer leaves out the zero of a field without presence, also where the schema has
// another default.
func beforeProto(f *model.Field) any {
	if f.Presence || f.Oneof != nil {
		return before(f)
	}
	zero := *f
	zero.Default, zero.Required = "", false
	return before(&zero)
}

// readProto reads the message that comes next into m or, again, what comes next of it.
func (s shapes) readProto(r *wire.ProtoReader, m *message, again bool) {
	var o wire.ProtoMessage
	for r.Message(&o, &m.proto, again); r.Next(&o); {
		at, known := m.tags[o.Tag]
		if !known {
			r.Keep(&o, &m.unknown) // also where generated code drops it, to tell of it
			continue
		}
		f := m.message.Fields[at.index]
		s.readProtoField(r, &o, m, at)
		if f.Required && m.values[at.index] != nil {
			o.Saw(at.index)
		}
	}
}

func (s shapes) readProtoField(r *wire.ProtoReader, o *wire.ProtoMessage, m *message, at tagged) {
	f := m.message.Fields[at.index]
	value := &m.values[at.index]
	list, _ := (*value).([]any)
	switch {
	case f.Oneof != nil:
		was, _ := (*value).(member)
		for _, other := range f.Oneof.Fields {
			m.values[m.index[other.Field]] = nil
		}
		*value = member{s.readProtoValue(r, f.Type, was.value)}
	case at.packed:
		*value = wire.Packed(r, list, f.Type.FixedSize(), func(r *wire.ProtoReader) any { return s.readProtoValue(r, f.Type, nil) })
	case f.Type.Kind == model.KindMessage && f.Card == model.Repeated:
		element := wire.Element(r, &list)
		*element = s.readProtoValue(r, f.Type, nil)
		*value = list
	case f.Card == model.Repeated:
		*value = append(wire.Room(r, list), s.readProtoValue(r, f.Type, nil))
	case f.Card == model.Mapped:
		entries, _ := (*value).(map[any]any)
		s.readProtoEntry(r, f, &entries)
		*value = entries
	case f.Type.Kind == model.KindTime && f.Card == model.Single && f.Default == "":
		*value = r.TimeField(o, as[time.Time](*value))
	case f.Type.InParts() && f.Default != "":
		*value = s.readProtoValue(r, f.Type, nil)
	default:
		*value = s.readProtoValue(r, f.Type, *value)
	}
}

func (s shapes) readProtoEntry(r *wire.ProtoReader, f *model.Field, entries *map[any]any) {
	key := before(&model.Field{Type: f.KeyType()})
	var value any
	there := false
	var e wire.ProtoMessage
	for r.Entry(&e); r.Next(&e); {
		switch e.Tag {
		case tag(1, f.KeyType().WireType()):
			key = s.readProtoValue(r, f.KeyType(), nil)
		case tag(2, f.WireType()):
			value = s.readProtoValue(r, f.Type, value)
			there = true
		default:
			r.Skip()
		}
	}
	switch {
	case there:
	case f.Type.Kind == model.KindMessage:
		r.Absent()
		value = s.readProtoValue(r, f.Type, nil)
	case f.Type.Kind == model.KindEnum:
		value = f.Type.Enum.Values[0].Wire
	case f.Type.Kind == model.KindTime:
		value = time.Unix(0, 0).UTC() // as an empty Timestamp has it
	case f.Type.Kind == model.KindStruct:
		value = map[string]any(nil)
	case f.Type.Kind == model.KindListValue:
		value = []any(nil)
	default:
		value = before(&model.Field{Type: f.Type})
	}
	wire.Entered(r, entries, key, value)
}

// readProtoValue reads a value, of which base is what was read before.
func (s shapes) readProtoValue(r *wire.ProtoReader, t model.Type, base any) any {
	switch t.Encoding {
	case model.Wrapped:
		return readWrapper(r, t.Kind, base)
	case model.Zigzag:
		if t.Kind == model.KindInt32 {
			return r.Sint32()
		}
		return r.Sint64()
	case model.Fixed:
		return readFixed(r, t.Kind)
	case model.Plain:
	}
	switch t.Kind {
	case model.KindBool:
		return r.Bool()
	case model.KindInt32:
		return r.Int32()
	case model.KindInt64:
		return r.Int64()
	case model.KindUint32:
		return r.Uint32()
	case model.KindUint64:
		return r.Uint64()
	case model.KindFloat32:
		return r.Float32()
	case model.KindFloat64:
		return r.Float64()
	case model.KindString:
		return r.String()
	case model.KindBytes:
		return r.Bytes()
	case model.KindEnum:
		return r.Enum(s.enum(t.Enum))
	case model.KindMessage:
		m, again := base.(*message)
		if !again {
			m = s.empty(t.Message, beforeProto)
		}
		s.readProto(r, m, again)
		return m
	case model.KindTime:
		if base == nil {
			base = time.Unix(0, 0)
		}
		return r.Time(as[time.Time](base))
	case model.KindDuration:
		return r.Duration(as[time.Duration](base))
	case model.KindStruct:
		return r.Struct(as[map[string]any](base))
	case model.KindListValue:
		return r.ListValue(as[[]any](base))
	case model.KindValue:
	}
	return r.Value(base)
}

func readFixed(r *wire.ProtoReader, k model.Kind) any {
	switch k {
	case model.KindInt32:
		return r.Sfixed32()
	case model.KindInt64:
		return r.Sfixed64()
	case model.KindUint32:
		return r.Fixed32()
	}
	return r.Fixed64()
}

func readWrapper(r *wire.ProtoReader, k model.Kind, base any) any {
	switch k {
	case model.KindBool:
		return r.BoolValue(as[bool](base))
	case model.KindInt32:
		return r.Int32Value(as[int32](base))
	case model.KindInt64:
		return r.Int64Value(as[int64](base))
	case model.KindUint32:
		return r.Uint32Value(as[uint32](base))
	case model.KindUint64:
		return r.Uint64Value(as[uint64](base))
	case model.KindFloat32:
		return r.Float32Value(as[float32](base))
	case model.KindFloat64:
		return r.Float64Value(as[float64](base))
	case model.KindString:
		return r.StringValue(as[string](base))
	}
	return r.BytesValue(as[[]byte](base))
}

// as is the value, or the zero value where there is none.
func as[T any](v any) T {
	t, _ := v.(T)
	return t
}

// maxLeftOut is how many fields are named that are left out.
const maxLeftOut = 20

// A census counts the fields of protobuf that a message and what it holds have and
// the schema does not, as far as they are not written.
type census struct {
	to     string
	counts map[string]int
	names  []string // in the order in which they were found
	more   int      // values of fields behind those
}

func (c *census) message(m *message) {
	for _, u := range m.unknown {
		if c.to == Protobuf && m.message.File.KeepUnknown {
			break
		}
		for number := range wire.ProtoNumbers(u.Raw) {
			name := fmt.Sprintf("%s has no field %d", m.message.Name, number)
			for _, f := range m.message.Fields {
				if f.Number == int(number) {
					name = fmt.Sprintf("field %d of %s is of another type", number, m.message.Name)
				}
			}
			if c.counts[name] == 0 {
				if len(c.names) == maxLeftOut {
					c.more++
					continue
				}
				c.names = append(c.names, name)
			}
			c.counts[name]++
		}
	}
	for _, v := range m.values {
		c.value(v)
	}
}

func (c *census) value(v any) {
	switch v := v.(type) {
	case *message:
		c.message(v)
	case member:
		c.value(v.value)
	case []any:
		for _, element := range v {
			c.value(element)
		}
	case map[any]any:
		for _, key := range sortedKeys(v) {
			c.value(v[key])
		}
	}
}

// leftOut says what is left out of a message that was read from protobuf.
func leftOut(m *message, to string) []string {
	c := census{to: to, counts: map[string]int{}}
	c.message(m)
	for i, name := range c.names {
		c.names[i] = name + "; its value is left out"
		if n := c.counts[name]; n > 1 {
			c.names[i] = fmt.Sprintf("%s; its %d values are left out", name, n)
		}
	}
	if c.more > 0 {
		return append(c.names, fmt.Sprintf("%d values of other fields that the schema does not have are left out", c.more))
	}
	return c.names
}
