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
	// readKey is a field's key as writers have it, how many bytes stand before it, and
	// the key's literal.
	readKey(f *model.Field) (key string, before int, literal string)
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
		pointerMethod("e", e.Go, "Read"+c.name()).Params(reader(c), rest()).Index().Byte().Block(
			jen.List(jen.Id("v"), jen.Id("b")).Op(":=").Add(call("r", "Enum", jen.Id("b"), table)),
			jen.Op("*").Id("e").Op("=").Id(e.Go).Call(jen.Id("v")),
			jen.Return(jen.Id("b"))))
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
			jen.Return(call("r", "Close", call("m", "Read"+c.name(), jen.Op("&").Id("r"), jen.Id("data"))))))
}

func (p *printer) writeMethod(c codec, m *model.Message) {
	w, b := writer(c)
	p.add(godoc.Lines(fmt.Sprintf("Write%s appends the message to b. It serves Append%s and the messages that hold this one.", c.name(), c.name()), model.Doc{}),
		pointerMethod("m", m.Go, "Write"+c.name()).Params(w, b).Index().Byte().Block(c.write(m)...))
}

// readMethod prints a loop over the fields, in each of whose passes every field is
// read that comes where the schema has it. Any other field needs another pass.
func (p *printer) readMethod(c codec, m *model.Message) {
	var fields []jen.Code
	for i, f := range m.Fields {
		there := jen.Id("f").Op("==").Lit(i)
		if i < seenBits {
			next := call("o", "At", append([]jen.Code{jen.Id("f"), jen.Id("b"), jen.Lit(i)}, comesNext(c.readKey(f))...)...)
			there = jen.List(jen.Id("f"), jen.Id("b")).Op("=").Add(next).Op(";").Add(there)
		}
		fields = append(fields, jen.If(there).Block(readField(c, f)...))
	}
	unknown := jen.Nil()
	if m.File.KeepUnknown {
		unknown = jen.Op("&").Id("m").Dot("Unknown")
	}
	next := call("r", "Next", jen.Op("&").Id("o"), jen.Id("f"), jen.Id("b"), unknown)
	p.add(godoc.Lines(fmt.Sprintf("Read%s sets m to the message with which b begins, and returns what is behind it. It serves Unmarshal%s and the messages that hold this one.", c.name(), c.name()), model.Doc{}),
		pointerMethod("m", m.Go, "Read"+c.name()).Params(reader(c), rest()).Index().Byte().Block(
			empty(m),
			jen.Var().Id("o").Qual(wirePath, c.name()+"Message"),
			jen.Id("b").Op("=").Add(call("r", "Message", jen.Op("&").Id("o"), jen.Id("b"), jen.Op("&").Id(fieldsTable(m)))),
			jen.For(jen.Id("f").Op(":=").Lit(-1), jen.Empty(), jen.Empty()).Block(append(fields,
				jen.If(jen.List(jen.Id("f"), jen.Id("b")).Op("=").Add(next).Op(";").Id("f").Op("<").Lit(0)).Block(
					migrated(m, jen.Id("b").Op("=").Add(call("r", "Migrate", jen.Id("b"), jen.Id("m").Dot("migrate")))),
					jen.Return(jen.Id("b"))))...)))
}

// comesNext are where a field's value begins when its key comes next, and whether it
// does. The comparison stands in the generated code, as the compiler turns it into
// one of words there.
func comesNext(key string, before int, literal string) []jen.Code {
	start, end := fmt.Sprint(before), fmt.Sprint(before+len(key))
	if before == 0 {
		start = ""
	}
	return []jen.Code{
		jen.Id(end),
		jen.Len(jen.Id("b")).Op(">").Id(end).Op("&&").String().Call(jen.Id("b[" + start + ":" + end + "]")).Op("==").Id(literal),
	}
}

// seenBits is how many fields At knows of whether they were there.
const seenBits = 64

// rest is the parameter for what is left of the input.
func rest() jen.Code { return jen.Id("b").Index().Byte() }

// onOneLine returns the key as it can stand in a comment.
func onOneLine(key string) string {
	if quoted := strconv.Quote(key); quoted != `"`+key+`"` {
		return quoted
	}
	return key
}
