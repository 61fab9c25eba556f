package gogen

import (
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
		p.method("Equal says whether both messages are written the same. NaN equals NaN, and a nil message only another.",
			pointerMethod("m", m.Go, "Equal").Params(jen.Id("o").Add(pointer)).Bool().Block(equal(m)...))
		p.method("Clone returns a copy of the message and of all that it holds. That of nil is nil.",
			pointerMethod("m", m.Go, "Clone").Params().Add(pointer).Block(clone(m)...))
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
