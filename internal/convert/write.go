package convert

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A writer is a [wire.JSONWriter] or a [wire.MsgpackWriter], and what the formats
// put around values.
type writer interface {
	Enter(b []byte) bool
	Leave()
	Missing(b []byte, field string)

	// openObject begins a message with n keys.
	openObject(b []byte, n int) []byte
	key(b []byte, key string) []byte
	closeObject(b []byte, u wire.Unknown, f *wire.Fields) []byte
	openList(b []byte, n int) []byte
	// element comes before the i-th element of a list.
	element(b []byte, i int) []byte
	closeList(b []byte) []byte
	openMap(b []byte, n int) []byte
	entry(b []byte, key any) []byte
	closeMap(b []byte) []byte
	// quotedInt64 and quotedUint64 append integers that are text in JSON.
	quotedInt64(b []byte, v int64) []byte
	quotedUint64(b []byte, v uint64) []byte

	Bool(b []byte, v bool) []byte
	Int32(b []byte, v int32) []byte
	Int64(b []byte, v int64) []byte
	Uint32(b []byte, v uint32) []byte
	Uint64(b []byte, v uint64) []byte
	Float32(b []byte, v float32) []byte
	Float64(b []byte, v float64) []byte
	String(b []byte, v string) []byte
	Bytes(b []byte, v []byte) []byte
	Enum(b []byte, e *wire.Enum, name string) []byte
	Time(b []byte, v time.Time) []byte
	Duration(b []byte, v time.Duration) []byte
	Struct(b []byte, v map[string]any) []byte
	Value(b []byte, v any) []byte
	ListValue(b []byte, v []any) []byte
}

// write appends a message. As generated code it counts as levels the messages that
// can nest without end, and the lists and maps of them.
func (s shapes) write(w writer, b []byte, m *message) []byte {
	deep := s.deep[m.message]
	if deep && !w.Enter(b) {
		return b
	}
	var fields []int
	for _, place := range m.places {
		for _, i := range place {
			if f := m.message.Fields[i]; isSet(f, m.values[i]) && !s.isLeftOut(w, f, m.values[i]) {
				fields = append(fields, i)
				break
			}
		}
	}
	b = w.openObject(b, len(fields)+m.unknown.Len())
	for _, i := range fields {
		b = s.writeField(w, b, m.message.Fields[i], m.values[i])
	}
	if deep {
		w.Leave()
	}
	return w.closeObject(b, m.unknown, &m.fields)
}

// isSet says whether the field is written.
func isSet(f *model.Field, v any) bool {
	switch {
	case f.Required || f.Card == model.Repeated || f.Card == model.Mapped:
		return true
	case v == nil || f.Oneof != nil || f.Card == model.Optional:
		return v != nil
	case f.Type.Kind == model.KindTime:
		return !v.(time.Time).IsZero()
	case f.Type.Kind == model.KindDuration:
		return v.(time.Duration) != 0
	}
	return true
}

func (s shapes) writeField(w writer, b []byte, f *model.Field, v any) []byte {
	switch {
	case f.Oneof != nil:
		return s.writeValue(w, w.key(b, f.Wire), f.Type, v.(member).value)
	case f.Card == model.Repeated:
		return s.writeList(w, w.key(b, f.Wire), f.Type, v)
	case f.Card == model.Mapped:
		return s.writeMap(w, w.key(b, f.Wire), f.Type, v)
	case v == nil: // and required, or it would not be set
		w.Missing(b, f.Wire)
		return b
	}
	return s.writeValue(w, w.key(b, f.Wire), f.Type, v)
}

func (s shapes) writeList(w writer, b []byte, t model.Type, v any) []byte {
	list, _ := v.([]any)
	deep := s.deep[t.Message] || t.Free()
	if deep && !w.Enter(b) {
		return b
	}
	b = w.openList(b, len(list))
	for i, v := range list {
		b = s.writeValue(w, w.element(b, i), t, v)
	}
	if deep {
		w.Leave()
	}
	return w.closeList(b)
}

func (s shapes) writeMap(w writer, b []byte, t model.Type, v any) []byte {
	entries, _ := v.(map[any]any)
	deep := s.deep[t.Message] || t.Free()
	if deep && !w.Enter(b) {
		return b
	}
	b = w.openMap(b, len(entries))
	for _, key := range sortedKeys(entries) {
		b = s.writeValue(w, w.entry(b, key), t, entries[key])
	}
	if deep {
		w.Leave()
	}
	return w.closeMap(b)
}

func (s shapes) writeValue(w writer, b []byte, t model.Type, v any) []byte {
	if b, ok := s.writeProtojson(w, b, t, v); ok {
		return b
	}
	switch t.Kind {
	case model.KindBool:
		return w.Bool(b, v.(bool))
	case model.KindInt32:
		return w.Int32(b, v.(int32))
	case model.KindInt64:
		if t.Quoted {
			return w.quotedInt64(b, v.(int64))
		}
		return w.Int64(b, v.(int64))
	case model.KindUint32:
		return w.Uint32(b, v.(uint32))
	case model.KindUint64:
		if t.Quoted {
			return w.quotedUint64(b, v.(uint64))
		}
		return w.Uint64(b, v.(uint64))
	case model.KindFloat32:
		return w.Float32(b, v.(float32))
	case model.KindFloat64:
		return w.Float64(b, v.(float64))
	case model.KindString:
		return w.String(b, v.(string))
	case model.KindBytes:
		return w.Bytes(b, v.([]byte))
	case model.KindEnum:
		return w.Enum(b, s.enum(t.Enum), v.(string))
	case model.KindMessage:
		return s.write(w, b, v.(*message))
	case model.KindTime:
		return w.Time(b, v.(time.Time))
	case model.KindDuration:
		return w.Duration(b, v.(time.Duration))
	case model.KindStruct:
		return w.Struct(b, v.(map[string]any))
	case model.KindListValue:
		return w.ListValue(b, v.([]any))
	case model.KindValue:
	}
	return w.Value(b, v)
}

// sortedKeys are the keys of a map in ascending order, false before true.
func sortedKeys(entries map[any]any) []any {
	return slices.SortedFunc(maps.Keys(entries), func(a, b any) int {
		switch a := a.(type) {
		case bool:
			switch {
			case a == b:
				return 0
			case a:
				return 1
			}
			return -1
		case int32:
			return cmp.Compare(a, b.(int32))
		case int64:
			return cmp.Compare(a, b.(int64))
		case uint32:
			return cmp.Compare(a, b.(uint32))
		case uint64:
			return cmp.Compare(a, b.(uint64))
		}
		return cmp.Compare(a.(string), b.(string))
	})
}
