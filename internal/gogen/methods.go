package gogen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// methods prints what messages have beside their codecs.
func (p *printer) methods() {
	for _, e := range p.file.Enums {
		written := func(of string) *jen.Statement {
			return jen.Id(enumTable(e)).Dot("Written").Call(jen.String().Call(jen.Id(of)))
		}
		p.method("Equal says whether both values are written the same.",
			method("e", e.Go, "Equal").Params(jen.Id("o").Id(e.Go)).Bool().Block(
				jen.Return(written("e").Op("==").Add(written("o")))))
	}
	for _, m := range p.file.Messages {
		pointer := jen.Op("*").Id(m.Go)
		p.method("Reset empties m: it holds what an empty message that was read does.",
			pointerMethod("m", m.Go, "Reset").Params().Block(
				jen.Op("*").Id("m").Op("=").Id(m.Go).Values(defaults(m)...)))
		if keepsMemory(m) {
			p.method("recycle is Reset that keeps the memory of lists and maps.",
				pointerMethod("m", m.Go, "recycle").Params().Block(
					jen.Op("*").Id("m").Op("=").Id(m.Go).Values(multiline(recycled(m))...)))
		}
		p.method("Equal says whether both messages are written the same. NaN equals NaN, and a nil message only another.",
			pointerMethod("m", m.Go, "Equal").Params(jen.Id("o").Add(pointer)).Bool().Block(equal(m)...))
		p.method("Clone returns a copy of the message and of all that it holds. That of nil is nil.",
			pointerMethod("m", m.Go, "Clone").Params().Add(pointer).Block(clone(m)...))
		p.migrations(m)
		p.method("LogValue is the message as a log line shows it, without what the schema marks as sensitive and without unknown fields.",
			method("m", m.Go, "LogValue").Params().Qual(slogPath, "Value").Block(logValue(m)...))
		p.method("String is the message as a log line shows it.",
			method("m", m.Go, "String").Params().String().Block(
				jen.Return(call("m", "LogValue").Dot("String").Call())))
	}
}

func (p *printer) method(doc string, code jen.Code) {
	p.add(godoc.Lines(doc, model.Doc{}), code)
}

// empty is what a reading method begins with.
func empty(m *model.Message) jen.Code {
	if !keepsMemory(m) {
		return call("m", "Reset")
	}
	return jen.If(call("r", "ReusesMemory")).Block(call("m", "recycle")).Else().Block(call("m", "Reset"))
}

// keepsMemory says whether the message has something whose memory can be used again.
func keepsMemory(m *model.Message) bool {
	return m.File.KeepUnknown || slices.ContainsFunc(m.Fields, func(f *model.Field) bool {
		return f.Card == model.Repeated || f.Card == model.Mapped
	})
}

// recycled are the values that a message has before it is read into one that was
// used before.
func recycled(m *model.Message) []jen.Code {
	var values []jen.Code
	keep := func(field string, value jen.Code) { values = append(values, jen.Id(field).Op(":").Add(value)) }
	for _, f := range m.Fields {
		was := jen.Id("m").Dot(f.Go)
		switch value := defaultOf(f); {
		case value != nil:
			keep(f.Go, value)
		case f.Card == model.Repeated:
			keep(f.Go, was.Index(jen.Op(":").Lit(0)))
		case f.Card == model.Mapped:
			keep(f.Go, jen.Qual(wirePath, "Emptied").Call(was))
		}
	}
	if m.File.KeepUnknown {
		keep("Unknown", jen.Id("m.Unknown").Index(jen.Op(":").Lit(0)))
	}
	return values
}
