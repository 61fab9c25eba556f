package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// jsonCodec prints the JSON codec.
type jsonCodec struct {
	deepSet

	// begun says that something of the object was printed; opened that it has a
	// key for sure, so that the keys behind it begin with a comma.
	begun, opened bool
}

func (*jsonCodec) name() string { return "JSON" }
func (*jsonCodec) text() string { return "JSON" }

func (*jsonCodec) scalar(t model.Type) string {
	switch {
	case t.Quoted:
		return "Quoted" + scalar(t.Kind)
	case t.Protojson && protojsonWrites(t.Kind):
		return protojson + scalar(t.Kind)
	}
	return scalar(t.Kind)
}

func (*jsonCodec) bridges(*printer, *model.Message) {}

func (c *jsonCodec) write(m *model.Message) []jen.Code {
	c.begun, c.opened = false, false
	var body []jen.Code
	if len(m.Fields) == 0 || m.Fields[0].Oneof != nil || isWritten(m.Fields[0], c.isSet(m.Fields[0])) != nil {
		c.begun = true
		body = append(body, appendText("{"))
	}
	body = append(body, writeFields(c, m)...)
	unknown, fields := jen.Nil(), jen.Nil()
	if m.File.KeepUnknown {
		unknown, fields = jen.Id("m").Dot("Unknown"), jen.Op("&").Id(fieldsTable(m))
	}
	return c.counted(m, append(reverted(m, body), jen.Return(call("w", "CloseObject", jen.Id("b"), unknown, fields))))
}

// readKey is the key with its colon. A brace or a comma stands before it.
func (*jsonCodec) readKey(f *model.Field) (key string, before int, literal string) {
	key = quote(f.Wire) + ":"
	return key, 1, goString(key)
}

func (c *jsonCodec) key(f *model.Field, always bool) jen.Code {
	bracket := ""
	switch f.Card {
	case model.Repeated:
		bracket = "["
	case model.Mapped:
		bracket = "{"
	}
	begun, opened := c.begun, c.opened
	c.begun, c.opened = true, opened || always
	return written(f, func(name string) jen.Code {
		switch {
		case opened:
			return appendText("," + quote(name) + ":" + bracket)
		case !begun:
			return appendText("{" + quote(name) + ":" + bracket)
		}
		key := call("w", "Key", jen.Id("b"), jen.Lit(name))
		if bracket != "" {
			return jen.Id("b").Op("=").Append(key, jen.LitRune(rune(bracket[0])))
		}
		return jen.Id("b").Op("=").Add(key)
	})
}

func (*jsonCodec) list(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code {
	comma := jen.If(jen.Id("i").Op(">").Lit(0)).Block(appendText(","))
	return []jen.Code{eachElement(f, field, comma, element), appendText("]")}
}

func (*jsonCodec) entries(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code {
	var key jen.Code
	switch f.Key {
	case model.KindString:
		key = call("w", "Key", jen.Id("b"), jen.Id("key"))
	case model.KindBool:
		key = call("w", "BoolKey", jen.Id("b"), jen.Id("key"))
	case model.KindInt32, model.KindInt64:
		key = call("w", "IntKey", jen.Id("b"), jen.Int64().Call(jen.Id("key")))
	default:
		key = call("w", "UintKey", jen.Id("b"), jen.Uint64().Call(jen.Id("key")))
	}
	return []jen.Code{
		eachEntry(f, field, jen.Id("b").Op("=").Add(key), element),
		appendText("}"),
	}
}

// eachElement loops over a list, with a comma between the elements where the
// format has one. Messages are reached by index, so that they are not copied.
func eachElement(f *model.Field, field *jen.Statement, comma jen.Code, element elementWriter) jen.Code {
	var body []jen.Code
	index := "_"
	if comma != nil {
		body = append(body, comma)
		index = "i"
	}
	if f.Type.Kind == model.KindMessage || f.Type.IsNull() {
		return jen.For(jen.Id("i").Op(":=").Range().Add(field)).Block(
			append(body, element(field.Clone().Index(jen.Id("i"))))...)
	}
	return jen.For(jen.List(jen.Id(index), jen.Id("v")).Op(":=").Range().Add(field)).Block(
		append(body, element(jen.Id("v")))...)
}

// eachEntry loops over a map in the order of its keys.
func eachEntry(f *model.Field, field *jen.Statement, key jen.Code, element elementWriter) jen.Code {
	sorted := "SortedKeys"
	if f.Key == model.KindBool {
		sorted = "SortedBoolKeys"
	}
	body := []jen.Code{key}
	if readsItself(f.Type) && !f.Type.IsNull() {
		body = append(body, jen.Id("value").Op(":=").Add(field.Clone().Index(jen.Id("key"))), element(jen.Id("value")))
	} else {
		body = append(body, element(field.Clone().Index(jen.Id("key"))))
	}
	return jen.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Qual(wirePath, sorted).Call(field)).Block(body...)
}

// quote returns name as a JSON string, as the runtime writes strings.
func quote(name string) string {
	w := wire.NewJSONWriter(nil)
	return string(w.String(nil, name)) // load has checked that it is UTF-8
}
