package docgen

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/coordgen/coordgen/internal/model"
)

// The schemas are JSON Schema draft 7, which AsyncAPI has for payloads. They
// describe what is written in JSON. In draft 7 nothing that stands beside a $ref
// counts, so one with a comment is wrapped.

func ref(kind, name string) object { return object{{"$ref", "#/components/" + kind + "/" + name}} }

// annotate adds what is said of an element to its schema.
func annotate(schema object, d model.Doc, since, until int, aliases []string) object {
	var said object
	said = said.with("description", d.Text).with("deprecated", d.Deprecated)
	if since > 1 {
		said = append(said, member{"x-coordgen-since", number(since)})
	}
	if until > 0 {
		said = append(said, member{"x-coordgen-until", number(until)})
	}
	return append(schema, said.with("x-coordgen-aliases", list(aliases))...)
}

func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

func list[T any](values []T) []any {
	all := make([]any, len(values))
	for i, v := range values {
		all[i] = v
	}
	return all
}

// messageSchema describes a message.
func messageSchema(m *model.Message) object {
	var properties object
	var required []string
	for _, f := range m.Fields {
		properties = append(properties, member{f.Wire, fieldSchema(f)})
		if f.Required {
			required = append(required, f.Wire)
		}
	}
	var oneofs []object
	for _, o := range m.Oneofs {
		oneofs = append(oneofs, atMostOne(o))
	}
	s := annotate(object{{"type", "object"}}, m.Doc, 1, 0, nil).
		with("properties", properties).
		with("required", list(required)).
		with("allOf", list(oneofs)).
		with("x-coordgen-role", m.Role.String())
	if !m.File.KeepUnknown {
		s = append(s, member{"x-coordgen-unknown-fields", "drop"})
	}
	return s
}

// atMostOne allows one member of a oneof, or none: of the alternatives, each of
// which asks for one of them and the last for none, exactly one is to be true.
func atMostOne(o *model.Oneof) object {
	present := make([]any, len(o.Fields))
	for i, m := range o.Fields {
		present[i] = object{{"required", []any{m.Field.Wire}}}
	}
	none := object{{"not", object{{"anyOf", present}}}}
	return object{}.with("description", o.Doc.Text).with("oneOf", append(slices.Clip(present), none))
}

// fieldSchema describes what stands behind a field's key.
func fieldSchema(f *model.Field) object {
	s := valueSchema(f.Type)
	switch f.Card {
	case model.Repeated:
		s = object{{"type", "array"}, {"items", s}}
	case model.Mapped:
		s = object{{"type", "object"}}.with("propertyNames", keySchema(f.Key))
		s = append(s, member{"additionalProperties", valueSchema(f.Type)})
	}
	var said object
	if f.Required && f.Card == model.Single && f.Type.Kind == model.KindValue {
		said = append(said, member{"not", object{{"type", "null"}}})
	}
	if value := absentValue(f); value != "" {
		said = append(said, member{"default", parseJSON(value)})
	}
	said = annotate(said, f.Doc, f.Since, f.Until, f.Aliases).with("x-coordgen-role", f.Role.String())
	if len(said) > 0 && len(s) > 0 && s[0].key == "$ref" {
		s = object{{"allOf", []any{s}}}
	}
	return append(s, said...)
}

// keySchema describes a map's keys, which are text.
func keySchema(k model.Kind) object {
	switch k {
	case model.KindBool:
		return object{{"enum", []any{"true", "false"}}}
	case model.KindInt32, model.KindInt64:
		return object{{"pattern", "^(0|-?[1-9][0-9]*)$"}}
	case model.KindUint32, model.KindUint64:
		return object{{"pattern", "^(0|[1-9][0-9]*)$"}}
	}
	return nil
}

// valueSchema describes one value.
func valueSchema(t model.Type) object {
	integer := func(format, low, high string) object {
		return object{{"type", "integer"}, {"format", format}, {"minimum", json.Number(low)}, {"maximum", json.Number(high)}}
	}
	switch {
	case t.Quoted:
		return append(object{{"type", "string"}}, keySchema(t.Kind)...)
	case t.IsNull():
		return object{{"type", "null"}}
	case t.IsPaths():
		return object{{"type", "string"}, {"examples", []any{"id,order.placedAt"}}}
	case t.Protojson && (t.Kind == model.KindFloat32 || t.Kind == model.KindFloat64):
		t.Protojson = false
		return object{{"anyOf", []any{valueSchema(t), object{{"enum", []any{"NaN", "Infinity", "-Infinity"}}}}}}
	}
	switch t.Kind {
	case model.KindBool:
		return object{{"type", "boolean"}}
	case model.KindInt32:
		return integer("int32", fmt.Sprint(math.MinInt32), fmt.Sprint(math.MaxInt32))
	case model.KindInt64:
		return integer("int64", fmt.Sprint(math.MinInt64), fmt.Sprint(math.MaxInt64))
	case model.KindUint32:
		return integer("uint32", "0", fmt.Sprint(math.MaxUint32))
	case model.KindUint64:
		return integer("uint64", "0", fmt.Sprint(uint64(math.MaxUint64)))
	case model.KindFloat32:
		return object{{"type", "number"}, {"format", "float"}}
	case model.KindFloat64:
		return object{{"type", "number"}, {"format", "double"}}
	case model.KindBytes:
		return object{{"type", "string"}, {"contentEncoding", "base64"}}
	case model.KindTime:
		return object{{"type", "string"}, {"format", "date-time"}}
	case model.KindDuration:
		return object{{"type", "string"}, {"pattern", `^-?[0-9]+(\.[0-9]{1,9})?s$`}, {"examples", []any{"1.500s"}}}
	case model.KindEnum:
		return ref("schemas", t.Enum.Name)
	case model.KindMessage:
		return ref("schemas", t.Message.Name)
	case model.KindStruct:
		return object{{"type", "object"}}
	case model.KindListValue:
		return object{{"type", "array"}}
	case model.KindValue:
		return object{}
	}
	return object{{"type", "string"}}
}

// enumSchema describes an enum. A value of another version keeps its name, so
// that any text is one, or in protojson's form its number.
func enumSchema(e *model.Enum) object {
	var values []any
	for _, v := range e.Values {
		values = append(values, annotate(object{{"const", v.Wire}}, v.Doc, v.Since, v.Until, v.Aliases))
	}
	types, other := any("string"), "The name of a value that this version of the schema does not have."
	if e.File.Protojson {
		types, other = []any{"string", "integer"}, "The number of a value that this version of the schema does not have, or its name."
	}
	values = append(values, object{{"minLength", number(1)}, {"description", other}})
	return annotate(object{{"type", types}}, e.Doc, 1, 0, nil).with("anyOf", values)
}
