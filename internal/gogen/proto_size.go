package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// protoSize prints the method that tells how many bytes the message takes, so that
// they can be allocated at once.
func (p *printer) protoSize(m *model.Message) {
	var body []jen.Code
	if p.deep[m] {
		body = append(body, jen.If(jen.Op("!").Add(call("s", "Enter"))).Block(jen.Return(jen.Lit(0))))
	}
	size := jen.Lit(0)
	if m.File.KeepUnknown {
		size = call("s", "Unknown", jen.Id("m").Dot("Unknown"))
	}
	body = append(body, jen.Id("n").Op(":=").Add(size))
	for _, f := range m.ByNumber() {
		body = append(body, p.protoSizeField(f))
	}
	for _, o := range m.Oneofs {
		body = append(body, protoSizeOneof(o))
	}
	if p.deep[m] {
		body = append(body, call("s", "Leave"))
	}
	p.add(godoc.Lines("SizeProto returns how many bytes WriteProto appends. It serves AppendProto and the messages that hold this one.", model.Doc{}),
		pointerMethod("m", m.Go, "SizeProto").Params(jen.Id("s").Op("*").Qual(wirePath, "ProtoSizer")).Int().
			Block(append(body, jen.Return(jen.Id("n")))...))
}

func (p *printer) protoSizeField(f *model.Field) jen.Code {
	field := jen.Id("m").Dot(f.Go)
	switch f.Card {
	case model.Repeated, model.Mapped:
		sized := protoSizeList(f, field)
		if f.Card == model.Mapped {
			sized = protoSizeMap(f, field)
		}
		if !p.deep[f.Type.Message] && !f.Type.Free() {
			return sized
		}
		return jen.If(call("s", "Enter")).Block(sized, call("s", "Leave"))
	case model.Single, model.Optional:
	}
	set := protoIsSet(f)
	if set == nil && f.Pointer() {
		set = field.Clone().Op("!=").Nil() // or the message can't be written
	}
	value := field.Clone()
	if f.Pointer() && !readsItself(f.Type) {
		value = jen.Op("*").Add(field)
	}
	sized := jen.Id("n").Op("+=").Add(protoValueSize(f, f.Number, value))
	if set == nil {
		return sized
	}
	return jen.If(set).Block(sized)
}

// protoValueSize is the size of one value of the field, with its tag.
func protoValueSize(f *model.Field, number int, value *jen.Statement) *jen.Statement {
	tag := len(protoTag(number, 0))
	switch {
	case f.Type.Kind == model.KindMessage && f.Delimited:
		return jen.Lit(2 * tag).Op("+").Add(value).Dot("SizeProto").Call(jen.Id("s"))
	case f.Type.Kind == model.KindMessage:
		return jen.Lit(tag).Op("+").Add(call("s", "Length", value.Dot("SizeProto").Call(jen.Id("s"))))
	}
	return jen.Lit(tag).Op("+").Add(protoScalarSize(f.Type, value))
}

// protoScalarSize is the size of a value that is no message, without a tag.
func protoScalarSize(t model.Type, value *jen.Statement) *jen.Statement {
	if t.Kind == model.KindEnum {
		return call("s", "Int32", value.Dot("Number").Call())
	}
	return call("s", protoScalar(t), value)
}

func protoSizeList(f *model.Field, field *jen.Statement) jen.Code {
	n := jen.Id("n").Op("+=").Null()
	if !f.Packed {
		return eachElement(f, field, nil, func(v *jen.Statement) jen.Code { return n.Add(protoValueSize(f, f.Number, v)) })
	}
	tag := jen.Lit(len(protoTag(f.Number, 0))).Op("+").Null()
	if size := f.Type.FixedSize(); size > 0 {
		return jen.If(jen.Len(field).Op(">").Lit(0)).Block(
			n.Add(tag).Add(call("s", "Length", jen.Lit(size).Op("*").Len(field))))
	}
	return jen.If(jen.Len(field).Op(">").Lit(0)).Block(
		jen.Id("l").Op(":=").Lit(0),
		jen.For(jen.List(jen.Id("_"), jen.Id("v")).Op(":=").Range().Add(field)).Block(
			jen.Id("l").Op("+=").Add(protoScalarSize(f.Type, jen.Id("v")))),
		n.Add(tag).Add(call("s", "Length", jen.Id("l"))),
	)
}

func protoSizeMap(f *model.Field, field *jen.Statement) jen.Code {
	entry := jen.Lit(1).Op("+").Add(protoScalarSize(f.KeyType(), jen.Id("key"))).Op("+").Add(protoValueSize(f, 2, jen.Id("value")))
	return jen.For(jen.List(jen.Id("key"), jen.Id("value")).Op(":=").Range().Add(field)).Block(
		jen.Id("n").Op("+=").Lit(len(protoTag(f.Number, 0))).Op("+").Add(call("s", "Length", entry)))
}

func protoSizeOneof(o *model.Oneof) jen.Code {
	cases := make([]jen.Code, len(o.Fields))
	for i, m := range o.Fields {
		cases[i] = jen.Case(jen.Id(m.Go)).Block(
			jen.Id("n").Op("+=").Add(protoValueSize(m.Field, m.Field.Number, jen.Id("v").Dot(m.Field.Go))))
	}
	return jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)
}
