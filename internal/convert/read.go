package convert

import (
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A reader is a [wire.JSONReader] or a [wire.MsgpackReader], of which P is a place in a
// message.
type reader[P any] interface {
	Message(p *P, b []byte, f *wire.Fields) []byte
	Next(p *P, field int, b []byte, u *wire.Unknown) (int, []byte)
	Conflict(b []byte, oneof string) []byte

	Array(l *wire.List, b []byte) []byte
	After(l *wire.List, b []byte) []byte

	Map(m *wire.Map, b []byte) []byte
	Entry(m *wire.Map, b []byte) []byte
	Duplicate(m *wire.Map) []byte
	BoolKey(m *wire.Map, b []byte) (bool, []byte)
	Int32Key(m *wire.Map, b []byte) (int32, []byte)
	Int64Key(m *wire.Map, b []byte) (int64, []byte)
	Uint32Key(m *wire.Map, b []byte) (uint32, []byte)
	Uint64Key(m *wire.Map, b []byte) (uint64, []byte)
	StringKey(m *wire.Map, b []byte) (string, []byte)

	Bool(b []byte) (bool, []byte)
	Int32(b []byte) (int32, []byte)
	Int64(b []byte) (int64, []byte)
	Uint32(b []byte) (uint32, []byte)
	Uint64(b []byte) (uint64, []byte)
	Float32(b []byte) (float32, []byte)
	Float64(b []byte) (float64, []byte)
	String(b []byte) (string, []byte)
	Bytes(b []byte) ([]byte, []byte)
	Enum(b []byte, e *wire.Enum) (string, []byte)
	Time(b []byte) (time.Time, []byte)
	Duration(b []byte) (time.Duration, []byte)
	Struct(b []byte) (map[string]any, []byte)
	Value(b []byte) (any, []byte)
	ListValue(b []byte) ([]any, []byte)
}

// read reads the message with which b begins, and returns what is behind it.
func read[P any](s shapes, r reader[P], b []byte, of *model.Message) (*message, []byte) {
	m := s.empty(of, before)
	var unknown *wire.Unknown
	if of.File.KeepUnknown && !s.drop {
		unknown = &m.unknown
	}
	var place P
	b = r.Message(&place, b, &m.fields)
	for field := -1; ; {
		if field, b = r.Next(&place, field, b, unknown); field < 0 {
			return m, b
		}
		b = readField(s, r, b, m, field)
	}
}

func readField[P any](s shapes, r reader[P], b []byte, m *message, i int) []byte {
	f := m.message.Fields[i]
	switch {
	case f.Oneof != nil:
		for _, other := range f.Oneof.Fields {
			if m.values[m.index[other.Field]] != nil {
				b = r.Conflict(b, f.Oneof.Name)
			}
		}
		var v any
		v, b = readValue(s, r, b, f.Type)
		m.values[i] = member{v}
	case f.Card == model.Repeated:
		var list []any
		var l wire.List
		for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
			var v any
			v, b = readValue(s, r, b, f.Type)
			list = append(list, v)
		}
		m.values[i] = list
	case f.Card == model.Mapped:
		var entries map[any]any
		var e wire.Map
		for b = r.Map(&e, b); e.More; b = r.Entry(&e, b) {
			var key, v any
			key, b = readKey(r, b, &e, f.Key)
			v, b = readValue(s, r, b, f.Type)
			if !wire.Put(&entries, key, v) {
				b = r.Duplicate(&e)
			}
		}
		m.values[i] = entries
	default:
		m.values[i], b = readValue(s, r, b, f.Type)
	}
	return b
}

func readValue[P any](s shapes, r reader[P], b []byte, t model.Type) (any, []byte) {
	if v, rest, ok := s.readProtojson(r, b, t); ok {
		return v, rest
	}
	switch t.Kind {
	case model.KindBool:
		return r.Bool(b)
	case model.KindInt32:
		return r.Int32(b)
	case model.KindInt64:
		return r.Int64(b)
	case model.KindUint32:
		return r.Uint32(b)
	case model.KindUint64:
		return r.Uint64(b)
	case model.KindFloat32:
		return r.Float32(b)
	case model.KindFloat64:
		return r.Float64(b)
	case model.KindString:
		return r.String(b)
	case model.KindBytes:
		return r.Bytes(b)
	case model.KindEnum:
		return r.Enum(b, s.enum(t.Enum))
	case model.KindMessage:
		return read(s, r, b, t.Message)
	case model.KindTime:
		return r.Time(b)
	case model.KindDuration:
		return r.Duration(b)
	case model.KindStruct:
		return r.Struct(b)
	case model.KindListValue:
		return r.ListValue(b)
	case model.KindValue:
	}
	return r.Value(b)
}

func readKey[P any](r reader[P], b []byte, e *wire.Map, k model.Kind) (any, []byte) {
	switch k {
	case model.KindBool:
		return r.BoolKey(e, b)
	case model.KindInt32:
		return r.Int32Key(e, b)
	case model.KindInt64:
		return r.Int64Key(e, b)
	case model.KindUint32:
		return r.Uint32Key(e, b)
	case model.KindUint64:
		return r.Uint64Key(e, b)
	}
	return r.StringKey(e, b)
}
