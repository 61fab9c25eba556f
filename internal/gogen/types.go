package gogen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// types prints the structs, enums and oneofs.
func (p *printer) types() {
	for _, line := range godoc.Lines(fmt.Sprintf("Package %s holds the messages of %s, schema version %d.",
		p.file.Go.Name, p.file.Path, p.file.Version), p.file.Doc) {
		p.out.PackageComment(line)
	}
	for _, e := range p.file.Enums {
		p.enum(e)
	}
	for _, m := range p.file.Messages {
		p.message(m)
		for _, o := range m.Oneofs {
			p.oneof(m, o)
		}
		p.fields(m)
	}
}

func (p *printer) message(m *model.Message) {
	var body []jen.Code
	line := func(doc []string, code jen.Code) {
		body = append(body, commented(doc, code)...)
	}
	for f, o := range m.Parts() {
		if o != nil {
			line(oneofDoc(o), jen.Id(o.Go).Id(o.Interface))
			continue
		}
		d := f.Doc
		if f.Required {
			d = godoc.Remark(d, "Required.")
		}
		if f.Default != "" && len(f.Default) <= 40 {
			d = godoc.Remark(d, "Default when it is absent: "+f.Default+".")
		}
		line(godoc.Declared("", versioned(d, f.Since, f.Until)), jen.Id(f.Go).Add(fieldType(f)))
	}
	if m.File.KeepUnknown {
		if len(body) > 0 {
			body = append(body, jen.Line())
		}
		line([]string{"// Unknown holds what was received and this version of the schema does not name."},
			jen.Id("Unknown").Qual(wirePath, "Unknown"))
	}
	p.add(godoc.Declared(unlessDocumented(m.Doc, m.Go+" is the message "+m.Name+"."), m.Doc),
		jen.Type().Id(m.Go).Struct(body...))
}

// versioned adds to d which versions of the schema have the element.
func versioned(d model.Doc, since, until int) model.Doc {
	if since > 1 {
		d = godoc.Remark(d, fmt.Sprintf("Since version %d.", since))
	}
	if until > 0 {
		d = godoc.Remark(d, fmt.Sprintf("Until version %d.", until))
	}
	return d
}

// unlessDocumented is the sentence for an element that the schema says nothing of.
func unlessDocumented(d model.Doc, sentence string) string {
	if d.Text != "" {
		return ""
	}
	return sentence
}

func oneofDoc(o *model.Oneof) []string {
	members := make([]string, len(o.Fields))
	for i, f := range o.Fields {
		members[i] = f.Go
	}
	d := o.Doc
	if d.Text != "" {
		d.Text += "\n"
	}
	d.Text += godoc.Wrap("It is nil or a value of " + strings.Join(members, ", ") + ".")
	return godoc.Declared("", d)
}

// oneof prints the sealed interface of a oneof and its members.
func (p *printer) oneof(m *model.Message, o *model.Oneof) {
	marker := "is" + o.Interface
	p.add(godoc.Lines(fmt.Sprintf("%s is a value of the oneof %s of %s.", o.Interface, o.Name, m.Go), model.Doc{}),
		jen.Type().Id(o.Interface).Interface(jen.Id(marker).Params()))
	for _, f := range o.Fields {
		p.add(godoc.Declared(fmt.Sprintf("%s sets %s to its field %s.", f.Go, o.Interface, f.Field.Name), versioned(f.Field.Doc, f.Field.Since, f.Field.Until)),
			jen.Type().Id(f.Go).Struct(jen.Id(f.Field.Go).Add(goType(f.Field.Type))))
		p.out.Line()
		p.out.Func().Params(jen.Id(f.Go)).Id(marker).Params().Block()
	}
}

func (p *printer) enum(e *model.Enum) {
	p.add(godoc.Declared(unlessDocumented(e.Doc, e.Go+" is the enum "+e.Name+"."), e.Doc),
		jen.Type().Id(e.Go).String())

	var constants, table []jen.Code
	differs := false
	for _, v := range e.Values {
		constants = append(constants, commented(godoc.Declared("", versioned(v.Doc, v.Since, v.Until)), jen.Id(v.Go).Id(e.Go).Op("=").Lit(v.Wire))...)
		table = append(table, enumRow(v))
		differs = differs || v.Since > 1 || v.Former != nil
	}
	for _, v := range e.Values {
		for _, alias := range v.Aliases {
			table = append(table, jen.Values(nameOf(alias), numberOf(v), jen.Id("Alias").Op(":").True()))
		}
	}
	intro := fmt.Sprintf("The values of %s. One that this version of the schema does not know keeps the name it was sent with.", e.Go)
	if zero := e.Zero(); zero != nil {
		intro += fmt.Sprintf(" The empty %s is written as %s, but where a field is required.", e.Go, zero.Go)
	}
	p.add(godoc.Lines(intro, model.Doc{}), jen.Const().Defs(constants...))

	name := enumTable(e)
	values := jen.Dict{
		jen.Id("Name"):   jen.Lit(e.Name),
		jen.Id("Values"): jen.Index().Qual(wirePath, "EnumValue").Values(multiline(table)...),
	}
	if differs {
		values[jen.Id("Schema")] = jen.Lit(e.File.Schema())
	}
	p.add(nil, jen.Var().Id(name).Op("=").Qual(wirePath, "Enum").Values(values))

	text := jen.String().Call(jen.Id("e"))
	p.add(godoc.Lines("Known says whether this version of the schema has the value.", model.Doc{}),
		method("e", e.Go, "Known").Params().Bool().Block(jen.Return(jen.Id(name).Dot("Known").Call(text))))
	p.add(godoc.Lines("Number returns the value's number in the schema. It is 0 for a value that this version does not know.", model.Doc{}),
		method("e", e.Go, "Number").Params().Int32().Block(jen.Return(jen.Id(name).Dot("Number").Call(text))))
}

func enumRow(v *model.EnumValue) jen.Code {
	row := []jen.Code{nameOf(v.Wire), numberOf(v)}
	if v.Since > 1 {
		row = append(row, jen.Id("Since").Op(":").Lit(v.Since))
	}
	var former []jen.Code
	for _, name := range v.Former {
		former = append(former, jen.Values(nameOf(name.Name), jen.Id("Until").Op(":").Lit(name.Until)))
	}
	if former != nil {
		row = append(row, jen.Id("Former").Op(":").Index().Qual(wirePath, "FormerName").Values(former...))
	}
	return jen.Values(row...)
}

func nameOf(name string) jen.Code { return jen.Id("Name").Op(":").Lit(name) }

func numberOf(v *model.EnumValue) jen.Code { return jen.Id("Number").Op(":").Lit(int(v.Number)) }

// fieldType is the type of a struct's field.
func fieldType(f *model.Field) *jen.Statement {
	t := goType(f.Type)
	switch f.Card {
	case model.Repeated:
		return jen.Index().Add(t)
	case model.Mapped:
		return jen.Map(goType(model.Type{Kind: f.Key})).Add(t)
	}
	if f.Pointer() {
		return jen.Op("*").Add(t)
	}
	return t
}

// goType is the type of one value.
func goType(t model.Type) *jen.Statement {
	switch t.Kind {
	case model.KindBool:
		return jen.Bool()
	case model.KindInt32:
		return jen.Int32()
	case model.KindInt64:
		return jen.Int64()
	case model.KindUint32:
		return jen.Uint32()
	case model.KindUint64:
		return jen.Uint64()
	case model.KindFloat32:
		return jen.Float32()
	case model.KindFloat64:
		return jen.Float64()
	case model.KindString:
		return jen.String()
	case model.KindBytes:
		return jen.Index().Byte()
	case model.KindEnum:
		return jen.Qual(t.Enum.File.Go.Path, t.Enum.Go)
	case model.KindMessage:
		return jen.Qual(t.Message.File.Go.Path, t.Message.Go)
	case model.KindTime:
		return jen.Qual("time", "Time")
	case model.KindDuration:
		return jen.Qual("time", "Duration")
	case model.KindStruct:
		return jen.Map(jen.String()).Any()
	case model.KindValue:
		return jen.Any()
	case model.KindListValue:
		return jen.Index().Any()
	}
	panic(fmt.Sprintf("gogen: no Go type for kind %d", t.Kind))
}

// fieldsTable and enumTable are the names of the tables that the codecs read.
func fieldsTable(m *model.Message) string { return "fieldsOf" + m.Go }
func enumTable(e *model.Enum) string      { return "valuesOf" + e.Go }

// method begins a method with a value receiver, pointerMethod one with a pointer.
func method(receiver, typ, name string) *jen.Statement {
	return jen.Func().Params(jen.Id(receiver).Id(typ)).Id(name)
}

func pointerMethod(receiver, typ, name string) *jen.Statement {
	return jen.Func().Params(jen.Id(receiver).Op("*").Id(typ)).Id(name)
}

// multiline puts each value of a composite literal on a line of its own.
func multiline(values []jen.Code) []jen.Code {
	lines := make([]jen.Code, 0, len(values)+1)
	for _, v := range values {
		lines = append(lines, jen.Line().Add(v))
	}
	return append(lines, jen.Line())
}
