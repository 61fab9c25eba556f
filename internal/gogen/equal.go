package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// equal is the body of Equal, which compares m and o.
func equal(m *model.Message) []jen.Code {
	isNil := jen.Id("m").Op("==").Nil().Op("||").Id("o").Op("==").Nil()
	body := []jen.Code{jen.If(isNil).Block(jen.Return(jen.Id("m").Op("==").Id("o")))}
	var conditions []*jen.Statement
	for f, o := range m.Parts() {
		if o != nil {
			body = append(body, equalOneof(o))
		} else if same := equalField(f); same != nil {
			conditions = append(conditions, same)
		}
	}
	if m.File.KeepUnknown {
		conditions = append(conditions, jen.Id("m").Dot("Unknown").Dot("Equal").Call(jen.Id("o").Dot("Unknown")))
	}
	if conditions == nil {
		return append(body, jen.Return(jen.True()))
	}
	all := jen.Return(conditions[0])
	for _, c := range conditions[1:] {
		all.Op("&&").Line().Add(c)
	}
	return append(body, all)
}

// equalOneof returns false where the oneof differs.
func equalOneof(o *model.Oneof) jen.Code {
	other := jen.Id("o").Dot(o.Go)
	var cases []jen.Code
	for _, m := range o.Fields {
		same := equalValue(m.Field.Type, jen.Id("v").Dot(m.Field.Go), jen.Id("w").Dot(m.Field.Go))
		if plain(m.Field.Type) {
			same = jen.Parens(same)
		}
		cases = append(cases, jen.Case(jen.Id(m.Go)).Block(
			jen.If(
				jen.List(jen.Id("w"), jen.Id("ok")).Op(":=").Add(other.Clone()).Assert(jen.Id(m.Go)),
				jen.Op("!").Id("ok").Op("||").Op("!").Add(same),
			).Block(jen.Return(jen.False()))))
	}
	cases = append(cases, jen.Default().Block(
		jen.If(jen.Id("v").Op("!=").Nil().Op("||").Add(other).Op("!=").Nil()).Block(jen.Return(jen.False()))))
	return jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)
}

// equalField is the condition that a field is written the same of m and o, or nil if it
// always is.
func equalField(f *model.Field) *jen.Statement {
	a, b := jen.Id("m").Dot(f.Go), jen.Id("o").Dot(f.Go)
	if f.Stamp {
		present := jen.Lit(f.File.Version)
		if !f.File.KeepUnknown {
			return nil
		}
		return jen.Max(a, present).Op("==").Max(b, present)
	}
	of := func(path, name string, more ...jen.Code) *jen.Statement {
		return jen.Qual(path, name).Call(append([]jen.Code{a, b}, more...)...)
	}
	isMessage := f.Type.Kind == model.KindMessage
	switch {
	case f.Card == model.Repeated && isMessage:
		return of(wirePath, "EqualMessages")
	case f.Card == model.Mapped && isMessage:
		return of(wirePath, "EqualEntries")
	case f.Card == model.Repeated && plain(f.Type):
		return of("slices", "Equal")
	case f.Card == model.Repeated:
		return of("slices", "EqualFunc", equalFunc(f.Type))
	case f.Card == model.Mapped && plain(f.Type):
		return of("maps", "Equal")
	case f.Card == model.Mapped:
		return of("maps", "EqualFunc", equalFunc(f.Type))
	case isMessage:
		return a.Dot("Equal").Call(b)
	case f.Pointer():
		return of(wirePath, "EqualPointers", equalFunc(f.Type))
	}
	same := equalValue(f.Type, a, b)
	if refersItself(f.Type) && isSet(f, a) != nil {
		isNil := func(field *jen.Statement) *jen.Statement { return jen.Parens(field.Clone().Op("==").Nil()) }
		return isNil(a).Op("==").Add(isNil(b)).Op("&&").Add(same)
	}
	return same
}

// plain says whether == compares values of the type.
func plain(t model.Type) bool {
	switch t.Kind {
	case model.KindBool, model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64, model.KindString, model.KindDuration:
		return true
	}
	return false
}

// equalValue compares two values that are there.
func equalValue(t model.Type, a, b *jen.Statement) *jen.Statement {
	switch {
	case t.Kind == model.KindMessage, t.Kind == model.KindEnum, t.Kind == model.KindTime:
		if t.Kind == model.KindMessage {
			b = jen.Op("&").Add(b)
		}
		return a.Dot("Equal").Call(b)
	case plain(t):
		return a.Op("==").Add(b)
	}
	return equalFunc(t).Call(a, b)
}

// equalFunc is the function that compares two values that are no messages.
func equalFunc(t model.Type) *jen.Statement {
	switch t.Kind {
	case model.KindFloat32, model.KindFloat64:
		return jen.Qual(wirePath, "EqualFloats")
	case model.KindBytes:
		return jen.Qual("bytes", "Equal")
	case model.KindEnum, model.KindTime:
		return goType(t).Dot("Equal")
	case model.KindValue:
		return jen.Qual(wirePath, "EqualValues")
	case model.KindStruct:
		return jen.Qual(wirePath, "EqualStructs")
	case model.KindListValue:
		return jen.Qual(wirePath, "EqualListValues")
	}
	return jen.Qual(wirePath, "Same")
}
