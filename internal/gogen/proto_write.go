package gogen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// protoWrite prints the method that appends the message.
func (p *printer) protoWrite(m *model.Message) {
	body := []jen.Code{jen.Id("start").Op(":=").Len(jen.Id("b"))}
	for _, f := range m.ByNumber() {
		body = append(body, p.protoWriteField(f)...)
	}
	for _, o := range m.Oneofs {
		body = append(body, protoWriteOneof(o))
	}
	unknown := jen.Nil()
	if m.File.KeepUnknown {
		unknown = jen.Id("m").Dot("Unknown")
	}
	body = p.deep.counted(m, append(reverted(m, body), jen.Return(
		call("w", "End", jen.Id("b"), jen.Id("start"), unknown, jen.Op("&").Id(protoTable(m))))))
	p.add(godoc.Lines("WriteProto appends the message to b. It serves AppendProto and the messages that hold this one.", model.Doc{}),
		pointerMethod("m", m.Go, "WriteProto").Params(jen.Id("w").Op("*").Qual(wirePath, "ProtoWriter"), jen.Id("b").Index().Byte()).
			Index().Byte().Block(body...))
}

func (p *printer) protoWriteField(f *model.Field) []jen.Code {
	var written []jen.Code
	switch field := fieldOf(f); f.Card {
	case model.Repeated:
		written = p.protoLevel(f, protoWriteList(f, field))
	case model.Mapped:
		written = p.protoLevel(f, protoWriteMap(f, field))
	case model.Single, model.Optional:
		written = protoWriteSingle(f, field)
	}
	if since := has(f); since != nil {
		written = []jen.Code{jen.If(since).Block(written...)}
	}
	return append(missing(f), written...)
}

func protoWriteSingle(f *model.Field, field *jen.Statement) []jen.Code {
	value := field.Clone()
	if f.Pointer() && !readsItself(f.Type) {
		value = jen.Op("*").Add(field)
	}
	written := protoWriteValue(f, f.Number, value)
	set := protoIsSet(f)
	switch {
	case f.Required && mustBeSet(f) != nil:
		missing := jen.If(mustBeSet(f)).Block(call("w", "Missing", jen.Id("b"), jen.Lit(f.Wire))).Else()
		if set != nil && !f.Pointer() && f.Type.Kind != model.KindValue {
			return []jen.Code{missing.If(set).Block(written)}
		}
		return []jen.Code{missing.Block(written)}
	case set == nil:
		return []jen.Code{written}
	}
	return []jen.Code{jen.If(set).Block(written)}
}

// protoLevel makes the statements that append a list or a map count as a level
// where they have to.
func (p *printer) protoLevel(f *model.Field, statements []jen.Code) []jen.Code {
	if !p.deep[f.Type.Message] && !f.Type.Free() {
		return statements
	}
	return []jen.Code{
		jen.If(jen.Len(jen.Id("m").Dot(f.Go)).Op(">").Lit(0).Op("&&").Add(call("w", "EnterField", jen.Id("b"), jen.Lit(f.Wire)))).
			Block(append(statements, call("w", "Leave"))...),
	}
}

// protoWriteValue appends one value of the field, which stands under that number.
func protoWriteValue(f *model.Field, number int, value *jen.Statement) jen.Code {
	tag := protoTag(number, f.WireType())
	switch b := jen.Id("b").Op("=").Null(); {
	case f.Type.Kind == model.KindMessage && f.Delimited:
		inner := value.Dot("WriteProto").Call(jen.Id("w"), appended(tag))
		return b.Append(append([]jen.Code{inner}, hexBytes(protoTag(number, model.WireEndGroup))...)...)
	case f.Type.Kind == model.KindMessage:
		inner := value.Dot("WriteProto").Call(jen.Id("w"), appended(append(slices.Clone(tag), 0)))
		return b.Add(call("w", "Length", inner, jen.Len(jen.Id("b")).Op("+").Lit(len(tag)+1)))
	case f.Type.Kind == model.KindEnum:
		return b.Add(value).Dot("WriteProto").Call(jen.Id("w"), appended(tag))
	}
	inner := call("w", protoScalar(f.Type), appended(tag), value)
	if f.Delimited {
		end := hexBytes(protoTag(number, model.WireEndGroup))
		inner = call("w", "Group", append([]jen.Code{inner, jen.Len(jen.Id("b")).Op("+").Lit(len(tag))}, end...)...)
	}
	return jen.Id("b").Op("=").Add(inner)
}

func protoWriteList(f *model.Field, field *jen.Statement) []jen.Code {
	if !f.Packed {
		element := func(v *jen.Statement) jen.Code { return protoWriteValue(f, f.Number, v) }
		return []jen.Code{eachElement(f, field, nil, element)}
	}
	value := jen.Id("b").Op("=").Null()
	if f.Type.Kind == model.KindEnum {
		value.Id("v").Dot("WriteProto").Call(jen.Id("w"), jen.Id("b"))
	} else {
		value.Add(call("w", protoScalar(f.Type), jen.Id("b"), jen.Id("v")))
	}
	return []jen.Code{jen.If(jen.Len(field).Op(">").Lit(0)).Block(
		jen.Id("b").Op("=").Add(appended(append(protoTag(f.Number, model.WireBytes), 0))),
		jen.Id("at").Op(":=").Len(jen.Id("b")),
		jen.For(jen.List(jen.Id("_"), jen.Id("v")).Op(":=").Range().Add(field)).Block(value),
		jen.Id("b").Op("=").Add(call("w", "Packed", jen.Id("b"), jen.Id("at"), jen.Lit(f.Type.FixedSize()))),
	)}
}

func protoWriteMap(f *model.Field, field *jen.Statement) []jen.Code {
	sorted := "SortedKeys"
	if f.Key == model.KindBool {
		sorted = "SortedBoolKeys"
	}
	body := []jen.Code{
		jen.Id("b").Op("=").Add(appended(append(protoTag(f.Number, model.WireBytes), 0))),
		jen.Id("at").Op(":=").Len(jen.Id("b")),
		jen.Id("b").Op("=").Add(call("w", protoScalar(f.KeyType()), appended(protoTag(1, f.KeyType().WireType())), jen.Id("key"))),
	}
	value := field.Clone().Index(jen.Id("key"))
	if f.Type.Kind == model.KindMessage {
		body = append(body, jen.Id("value").Op(":=").Add(value))
		value = jen.Id("value")
	}
	body = append(body,
		protoWriteValue(f, 2, value),
		jen.Id("b").Op("=").Qual(wirePath, "Entry").Call(jen.Id("w"), jen.Id("b"), jen.Id("at"), jen.Id("key")))
	return []jen.Code{jen.For(jen.List(jen.Id("_"), jen.Id("key")).Op(":=").Range().Qual(wirePath, sorted).Call(field)).Block(body...)}
}

func protoWriteOneof(o *model.Oneof) jen.Code {
	cases := []jen.Code{jen.Case(jen.Nil())}
	for _, m := range o.Fields {
		cases = append(cases, memberOf(m, protoWriteValue(m.Field, m.Field.Number, jen.Id("v").Dot(m.Field.Go))))
	}
	cases = append(cases, jen.Default().Block(call("w", "Reject", jen.Id("b"), jen.Lit(o.Name), jen.Id("v"))))
	return jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)
}
