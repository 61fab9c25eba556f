package convert

import (
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A reader is a [wire.JSONReader] or a [wire.MsgpackReader].
type reader interface {
	Object(f *wire.Fields) wire.Object
	Next(o *wire.Object) bool
	Keep(o *wire.Object, u *wire.Unknown)
	Skip()
	Conflict(oneof string)

	Array() wire.List
	More(l *wire.List) bool

	Map() wire.Map
	NextEntry(m *wire.Map) bool
	Duplicate(m *wire.Map)
	BoolKey(m *wire.Map) bool
	Int32Key(m *wire.Map) int32
	Int64Key(m *wire.Map) int64
	Uint32Key(m *wire.Map) uint32
	Uint64Key(m *wire.Map) uint64
	StringKey(m *wire.Map) string

	Bool() bool
	Int32() int32
	Int64() int64
	Uint32() uint32
	Uint64() uint64
	Float32() float32
	Float64() float64
	String() string
	Bytes() []byte
	Enum(e *wire.Enum) string
	Time() time.Time
	Duration() time.Duration
	Struct() map[string]any
	Value() any
	ListValue() []any
}

// read reads the message that comes next.
func (s shapes) read(r reader, of *model.Message) *message {
	m := s.empty(of, before)
	o := r.Object(&m.fields)
	for r.Next(&o) {
		switch {
		case o.Field >= 0:
			s.readField(r, m, o.Field)
		case of.File.KeepUnknown:
			r.Keep(&o, &m.unknown)
		default:
			r.Skip()
		}
	}
	return m
}

func (s shapes) readField(r reader, m *message, i int) {
	f := m.message.Fields[i]
	switch {
	case f.Oneof != nil:
		for _, other := range f.Oneof.Fields {
			if m.values[m.index[other.Field]] != nil {
				r.Conflict(f.Oneof.Name)
			}
		}
		m.values[i] = member{s.readValue(r, f.Type)}
	case f.Card == model.Repeated:
		var list []any
		l := r.Array()
		for r.More(&l) {
			list = append(list, s.readValue(r, f.Type))
		}
		m.values[i] = list
	case f.Card == model.Mapped:
		var entries map[any]any
		e := r.Map()
		for r.NextEntry(&e) {
			key := readKey(r, &e, f.Key)
			if !wire.Put(&entries, key, s.readValue(r, f.Type)) {
				r.Duplicate(&e)
			}
		}
		m.values[i] = entries
	default:
		m.values[i] = s.readValue(r, f.Type)
	}
}

func (s shapes) readValue(r reader, t model.Type) any {
	if v, ok := s.readProtojson(r, t); ok {
		return v
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
		return s.read(r, t.Message)
	case model.KindTime:
		return r.Time()
	case model.KindDuration:
		return r.Duration()
	case model.KindStruct:
		return r.Struct()
	case model.KindListValue:
		return r.ListValue()
	case model.KindValue:
	}
	return r.Value()
}

func readKey(r reader, e *wire.Map, k model.Kind) any {
	switch k {
	case model.KindBool:
		return r.BoolKey(e)
	case model.KindInt32:
		return r.Int32Key(e)
	case model.KindInt64:
		return r.Int64Key(e)
	case model.KindUint32:
		return r.Uint32Key(e)
	case model.KindUint64:
		return r.Uint64Key(e)
	}
	return r.StringKey(e)
}
