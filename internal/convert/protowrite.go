package convert

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// ErrProtobuf means that a value has no form in protobuf.
var ErrProtobuf = errors.New("protobuf can't carry it")

// writeProtobuf refuses a message with a key that the schema does not have, which
// generated code would leave out.
func (c *Converter) writeProtobuf(m *message) ([]byte, error) {
	if path := foreign(m); path != "" {
		err := fmt.Errorf("%w: the schema has no field with this key, and so no number for it", ErrProtobuf)
		return nil, &wire.Error{Message: c.message.Name, Field: strings.TrimPrefix(path, "."), Offset: -1, Err: err}
	}
	w := wire.NewProtoWriter(nil)
	b, err := w.Close(c.shapes.writeProto(&w, nil, m), c.message.Name)
	var fault *wire.Error
	if errors.As(err, &fault) && !errors.Is(err, wire.ErrMissing) {
		fault.Err = fmt.Errorf("%w: %w", ErrProtobuf, fault.Err)
	}
	return b, err
}

// foreign is the path to a key that the schema does not have, or "".
func foreign(v any) string {
	switch v := v.(type) {
	case *message:
		for _, u := range v.unknown {
			if u.Format != wire.Proto {
				return "." + u.Key
			}
		}
		for i, f := range v.message.Fields {
			if path := foreign(v.values[i]); path != "" {
				return "." + f.Wire + path
			}
		}
	case member:
		return foreign(v.value)
	case []any:
		for i, element := range v {
			if path := foreign(element); path != "" {
				return "[" + strconv.Itoa(i) + "]" + path
			}
		}
	case map[any]any:
		for _, key := range sortedKeys(v) {
			if path := foreign(v[key]); path != "" {
				return fmt.Sprintf("[%.64q]", fmt.Sprint(key)) + path
			}
		}
	}
	return ""
}

// writeProto appends a message. As generated code it counts levels.
func (s shapes) writeProto(w *wire.ProtoWriter, b []byte, m *message) []byte {
	deep := s.deep[m.message]
	if deep && !w.Enter(b) {
		return b
	}
	start := len(b)
	for _, f := range m.message.ByNumber() {
		b = s.writeProtoField(w, b, f, m.values[m.index[f]])
	}
	for _, o := range m.message.Oneofs {
		for _, f := range o.Fields {
			if v, set := m.values[m.index[f.Field]].(member); set {
				b = s.writeProtoValue(w, b, f.Field, f.Field.Number, v.value)
			}
		}
	}
	if deep {
		w.Leave()
	}
	unknown := m.unknown
	if !m.message.File.KeepUnknown {
		unknown = nil
	}
	return w.End(b, start, unknown, &m.proto)
}

func (s shapes) writeProtoField(w *wire.ProtoWriter, b []byte, f *model.Field, v any) []byte {
	switch {
	case f.Card == model.Repeated || f.Card == model.Mapped:
		list, _ := v.([]any)
		entries, _ := v.(map[any]any)
		deep := s.deep[f.Type.Message] || f.Type.Free()
		if len(list)+len(entries) == 0 || deep && !w.EnterField(b, f.Wire) {
			return b
		}
		if f.Card == model.Mapped {
			b = s.writeProtoMap(w, b, f, entries)
		} else {
			b = s.writeProtoList(w, b, f, list)
		}
		if deep {
			w.Leave()
		}
		return b
	case !isSet(f, v) || (!f.Presence || isRetired(f)) && isZero(s, f, v):
		return b
	case v == nil || v == "" && f.Type.Kind == model.KindEnum:
		w.Missing(b, f.Wire) // and required, or it would not be set
		return b
	}
	return s.writeProtoValue(w, b, f, f.Number, v)
}

// isZero says whether the value is what protobuf leaves out where there is no presence.
func isZero(s shapes, f *model.Field, v any) bool {
	switch v := v.(type) {
	case []byte:
		return len(v) == 0
	case float32:
		return math.Float32bits(v) == 0
	case float64:
		return math.Float64bits(v) == 0
	case string:
		if f.Type.Kind == model.KindEnum {
			table := s.enum(f.Type.Enum)
			return v != "" && table.Known(v) && table.Number(v) == 0
		}
		return v == ""
	}
	return v == before(&model.Field{Type: f.Type})
}

func (s shapes) writeProtoList(w *wire.ProtoWriter, b []byte, f *model.Field, list []any) []byte {
	if !f.Packed {
		for _, v := range list {
			b = s.writeProtoValue(w, b, f, f.Number, v)
		}
		return b
	}
	b = append(appendTag(b, f.Number, model.WireBytes), 0)
	at := len(b)
	for _, v := range list {
		b = s.writeProtoScalar(w, b, f.Type, v)
	}
	return w.Packed(b, at, f.Type.FixedSize())
}

func (s shapes) writeProtoMap(w *wire.ProtoWriter, b []byte, f *model.Field, entries map[any]any) []byte {
	for _, key := range sortedKeys(entries) {
		b = append(appendTag(b, f.Number, model.WireBytes), 0)
		at := len(b)
		b = s.writeProtoScalar(w, appendTag(b, 1, f.KeyType().WireType()), f.KeyType(), key)
		b = s.writeProtoValue(w, b, f, 2, entries[key])
		b = wire.Entry(w, b, at, key)
	}
	return b
}

func appendTag(b []byte, number, kind int) []byte {
	return binary.AppendUvarint(b, uint64(number)<<3|uint64(kind))
}

// writeProtoValue appends a value of the field, which stands under that number.
func (s shapes) writeProtoValue(w *wire.ProtoWriter, b []byte, f *model.Field, number int, v any) []byte {
	b = appendTag(b, number, f.WireType())
	m, _ := v.(*message)
	switch {
	case m == nil && f.Delimited:
		return w.Group(s.writeProtoScalar(w, b, f.Type, v), len(b), appendTag(nil, number, model.WireEndGroup)...)
	case m == nil:
		return s.writeProtoScalar(w, b, f.Type, v)
	case f.Delimited:
		return appendTag(s.writeProto(w, b, m), number, model.WireEndGroup)
	}
	b = append(b, 0)
	at := len(b)
	return w.Length(s.writeProto(w, b, m), at)
}

func (s shapes) writeProtoScalar(w *wire.ProtoWriter, b []byte, t model.Type, v any) []byte {
	switch t.Kind {
	case model.KindEnum:
		return w.Enum(b, s.enum(t.Enum), v.(string))
	case model.KindTime:
		return w.Time(b, v.(time.Time))
	case model.KindDuration:
		return w.Duration(b, v.(time.Duration))
	case model.KindStruct:
		return w.Struct(b, v.(map[string]any))
	case model.KindListValue:
		return w.ListValue(b, v.([]any))
	case model.KindValue:
		return w.Value(b, v)
	case model.KindBool, model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64,
		model.KindFloat32, model.KindFloat64, model.KindString, model.KindBytes, model.KindMessage:
	}
	switch t.Encoding {
	case model.Wrapped:
		return writeWrapper(w, b, v)
	case model.Zigzag:
		return writeZigzag(w, b, v)
	case model.Fixed:
		return writeFixed(w, b, v)
	case model.Plain:
	}
	switch v := v.(type) {
	case bool:
		return w.Bool(b, v)
	case int32:
		return w.Int32(b, v)
	case int64:
		return w.Int64(b, v)
	case uint32:
		return w.Uint32(b, v)
	case uint64:
		return w.Uint64(b, v)
	case float32:
		return w.Float32(b, v)
	case float64:
		return w.Float64(b, v)
	case []byte:
		return w.Bytes(b, v)
	}
	return w.String(b, v.(string))
}

func writeZigzag(w *wire.ProtoWriter, b []byte, v any) []byte {
	if v, ok := v.(int32); ok {
		return w.Sint32(b, v)
	}
	return w.Sint64(b, v.(int64))
}

func writeFixed(w *wire.ProtoWriter, b []byte, v any) []byte {
	switch v := v.(type) {
	case int32:
		return w.Sfixed32(b, v)
	case int64:
		return w.Sfixed64(b, v)
	case uint32:
		return w.Fixed32(b, v)
	}
	return w.Fixed64(b, v.(uint64))
}

func writeWrapper(w *wire.ProtoWriter, b []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		return w.BoolValue(b, v)
	case int32:
		return w.Int32Value(b, v)
	case int64:
		return w.Int64Value(b, v)
	case uint32:
		return w.Uint32Value(b, v)
	case uint64:
		return w.Uint64Value(b, v)
	case float32:
		return w.Float32Value(b, v)
	case float64:
		return w.Float64Value(b, v)
	case []byte:
		return w.BytesValue(b, v)
	}
	return w.StringValue(b, v.(string))
}
