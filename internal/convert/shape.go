package convert

import (
	"encoding/base64"
	"encoding/json"
	"strconv"
	"time"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A message is what the struct of generated code would hold.
type message struct {
	*shape
	// values are those of the fields, in the order of the schema: of the Go type
	// that generated code has, with nil for an absent one, but that lists are
	// []any, maps map[any]any, enums their names and messages *message.
	values  []any
	unknown wire.Unknown
}

// A member is the value of the field of a oneof that is set, which may be nil.
type member struct{ value any }

// A shape is what the codecs have to know of a message type.
type shape struct {
	message *model.Message
	fields  wire.Fields
	proto   wire.ProtoFields
	tags    map[uint32]tagged
	index   map[*model.Field]int
	// places are the fields that can stand at each place of the wire: one field,
	// or the members of a oneof.
	places [][]int
}

// shapes are the shapes and the tables of enums that were needed so far, and the
// messages that can nest without end.
type shapes struct {
	messages map[*model.Message]*shape
	enums    map[*model.Enum]*wire.Enum
	deep     map[*model.Message]bool
	// drop says that keys which the schema does not have are not kept.
	drop bool
}

// newShapes returns the shapes of a message and of what it holds.
func newShapes(m *model.Message) shapes {
	all := []*model.Message{m}
	seen := map[*model.Message]bool{m: true}
	for i := 0; i < len(all); i++ {
		for _, f := range all[i].Fields {
			if inner := f.Type.Message; inner != nil && !seen[inner] {
				seen[inner] = true
				all = append(all, inner)
			}
		}
	}
	return shapes{messages: map[*model.Message]*shape{}, enums: map[*model.Enum]*wire.Enum{}, deep: model.Deep(all)}
}

// empty returns a message that is yet to be read, with the values that its fields
// have before that.
func (s shapes) empty(m *model.Message, before func(*model.Field) any) *message {
	sh, known := s.messages[m]
	if !known {
		sh = newShape(m)
		s.messages[m] = sh
	}
	values := make([]any, len(m.Fields))
	for i, f := range m.Fields {
		values[i] = before(f)
	}
	return &message{shape: sh, values: values}
}

func newShape(m *model.Message) *shape {
	sh := &shape{message: m, fields: wire.Fields{Message: m.Name, Size: m.Size()}, tags: tagsOf(m), index: map[*model.Field]int{}}
	sh.proto.Fields = &sh.fields
	for i, f := range m.Fields {
		sh.index[f] = i
		sh.fields.Names = append(sh.fields.Names, f.Wire)
		sh.fields.Escaped = sh.fields.Escaped || wire.Escapes(f.Wire)
		for _, alias := range f.Aliases {
			sh.fields.Aliases = append(sh.fields.Aliases, wire.Alias{Name: alias, Index: i})
		}
		if f.Required {
			sh.fields.Required = append(sh.fields.Required, i)
		}
		sh.proto.Numbers = append(sh.proto.Numbers, int32(f.Number))
		if f.Card == model.Repeated {
			sh.proto.Lists = append(sh.proto.Lists, i)
		}
		if f.Required && f.Presence {
			sh.proto.Required = append(sh.proto.Required, i)
		}
		if f.NullIsValue() {
			sh.fields.Null = append(sh.fields.Null, i)
		}
	}
	for f, o := range m.Parts() {
		if o == nil {
			sh.places = append(sh.places, []int{sh.index[f]})
			continue
		}
		var members []int
		for _, f := range o.Fields {
			members = append(members, sh.index[f.Field])
		}
		sh.places = append(sh.places, members)
	}
	return sh
}

// enum returns the table of an enum that the readers and writers need.
func (s shapes) enum(e *model.Enum) *wire.Enum {
	table, known := s.enums[e]
	if known {
		return table
	}
	table = &wire.Enum{Name: e.Name}
	for _, v := range e.Values {
		table.Values = append(table.Values, wire.EnumValue{Name: v.Wire, Number: v.Number})
	}
	for _, v := range e.Values {
		for _, alias := range v.Aliases {
			table.Values = append(table.Values, wire.EnumValue{Name: alias, Number: v.Number, Alias: true})
		}
	}
	s.enums[e] = table
	return table
}

// before is the value of a field before its message is read: its default, or
// Go's zero value.
func before(f *model.Field) any {
	many := f.Card == model.Repeated || f.Card == model.Mapped
	switch {
	case f.Oneof != nil || many:
		return nil
	case f.Default != "":
		return defaultOf(f)
	case f.Pointer() || f.Card == model.Optional:
		return nil
	}
	switch f.Type.Kind {
	case model.KindBool:
		return false
	case model.KindInt32:
		return int32(0)
	case model.KindInt64:
		return int64(0)
	case model.KindUint32:
		return uint32(0)
	case model.KindUint64:
		return uint64(0)
	case model.KindFloat32:
		return float32(0)
	case model.KindFloat64:
		return float64(0)
	case model.KindString:
		return ""
	case model.KindBytes:
		return []byte(nil)
	case model.KindEnum:
		if zero := f.Type.Enum.Zero(); zero != nil && !f.Required {
			return zero.Wire
		}
		return ""
	case model.KindTime:
		return time.Time{}
	case model.KindDuration:
		return time.Duration(0)
	case model.KindMessage, model.KindStruct, model.KindValue, model.KindListValue:
	}
	return nil
}

// defaultOf is the value of a default, of which load has checked that it is one
// of its field's type.
func defaultOf(f *model.Field) any {
	signed := func(size int) int64 { v, _ := strconv.ParseInt(f.Default, 10, size); return v }
	unsigned := func(size int) uint64 { v, _ := strconv.ParseUint(f.Default, 10, size); return v }
	float := func(size int) float64 { v, _ := strconv.ParseFloat(f.Default, size); return v }
	text := func() (v string) { _ = json.Unmarshal([]byte(f.Default), &v); return v }
	switch f.Type.Kind {
	case model.KindBool:
		return f.Default == "true"
	case model.KindInt32:
		return int32(signed(32))
	case model.KindInt64:
		return signed(64)
	case model.KindUint32:
		return uint32(unsigned(32))
	case model.KindUint64:
		return unsigned(64)
	case model.KindFloat32:
		return float32(float(32))
	case model.KindFloat64:
		return float(64)
	case model.KindString, model.KindEnum:
		return text()
	case model.KindBytes:
		b, _ := base64.StdEncoding.DecodeString(text())
		return b
	case model.KindStruct:
		return map[string]any{}
	case model.KindListValue:
		return []any{}
	case model.KindMessage, model.KindTime, model.KindDuration, model.KindValue:
	}
	return nil
}
