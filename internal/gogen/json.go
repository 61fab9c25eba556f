package gogen

import (
	"encoding/json"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// jsonCodec prints the JSON codec.
type jsonCodec struct {
	// opened says that a key was written for sure, so that the keys behind it
	// begin with a comma.
	opened *bool
}

func (jsonCodec) name() string { return "JSON" }
func (jsonCodec) text() string { return "JSON" }

func (jsonCodec) bridges(*printer, *model.Message) {}

func (c jsonCodec) write(m *model.Message) []jen.Code {
	c.opened = new(bool)
	body := writeFields(c, m)
	if !startsWithKey(m) {
		body = append([]jen.Code{appendText("{")}, body...)
	}
	unknown := jen.Nil()
	if m.File.KeepUnknown {
		unknown = jen.Id("m").Dot("Unknown")
	}
	return append(body, jen.Return(call("w", "CloseObject", jen.Id("b"), unknown)))
}

// startsWithKey says whether the object's brace is part of the first key.
func startsWithKey(m *model.Message) bool {
	if len(m.Fields) == 0 {
		return false
	}
	f := m.Fields[0]
	return f.Oneof == nil && isSet(f, jen.Empty()) == nil && mustBeSetAlways(f)
}

// mustBeSetAlways says whether the field is written without any condition.
func mustBeSetAlways(f *model.Field) bool { return !f.Required || mustBeSet(f) == nil }

func (c jsonCodec) key(f *model.Field, always bool) jen.Code {
	always = always && mustBeSetAlways(f)
	quoted := quote(f.Wire) + ":"
	switch {
	case *c.opened:
		return appendText("," + quoted)
	case !always:
		return jen.Id("b").Op("=").Add(call("w", "Key", jen.Id("b"), jen.Lit(f.Wire)))
	}
	*c.opened = true
	if f.Oneof == nil {
		return appendText("{" + quoted)
	}
	return appendText("," + quoted)
}

func (jsonCodec) list(field *jen.Statement, element func(*jen.Statement) jen.Code, byIndex bool) []jen.Code {
	comma := jen.If(jen.Id("i").Op(">").Lit(0)).Block(jen.Id("b").Op("=").Append(jen.Id("b"), jen.LitRune(',')))
	return []jen.Code{
		jen.Id("b").Op("=").Append(jen.Id("b"), jen.LitRune('[')),
		eachElement(field, byIndex, true, comma, element),
		jen.Id("b").Op("=").Append(jen.Id("b"), jen.LitRune(']')),
	}
}

func (jsonCodec) entries(f *model.Field, field *jen.Statement, element func(*jen.Statement) jen.Code) []jen.Code {
	var key jen.Code
	switch f.Key {
	case model.KindString:
		key = call("w", "StringKey", jen.Id("b"), jen.Id("key"))
	case model.KindBool:
		key = call("w", "BoolKey", jen.Id("b"), jen.Id("key"))
	case model.KindInt32, model.KindInt64:
		key = call("w", "IntKey", jen.Id("b"), jen.Int64().Call(jen.Id("key")))
	default:
		key = call("w", "UintKey", jen.Id("b"), jen.Uint64().Call(jen.Id("key")))
	}
	return []jen.Code{
		appendText("{"),
		eachEntry(f, field, jen.Id("b").Op("=").Add(key), element),
		appendText("}"),
	}
}

// eachElement loops over a list. Messages are reached by index, so that they are
// not copied.
func eachElement(field *jen.Statement, byIndex, needIndex bool, before jen.Code, element func(*jen.Statement) jen.Code) jen.Code {
	body := []jen.Code{before}
	if before == nil {
		body = nil
	}
	if byIndex {
		return jen.For(jen.Id("i").Op(":=").Range().Add(field)).Block(append(body, element(field.Clone().Index(jen.Id("i"))))...)
	}
	index := "_"
	if needIndex {
		index = "i"
	}
	return jen.For(jen.List(jen.Id(index), jen.Id("v")).Op(":=").Range().Add(field)).Block(append(body, element(jen.Id("v")))...)
}

// eachEntry loops over a map in the order of its keys.
func eachEntry(f *model.Field, field *jen.Statement, key jen.Code, element func(*jen.Statement) jen.Code) jen.Code {
	sorted := "SortedKeys"
	if f.Key == model.KindBool {
		sorted = "SortedBoolKeys"
	}
	body := []jen.Code{key}
	if readsItself(f.Type) {
		body = append(body, jen.Id("value").Op(":=").Add(field.Clone().Index(jen.Id("key"))), element(jen.Id("value")))
	} else {
		body = append(body, element(field.Clone().Index(jen.Id("key"))))
	}
	return jen.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Qual(wirePath, sorted).Call(field)).Block(body...)
}

// quote returns name as a JSON string.
func quote(name string) string {
	text, err := json.Marshal(name)
	if err != nil {
		panic("gogen: quote " + name + ": " + err.Error()) // load has checked that it is UTF-8
	}
	return string(text)
}
