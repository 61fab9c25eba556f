package gogen

import (
	"fmt"
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// A codec is how one self-describing format writes messages. Reading is the
// same for all of them but for the reader's type.
type codec interface {
	// name is the format's part of method names: "JSON".
	name() string
	// text is the format's name in comments.
	text() string
	// scalar is the name of the writer's method for a type that has no methods of its
	// own.
	scalar(t model.Type) string
	// reads is the name of the reader's method for such a type.
	reads(t model.Type) string
	// enum is the name of the writer's method for an enum.
	enum(e *model.Enum) string
	// isOwn says whether the format has values of the type in another form than the
	// type's own methods.
	isOwn(t model.Type) bool
	// write returns the body that appends the message m to b.
	write(m *model.Message) []jen.Code
	// bridges prints what only this format has.
	bridges(p *printer, m *model.Message)
}

// codec prints the methods by which c reads and writes the file's messages.
func (p *printer) codec(c codec) {
	for _, e := range p.file.Enums {
		p.enumCodec(c, e)
	}
	for _, m := range p.file.Messages {
		p.appendMethods(c, m)
		p.unmarshalMethod(c, m)
		c.bridges(p, m)
		p.writeMethod(c, m)
		p.readMethod(c, m)
	}
}

func reader(c codec) *jen.Statement {
	return jen.Id("r").Op("*").Qual(wirePath, c.name()+"Reader")
}

func writer(c codec) (w, b *jen.Statement) {
	return jen.Id("w").Op("*").Qual(wirePath, c.name()+"Writer"), jen.Id("b").Index().Byte()
}

func (p *printer) enumCodec(c codec, e *model.Enum) {
	w, b := writer(c)
	table := jen.Op("&").Id(enumTable(e))
	p.add(godoc.Lines(fmt.Sprintf("Write%s appends the value's name to b. It serves the messages that hold one.", c.name()), model.Doc{}),
		method("e", e.Go, "Write"+c.name()).Params(w, b).Index().Byte().Block(
			jen.Return(jen.Id("w").Dot(c.enum(e)).Call(jen.Id("b"), table, jen.String().Call(jen.Id("e"))))))
	p.add(godoc.Lines(fmt.Sprintf("Read%s reads the value's name, or its number. It serves the messages that hold one.", c.name()), model.Doc{}),
		pointerMethod("e", e.Go, "Read"+c.name()).Params(reader(c)).Block(
			jen.Op("*").Id("e").Op("=").Id(e.Go).Call(jen.Id("r").Dot("Enum").Call(table))))
}

func (p *printer) appendMethods(c codec, m *model.Message) {
	p.add(godoc.Lines(fmt.Sprintf("Append%s appends the message's %s to b. After an error it returns b as it was.", c.name(), c.text()), model.Doc{}),
		pointerMethod("m", m.Go, "Append"+c.name()).Params(jen.Id("b").Index().Byte()).Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Id("w").Op(":=").Qual(wirePath, "New"+c.name()+"Writer").Call(jen.Id("b")),
			jen.Return(jen.Id("w").Dot("Close").Call(
				jen.Id("m").Dot("Write"+c.name()).Call(jen.Op("&").Id("w"), call("w", "Begin", jen.Id("b"))), jen.Lit(m.Name)))))
	p.add(godoc.Lines(fmt.Sprintf("Marshal%s returns the message's %s.", c.name(), c.text()), model.Doc{}),
		method("m", m.Go, "Marshal"+c.name()).Params().Params(jen.Index().Byte(), jen.Error()).Block(
			jen.Return(jen.Id("m").Dot("Append"+c.name()).Call(jen.Nil()))))
}

func (p *printer) unmarshalMethod(c codec, m *model.Message) {
	p.add(godoc.Lines(fmt.Sprintf("Unmarshal%s sets m to the message that data holds. Its error is a [*wire.Error]; after one, m holds anything.", c.name()), model.Doc{}),
		pointerMethod("m", m.Go, "Unmarshal"+c.name()).Params(jen.Id("data").Index().Byte()).Error().Block(
			jen.Id("r").Op(":=").Qual(wirePath, "New"+c.name()+"Reader").Call(jen.Id("data")),
			jen.Id("m").Dot("Read"+c.name()).Call(jen.Op("&").Id("r")),
			jen.Return(jen.Id("r").Dot("Close").Call())))
}

func (p *printer) writeMethod(c codec, m *model.Message) {
	w, b := writer(c)
	p.add(godoc.Lines(fmt.Sprintf("Write%s appends the message to b. It serves Append%s and the messages that hold this one.", c.name(), c.name()), model.Doc{}),
		pointerMethod("m", m.Go, "Write"+c.name()).Params(w, b).Index().Byte().Block(c.write(m)...))
}

func (p *printer) readMethod(c codec, m *model.Message) {
	cases := make([]jen.Code, 0, len(m.Fields)+1)
	for i, f := range m.Fields {
		cases = append(cases, jen.Case(jen.Lit(i)).Op("// "+onOneLine(f.Wire)).Line().Add(lines(readField(c, f))))
	}
	rest := call("r", "Skip")
	if m.File.KeepUnknown {
		rest = call("r", "Keep", jen.Op("&").Id("o"), jen.Op("&").Id("m").Dot("Unknown"))
	}
	var body jen.Code = rest
	if len(cases) > 0 {
		body = jen.Switch(jen.Id("o").Dot("Field")).Block(append(cases, jen.Default().Block(rest))...)
	}
	p.add(godoc.Lines(fmt.Sprintf("Read%s sets m to the message that comes next. It serves Unmarshal%s and the messages that hold this one.", c.name(), c.name()), model.Doc{}),
		pointerMethod("m", m.Go, "Read"+c.name()).Params(reader(c)).Block(
			empty(m),
			jen.Id("o").Op(":=").Id("r").Dot("Object").Call(jen.Op("&").Id(fieldsTable(m))),
			jen.For(jen.Id("r").Dot("Next").Call(jen.Op("&").Id("o"))).Block(body)))
}

// onOneLine returns the key as it can stand in a comment.
func onOneLine(key string) string {
	if quoted := strconv.Quote(key); quoted != `"`+key+`"` {
		return quoted
	}
	return key
}
