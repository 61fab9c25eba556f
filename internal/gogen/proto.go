package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// proto prints the methods by which the file's messages are protobuf. That is no
// [codec] like the others: it has numbers in place of keys, writes lengths before
// what they measure, and reads messages in parts.
func (p *printer) proto() {
	for _, e := range p.file.Enums {
		p.protoEnum(e)
	}
	for _, m := range p.file.Messages {
		p.protoTable(m)
		p.protoMethods(m)
		p.protoWrite(m)
		p.protoRead(m)
	}
}

func protoTable(m *model.Message) string { return "protoOf" + m.Go }

func protoReader() *jen.Statement { return jen.Id("r").Op("*").Qual(wirePath, "ProtoReader") }

func (p *printer) protoEnum(e *model.Enum) {
	table := jen.Op("&").Id(enumTable(e))
	p.add(godoc.Lines("WriteProto appends the value's number to b. It serves the messages that hold one.", model.Doc{}),
		method("e", e.Go, "WriteProto").Params(jen.Id("w").Op("*").Qual(wirePath, "ProtoWriter"), jen.Id("b").Index().Byte()).Index().Byte().Block(
			jen.Return(call("w", "Enum", jen.Id("b"), table, jen.String().Call(jen.Id("e"))))))
	p.add(godoc.Lines("ReadProto reads the value's number. It serves the messages that hold one.", model.Doc{}),
		pointerMethod("e", e.Go, "ReadProto").Params(protoReader()).Block(
			jen.Op("*").Id("e").Op("=").Id(e.Go).Call(call("r", "Enum", table))))
}

// protoTable prints the table of numbers that the reader and the writer need.
func (p *printer) protoTable(m *model.Message) {
	var numbers, lists, required []jen.Code
	for i, f := range m.Fields {
		numbers = append(numbers, jen.Lit(f.Number))
		if f.Card == model.Repeated {
			lists = append(lists, jen.Lit(i))
		}
		if f.Required && f.Presence {
			required = append(required, jen.Lit(i))
		}
	}
	table := jen.Dict{jen.Id("Fields"): jen.Op("&").Id(fieldsTable(m))}
	if numbers != nil {
		table[jen.Id("Numbers")] = jen.Index().Int32().Values(numbers...)
	}
	if lists != nil {
		table[jen.Id("Lists")] = jen.Index().Int().Values(lists...)
	}
	if required != nil {
		table[jen.Id("Required")] = jen.Index().Int().Values(required...)
	}
	p.add(nil, jen.Var().Id(protoTable(m)).Op("=").Qual(wirePath, "ProtoFields").Values(table))
}

func (p *printer) protoMethods(m *model.Message) {
	bytes := func() *jen.Statement { return jen.Index().Byte() }
	p.add(godoc.Lines("AppendProto appends the message's protobuf to b. After an error it returns b as it was.", model.Doc{}),
		pointerMethod("m", m.Go, "AppendProto").Params(jen.Id("b").Add(bytes())).Params(bytes(), jen.Error()).Block(
			jen.Id("w").Op(":=").Qual(wirePath, "NewProtoWriter").Call(jen.Id("b")),
			jen.Return(call("w", "Close", call("m", "WriteProto", jen.Op("&").Id("w"), call("w", "Begin", jen.Id("b"))), jen.Lit(m.Name)))))
	p.add(godoc.Lines("MarshalProto returns the message's protobuf.", model.Doc{}),
		method("m", m.Go, "MarshalProto").Params().Params(bytes(), jen.Error()).Block(
			jen.Return(call("m", "AppendProto", jen.Nil()))))
	p.add(godoc.Lines("UnmarshalProto sets m to the message that data holds. Its error is a [*wire.Error]; after one, m holds anything.", model.Doc{}),
		pointerMethod("m", m.Go, "UnmarshalProto").Params(jen.Id("data").Add(bytes())).Error().Block(
			jen.Op("*").Id("m").Op("=").Id(m.Go).Values(),
			jen.Id("r").Op(":=").Qual(wirePath, "NewProtoReader").Call(jen.Id("data")),
			call("m", "ReadProto", jen.Op("&").Id("r"), jen.False()),
			jen.Return(call("r", "Close"))))
}

// protoTag returns the bytes before a value of the field of that number.
func protoTag(number, kind int) []byte {
	var b []byte
	v := uint64(number)<<3 | uint64(kind)
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

// hexBytes are bytes as the arguments of append.
func hexBytes(b []byte) []jen.Code {
	all := make([]jen.Code, len(b))
	for i, c := range b {
		all[i] = jen.Op(fmt.Sprintf("%#02x", c))
	}
	return all
}

// appended is the expression that appends bytes to b.
func appended(b []byte) jen.Code {
	return jen.Append(append([]jen.Code{jen.Id("b")}, hexBytes(b)...)...)
}

// protoScalar is the name of the reader's and the writer's method for a type that
// has no methods of its own.
func protoScalar(t model.Type) string {
	name := scalar(t.Kind)
	signed := t.Kind == model.KindInt32 || t.Kind == model.KindInt64
	bits := name[max(0, len(name)-2):]
	switch {
	case t.Encoding == model.Wrapped:
		return name + "Value"
	case t.Encoding == model.Zigzag:
		return "Sint" + bits
	case t.Encoding == model.Fixed && signed:
		return "Sfixed" + bits
	case t.Encoding == model.Fixed:
		return "Fixed" + bits
	}
	return name
}

// protoIsSet is the condition on which a field is written that is neither a list nor
// a map, or nil if it always is.
func protoIsSet(f *model.Field) *jen.Statement {
	switch set := isSet(f, jen.Id("m").Dot(f.Go)); {
	case f.Stamp:
		return nil
	case set != nil:
		return set
	case f.Required && f.Presence:
		return nil
	}
	field := jen.Id("m").Dot(f.Go)
	switch f.Type.Kind {
	case model.KindBool:
		return field
	case model.KindString:
		return field.Op("!=").Lit("")
	case model.KindBytes:
		return jen.Len(field).Op(">").Lit(0)
	case model.KindStruct, model.KindListValue:
		return field.Op("!=").Nil()
	case model.KindFloat32:
		return jen.Qual("math", "Float32bits").Call(field).Op("!=").Lit(0)
	case model.KindFloat64:
		return jen.Qual("math", "Float64bits").Call(field).Op("!=").Lit(0)
	case model.KindEnum:
		set := field.Clone().Op("!=").Lit("")
		if zero := f.Type.Enum.Zero(); zero != nil {
			set.Op("&&").Add(field).Op("!=").Add(constant(f.Type.Enum, zero))
		}
		return set
	}
	return field.Op("!=").Lit(0)
}
