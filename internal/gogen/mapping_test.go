//go:build servers

package gogen_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// A mapping is the JSON of messages once more, as ADR 0004 states it, written over
// protobuf-go's reflection and encoding/json. It has nothing of coordgen but the
// names that a schema's elements have on the wire.
type mapping struct {
	keys   map[string]map[protoreflect.FieldNumber]string // by message
	values map[string]*model.Enum
}

func newMapping(s *model.Schema) mapping {
	t := mapping{keys: map[string]map[protoreflect.FieldNumber]string{}, values: map[string]*model.Enum{}}
	for _, f := range s.Files {
		for _, m := range f.Messages {
			t.keys[m.Name] = map[protoreflect.FieldNumber]string{}
			for _, field := range m.Fields {
				t.keys[m.Name][protoreflect.FieldNumber(field.Number)] = field.Wire
			}
		}
		for _, e := range f.Enums {
			t.values[e.Name] = e
		}
	}
	return t
}

// of returns a message as encoding/json would have it.
func (t mapping) of(m protoreflect.Message) any {
	object := map[string]any{}
	keys := t.keys[string(m.Descriptor().FullName())]
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		key := keys[f.Number()]
		switch {
		case f.IsMap():
			entries := map[string]any{}
			v.Map().Range(func(k protoreflect.MapKey, v protoreflect.Value) bool {
				entries[k.String()] = t.value(f.MapValue(), v)
				return true
			})
			object[key] = entries
		case f.IsList():
			elements := []any{}
			for i := range v.List().Len() {
				elements = append(elements, t.value(f, v.List().Get(i)))
			}
			object[key] = elements
		default:
			object[key] = t.value(f, v)
		}
		return true
	})
	return object
}

func (t mapping) value(f protoreflect.FieldDescriptor, v protoreflect.Value) any {
	switch {
	case f.Message() != nil && plain(f.Message()):
		// protobuf's own messages that are plain values have the form of protojson.
		text, err := protojson.Marshal(v.Message().Interface())
		if err != nil {
			panic(err)
		}
		return json.RawMessage(text)
	case f.Message() != nil:
		return t.of(v.Message())
	case f.Enum() != nil:
		for _, value := range t.values[string(f.Enum().FullName())].Values {
			if value.Number == int32(v.Enum()) {
				return value.Wire
			}
		}
		return strconv.Itoa(int(v.Enum()))
	case f.Kind() == protoreflect.BytesKind:
		return base64.StdEncoding.EncodeToString(v.Bytes())
	case f.Kind() == protoreflect.FloatKind:
		return float32(v.Float())
	}
	return v.Interface()
}

// plain says whether a message is a plain Go value: a time, a wrapper, JSON of
// any shape.
func plain(d protoreflect.MessageDescriptor) bool {
	switch d.FullName() {
	case "google.protobuf.Any", "google.protobuf.FieldMask", "google.protobuf.Empty":
		return false
	}
	return d.ParentFile().Package() == "google.protobuf" && d.ParentFile().Path() != "google/protobuf/api.proto" &&
		d.ParentFile().Path() != "google/protobuf/type.proto" && d.ParentFile().Path() != "google/protobuf/source_context.proto"
}

// read sets m to the message that text holds.
func (t mapping) read(text []byte, m protoreflect.Message) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	keys := t.keys[string(m.Descriptor().FullName())]
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		value, ok := object[keys[f.Number()]]
		if !ok {
			continue
		}
		delete(object, keys[f.Number()])
		if err := t.readField(value, m, f); err != nil {
			return fmt.Errorf("%s: %w", f.FullName(), err)
		}
	}
	for key := range object {
		return fmt.Errorf("unknown key %q", key)
	}
	return nil
}

func (t mapping) readField(text []byte, m protoreflect.Message, f protoreflect.FieldDescriptor) error {
	switch {
	case f.IsMap():
		var entries map[string]json.RawMessage
		if err := json.Unmarshal(text, &entries); err != nil {
			return err
		}
		for k, raw := range entries {
			key := protoreflect.ValueOfString(k)
			if f.MapKey().Kind() != protoreflect.StringKind {
				var err error
				if key, err = t.scalar([]byte(k), f.MapKey()); err != nil {
					return err
				}
			}
			v, err := t.readValue(raw, f.MapValue(), m.Mutable(f).Map().NewValue)
			if err != nil {
				return err
			}
			m.Mutable(f).Map().Set(key.MapKey(), v)
		}
	case f.IsList():
		var elements []json.RawMessage
		if err := json.Unmarshal(text, &elements); err != nil {
			return err
		}
		for _, raw := range elements {
			v, err := t.readValue(raw, f, m.Mutable(f).List().NewElement)
			if err != nil {
				return err
			}
			m.Mutable(f).List().Append(v)
		}
	default:
		v, err := t.readValue(text, f, func() protoreflect.Value { return m.NewField(f) })
		if err != nil {
			return err
		}
		m.Set(f, v) // to the zero value clears a field without presence
	}
	return nil
}

func (t mapping) readValue(text []byte, f protoreflect.FieldDescriptor, empty func() protoreflect.Value) (protoreflect.Value, error) {
	switch {
	case f.Message() != nil && plain(f.Message()):
		v := empty()
		return v, protojson.Unmarshal(text, v.Message().Interface())
	case f.Message() != nil:
		v := empty()
		return v, t.read(text, v.Message())
	}
	return t.scalar(text, f)
}

func (t mapping) scalar(text []byte, f protoreflect.FieldDescriptor) (protoreflect.Value, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return protoreflect.Value{}, err
	}
	number, _ := v.(json.Number)
	word, _ := v.(string)
	switch f.Kind() {
	case protoreflect.BoolKind:
		b, ok := v.(bool)
		if !ok {
			return protoreflect.Value{}, fmt.Errorf("%s is no bool", text)
		}
		return protoreflect.ValueOfBool(b), nil
	case protoreflect.StringKind:
		return protoreflect.ValueOfString(word), nil
	case protoreflect.BytesKind:
		raw, err := base64.StdEncoding.DecodeString(word)
		return protoreflect.ValueOfBytes(raw), err
	case protoreflect.EnumKind:
		for _, value := range t.values[string(f.Enum().FullName())].Values {
			if value.Wire == word {
				return protoreflect.ValueOfEnum(protoreflect.EnumNumber(value.Number)), nil
			}
		}
		n, err := strconv.ParseInt(word, 10, 32)
		return protoreflect.ValueOfEnum(protoreflect.EnumNumber(n)), err
	case protoreflect.FloatKind:
		n, err := strconv.ParseFloat(number.String(), 32)
		return protoreflect.ValueOfFloat32(float32(n)), err
	case protoreflect.DoubleKind:
		n, err := strconv.ParseFloat(number.String(), 64)
		return protoreflect.ValueOfFloat64(n), err
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind, protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		n, err := strconv.ParseUint(number.String(), 10, 64)
		if f.Kind() == protoreflect.Uint32Kind || f.Kind() == protoreflect.Fixed32Kind {
			return protoreflect.ValueOfUint32(uint32(min(n, math.MaxUint32))), err
		}
		return protoreflect.ValueOfUint64(n), err
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		n, err := strconv.ParseInt(number.String(), 10, 32)
		return protoreflect.ValueOfInt32(int32(n)), err
	}
	n, err := strconv.ParseInt(number.String(), 10, 64)
	return protoreflect.ValueOfInt64(n), err
}
