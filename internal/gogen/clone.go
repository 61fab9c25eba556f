package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// clone is the body of Clone, which copies the struct and then what it refers to.
func clone(m *model.Message) []jen.Code {
	body := []jen.Code{
		jen.If(jen.Id("m").Op("==").Nil()).Block(jen.Return(jen.Nil())),
		jen.Id("c").Op(":=").Op("*").Id("m"),
	}
	for f, o := range m.Parts() {
		switch {
		case o != nil:
			body = append(body, cloneOneof(o)...)
		case refers(f):
			body = append(body, jen.Id("c").Dot(f.Go).Op("=").Add(cloneField(f, jen.Id("m").Dot(f.Go))))
		}
	}
	if m.File.KeepUnknown {
		body = append(body, jen.Id("c").Dot("Unknown").Op("=").Id("m").Dot("Unknown").Dot("Clone").Call())
	}
	return append(body, jen.Return(jen.Op("&").Id("c")))
}

// cloneOneof copies the members that refer to something.
func cloneOneof(o *model.Oneof) []jen.Code {
	var cases []jen.Code
	for _, m := range o.Fields {
		if refersItself(m.Field.Type) {
			value := jen.Id("v").Dot(m.Field.Go)
			copied := cloneFunc(m.Field.Type)
			if copied == nil {
				copied = jen.Op("*").Add(value).Dot("Clone").Call()
			} else {
				copied = copied.Call(value)
			}
			cases = append(cases, jen.Case(jen.Id(m.Go)).Block(
				jen.Id("c").Dot(o.Go).Op("=").Id(m.Go).Values(jen.Id(m.Field.Go).Op(":").Add(copied))))
		}
	}
	if cases == nil {
		return nil
	}
	return []jen.Code{jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)}
}

// refers says whether a copy of the struct shares something with it by the field.
func refers(f *model.Field) bool {
	return f.Card == model.Repeated || f.Card == model.Mapped || f.Pointer() || refersItself(f.Type)
}

// refersItself says the same of one value.
func refersItself(t model.Type) bool {
	return t.Kind == model.KindMessage || t.Kind == model.KindBytes || t.Free()
}

func cloneField(f *model.Field, field *jen.Statement) *jen.Statement {
	isMessage := f.Type.Kind == model.KindMessage
	switch {
	case f.Card == model.Repeated && isMessage:
		return jen.Qual(wirePath, "CloneMessages").Call(field)
	case f.Card == model.Mapped && isMessage:
		return jen.Qual(wirePath, "CloneEntries").Call(field)
	case f.Card == model.Repeated && refersItself(f.Type):
		return jen.Qual(wirePath, "CloneList").Call(field, cloneFunc(f.Type))
	case f.Card == model.Mapped && refersItself(f.Type):
		return jen.Qual(wirePath, "CloneMap").Call(field, cloneFunc(f.Type))
	case f.Card == model.Repeated:
		return jen.Qual("slices", "Clone").Call(field)
	case f.Card == model.Mapped:
		return jen.Qual("maps", "Clone").Call(field)
	case isMessage:
		return field.Dot("Clone").Call()
	case f.Pointer():
		return jen.Qual(wirePath, "ClonePointer").Call(field)
	}
	return cloneFunc(f.Type).Call(field)
}

// cloneFunc is the function that copies a value that refers to something, or nil
// for a message.
func cloneFunc(t model.Type) *jen.Statement {
	switch t.Kind {
	case model.KindBytes:
		return jen.Qual("bytes", "Clone")
	case model.KindValue:
		return jen.Qual(wirePath, "CloneValue")
	case model.KindStruct:
		return jen.Qual(wirePath, "CloneStruct")
	case model.KindListValue:
		return jen.Qual(wirePath, "CloneListValue")
	}
	return nil
}
