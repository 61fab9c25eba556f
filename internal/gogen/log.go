package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

const slogPath = "log/slog"

// logValue is the body of LogValue: a group of the fields that are set.
func logValue(m *model.Message) []jen.Code {
	body := []jen.Code{jen.Id("a").Op(":=").Make(jen.Index().Qual(slogPath, "Attr"), jen.Lit(0), jen.Lit(len(m.Fields)))}
	for f, o := range m.Parts() {
		if o != nil {
			body = append(body, logOneof(o))
			continue
		}
		field := jen.Id("m").Dot(f.Go)
		shown := jen.Id("a").Op("=").Append(jen.Id("a"), attr(f, field))
		if set := isShown(f, field); set != nil {
			body = append(body, jen.If(set).Block(shown))
		} else {
			body = append(body, shown)
		}
	}
	return append(body, jen.Return(jen.Qual(slogPath, "GroupValue").Call(jen.Id("a").Op("..."))))
}

// isShown is the condition on which a field is logged, or nil if it always is.
func isShown(f *model.Field, field *jen.Statement) *jen.Statement {
	switch {
	case f.Card == model.Repeated || f.Card == model.Mapped, f.Type.Kind == model.KindBytes:
		return jen.Len(field.Clone()).Op(">").Lit(0)
	case f.Pointer():
		return field.Clone().Op("!=").Nil()
	}
	return isSet(f, field)
}

func logOneof(o *model.Oneof) jen.Code {
	var cases []jen.Code
	for _, m := range o.Fields {
		cases = append(cases, jen.Case(jen.Id(m.Go)).Block(
			jen.Id("a").Op("=").Append(jen.Id("a"), attr(m.Field, jen.Id("v").Dot(m.Field.Go)))))
	}
	return jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)
}

// attr is a field with its key.
func attr(f *model.Field, field *jen.Statement) jen.Code {
	key := jen.Lit(f.Wire)
	of := func(name string, value jen.Code) jen.Code { return jen.Qual(slogPath, name).Call(key, value) }
	isMessage := f.Type.Kind == model.KindMessage
	switch {
	case f.Sensitive:
		return of("String", jen.Qual(wirePath, "Sensitive"))
	case f.Card == model.Repeated && isMessage:
		return of("Any", jen.Qual(wirePath, "LogMessages").Call(field))
	case f.Card == model.Mapped && f.Key == model.KindBool:
		return of("Any", jen.Qual(wirePath, "LogBoolEntries").Call(field))
	case f.Card == model.Mapped && isMessage:
		return of("Any", jen.Qual(wirePath, "LogEntries").Call(field))
	case f.Card == model.Repeated || f.Card == model.Mapped || isMessage:
		return of("Any", field)
	case f.Pointer():
		field = jen.Op("*").Add(field)
	}
	switch f.Type.Kind {
	case model.KindBool:
		return of("Bool", field)
	case model.KindInt32, model.KindInt64:
		return of("Int64", widened(f, model.KindInt64, field))
	case model.KindUint32, model.KindUint64:
		return of("Uint64", widened(f, model.KindUint64, field))
	case model.KindFloat32, model.KindFloat64:
		return of("Float64", widened(f, model.KindFloat64, field))
	case model.KindString:
		return of("String", field)
	case model.KindEnum:
		return of("String", jen.String().Call(field))
	case model.KindTime:
		return of("Time", field)
	case model.KindDuration:
		return of("Duration", field)
	}
	return of("Any", field)
}

// widened converts a number to the kind that a log knows, where it is another.
func widened(f *model.Field, to model.Kind, value *jen.Statement) *jen.Statement {
	if f.Type.Kind == to {
		return value
	}
	return goType(model.Type{Kind: to}).Call(value)
}
