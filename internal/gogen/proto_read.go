package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// protoRead prints the method that reads the message.
func (p *printer) protoRead(m *model.Message) {
	index := map[*model.Field]int{}
	for i, f := range m.Fields {
		index[f] = i
	}
	var cases []jen.Code
	read := func(f *model.Field) {
		statements := protoReadField(f)
		if saw := call("o", "Saw", jen.Lit(index[f])); f.Required && f.Presence && f.Type.Kind == model.KindValue {
			statements = append(statements, jen.If(jen.Id("m").Dot(f.Go).Op("!=").Nil()).Block(saw)) // null is absence
		} else if f.Required && f.Presence {
			statements = append(statements, saw)
		}
		if f.Packable() {
			cases = append(cases, protoCase(f, model.WireBytes, []jen.Code{protoReadPacked(f)}))
		}
		kind := f.WireType()
		if f.Card == model.Mapped {
			kind = model.WireBytes
		}
		cases = append(cases, protoCase(f, kind, statements))
	}
	for _, f := range m.ByNumber() {
		read(f)
	}
	for _, o := range m.Oneofs {
		for _, member := range o.Fields {
			read(member.Field)
		}
	}
	rest := call("r", "Skip")
	if m.File.KeepUnknown {
		rest = call("r", "Keep", jen.Op("&").Id("o"), jen.Op("&").Id("m").Dot("Unknown"))
	}
	var body jen.Code = rest
	if len(cases) > 0 {
		body = jen.Switch(jen.Id("o").Dot("Tag")).Block(append(cases, jen.Default().Block(rest))...)
	}
	var begin []jen.Code
	if m.Migrations != nil {
		begin = []jen.Code{jen.Id("m").Dot(m.Field(model.SchemaVersion).Go).Op("=").Lit(0).Op("// each part says its own")}
	}
	all := append(append(protoEmpty(m), begin...), protoLoop("o", call("r", "Message", jen.Op("&").Id("o"), jen.Op("&").Id(protoTable(m)), jen.Id("again")), body)...)
	if m.Migrations != nil {
		all = append(all, migrated(m, call("r", "Migrate", jen.Id("m").Dot("migrate"), jen.Id("again"))))
	}
	p.add(godoc.Lines("ReadProto reads the message that comes next into m, which is zero unless memory is used again, or what comes next of a message that m has begun to hold. It serves UnmarshalProto and the messages that hold this one.", model.Doc{}),
		pointerMethod("m", m.Go, "ReadProto").Params(protoReader(), jen.Id("again").Bool()).Block(all...))
}

// protoLoop is the loop over the fields of a message, which begin opens.
func protoLoop(place string, begin, body jen.Code) []jen.Code {
	return []jen.Code{
		jen.Var().Id(place).Qual(wirePath, "ProtoMessage"),
		jen.For(begin, call("r", "Next", jen.Op("&").Id(place)), jen.Empty()).Block(body),
	}
}

// protoEmpty makes m what it is before it is read, of which it is zero unless memory
// is used again.
func protoEmpty(m *model.Message) []jen.Code {
	method := "Reset"
	if keepsMemory(m) {
		method = "recycle"
	}
	begins, empty := jen.Op("!").Id("again"), jen.Block(call("m", method))
	defaults := protoDefaults(m)
	if defaults == nil {
		return []jen.Code{jen.If(begins.Op("&&").Add(call("r", "ReusesMemory"))).Add(empty)}
	}
	return []jen.Code{jen.If(begins).Block(append([]jen.Code{jen.If(call("r", "ReusesMemory")).Add(empty)}, defaults...)...)}
}

// protoDefaults set the values that a message has before it is read, where they are
// not Go's zero values or not those of the other codecs. A field that is left out for
// being zero has no other default.
func protoDefaults(m *model.Message) []jen.Code {
	var values []jen.Code
	for _, f := range m.Fields {
		value := defaultOf(f)
		switch {
		case f.Presence:
		case f.Type.Kind == model.KindEnum && f.Card == model.Single && f.Type.Enum.Zero() != nil:
			value = constant(f.Type.Enum, f.Type.Enum.Zero())
		case value != nil:
			value = zero(f.Type)
		}
		if value != nil {
			values = append(values, jen.Id("m").Dot(f.Go).Op("=").Add(value))
		}
	}
	return values
}

// protoCase is the case of the field with a value of the wire type.
func protoCase(f *model.Field, kind int, statements []jen.Code) jen.Code {
	tag := jen.Op(fmt.Sprintf("%#02x", f.Number<<3|kind))
	return jen.Case(tag).Op("// " + onOneLine(f.Wire)).Line().Add(lines(statements))
}

func protoReadPacked(f *model.Field) jen.Code {
	read := jen.Parens(jen.Op("*").Qual(wirePath, "ProtoReader")).Dot(protoScalarName(f.Type))
	if f.Type.Kind == model.KindEnum {
		read = jen.Func().Params(protoReader()).Params(jen.Id("v").Add(goType(f.Type))).Block(
			call("v", "ReadProto", jen.Id("r")), jen.Return())
	}
	list := jen.Id("m").Dot(f.Go)
	return list.Clone().Op("=").Qual(wirePath, "Packed").Call(jen.Id("r"), list, jen.Lit(f.Type.FixedSize()), read)
}

// protoScalarName is protoScalar, or nothing for an enum.
func protoScalarName(t model.Type) string {
	if t.Kind == model.KindEnum {
		return ""
	}
	return protoScalar(t)
}

// protoReadField returns the statements that read the value of f into m.
func protoReadField(f *model.Field) []jen.Code {
	target := jen.Id("m").Dot(f.Go)
	switch {
	case f.Oneof != nil:
		return protoReadMember(f)
	case f.Card == model.Repeated:
		return protoReadElement(f, target)
	case f.Card == model.Mapped:
		return protoReadEntry(f, target)
	case f.Type.Kind == model.KindMessage:
		return []jen.Code{
			jen.Id("again").Op(":=").Add(target.Clone()).Op("!=").Nil(),
			jen.If(jen.Op("!").Id("again")).Block(target.Clone().Op("=").New(goType(f.Type))),
			target.Clone().Dot("ReadProto").Call(jen.Id("r"), jen.Id("again")),
		}
	case f.Type.Kind == model.KindEnum && f.Pointer():
		return []jen.Code{target.Clone().Op("=").New(goType(f.Type)), target.Clone().Dot("ReadProto").Call(jen.Id("r"))}
	case f.Type.Kind == model.KindEnum:
		return []jen.Code{target.Clone().Dot("ReadProto").Call(jen.Id("r"))}
	case f.Type.Kind == model.KindTime && f.Card == model.Single && f.Default == "":
		return []jen.Code{target.Clone().Op("=").Add(call("r", "TimeField", jen.Op("&").Id("o"), target.Clone()))}
	case f.Type.InParts() && f.Pointer() && f.Default == "":
		first := goType(f.Type)
		if f.Type.Kind == model.KindTime {
			first = zero(f.Type)
		}
		return []jen.Code{
			jen.If(target.Clone().Op("==").Nil()).Block(target.Clone().Op("=").New(first)),
			jen.Op("*").Add(target).Op("=").Add(call("r", protoScalar(f.Type), jen.Op("*").Add(target))),
		}
	}
	var base []jen.Code
	switch {
	case f.Type.InParts() && f.Default != "":
		base = []jen.Code{zero(f.Type)}
	case f.Type.InParts():
		base = []jen.Code{target.Clone()}
	}
	value := call("r", protoScalar(f.Type), base...)
	switch {
	case f.Pointer() && protoScalar(f.Type) == "String":
		value = call("r", "StringPointer")
	case f.Pointer():
		value = jen.New(value)
	case f.Type.Kind == model.KindBytes && f.Card == model.Optional:
		value = jen.Qual(wirePath, "Present").Call(value)
	}
	return []jen.Code{target.Clone().Op("=").Add(value)}
}

// zero is the zero value that protobuf gives a type which is no message in Go.
func zero(t model.Type) *jen.Statement {
	switch t.Kind {
	case model.KindBool:
		return jen.False()
	case model.KindString:
		return jen.Lit("")
	case model.KindTime:
		return jen.Qual("time", "Unix").Call(jen.Lit(0), jen.Lit(0)).Dot("UTC").Call()
	case model.KindBytes, model.KindStruct, model.KindValue, model.KindListValue:
		return jen.Nil()
	}
	return jen.Lit(0)
}

// protoReadMember reads a member of a oneof, in place of another, or again.
func protoReadMember(f *model.Field) []jen.Code {
	var member string
	for _, m := range f.Oneof.Fields {
		if m.Field == f {
			member = m.Go
		}
	}
	target := jen.Id("m").Dot(f.Oneof.Go)
	value := jen.Id("v").Dot(f.Go)
	was := func(same string) jen.Code {
		return jen.List(jen.Id("v"), jen.Id(same)).Op(":=").Add(target).Assert(jen.Id(member))
	}
	set := target.Clone().Op("=").Id("v")
	switch {
	case f.Type.Kind == model.KindMessage:
		return []jen.Code{was("again"), value.Clone().Dot("ReadProto").Call(jen.Id("r"), jen.Id("again")), set}
	case f.Type.Kind == model.KindTime:
		return []jen.Code{
			was("again"),
			jen.If(jen.Op("!").Id("again")).Block(value.Clone().Op("=").Add(zero(f.Type))),
			value.Clone().Op("=").Add(call("r", "Time", value)),
			set,
		}
	case f.Type.InParts():
		return []jen.Code{was("_"), value.Clone().Op("=").Add(call("r", protoScalar(f.Type), value)), set}
	case f.Type.Kind == model.KindEnum:
		return []jen.Code{jen.Var().Id("v").Id(member), value.Clone().Dot("ReadProto").Call(jen.Id("r")), set}
	}
	return []jen.Code{target.Clone().Op("=").Id(member).Values(jen.Id(f.Go).Op(":").Add(call("r", protoScalar(f.Type))))}
}

func protoReadElement(f *model.Field, target *jen.Statement) []jen.Code {
	room := jen.Qual(wirePath, "Room").Call(jen.Id("r"), target.Clone())
	switch {
	case f.Type.Kind == model.KindMessage:
		return []jen.Code{jen.Qual(wirePath, "Element").Call(jen.Id("r"), jen.Op("&").Add(target)).
			Dot("ReadProto").Call(jen.Id("r"), jen.False())}
	case f.Type.Kind == model.KindEnum:
		return []jen.Code{
			jen.Var().Id("v").Add(goType(f.Type)),
			call("v", "ReadProto", jen.Id("r")),
			target.Clone().Op("=").Append(room, jen.Id("v")),
		}
	case protoScalar(f.Type) == "String":
		return []jen.Code{target.Clone().Op("=").Add(call("r", "AddString", target))}
	}
	var base []jen.Code
	if f.Type.InParts() {
		base = []jen.Code{zero(f.Type)}
	}
	return []jen.Code{target.Clone().Op("=").Append(room, call("r", protoScalar(f.Type), base...))}
}

func protoReadEntry(f *model.Field, target *jen.Statement) []jen.Code {
	before := []jen.Code{jen.Var().Id("key").Add(goType(f.KeyType()))}
	value := jen.Var().Id("value").Add(goType(f.Type))
	var read, behind []jen.Code
	switch {
	case f.Type.Kind == model.KindMessage:
		value.Line().Id("again").Op(":=").False()
		read = []jen.Code{call("value", "ReadProto", jen.Id("r"), jen.Id("again")), jen.Id("again").Op("=").True()}
		behind = []jen.Code{jen.If(jen.Op("!").Id("again")).Block(
			call("r", "Absent"), call("value", "ReadProto", jen.Id("r"), jen.False()))}
	case f.Type.Kind == model.KindEnum:
		if first := f.Type.Enum.Values; len(first) > 0 {
			value = jen.Id("value").Op(":=").Add(constant(f.Type.Enum, first[0]))
		}
		read = []jen.Code{call("value", "ReadProto", jen.Id("r"))}
	case f.Type.InParts():
		if f.Type.Kind == model.KindTime { // a Timestamp that is not there is the year 1970
			value = jen.Id("value").Op(":=").Add(zero(f.Type))
		}
		read = []jen.Code{jen.Id("value").Op("=").Add(call("r", protoScalar(f.Type), jen.Id("value")))}
	default:
		read = []jen.Code{jen.Id("value").Op("=").Add(call("r", protoScalar(f.Type)))}
	}
	tag := func(number, kind int) jen.Code { return jen.Op(fmt.Sprintf("%#02x", number<<3|kind)) }
	loop := protoLoop("e", call("r", "Entry", jen.Op("&").Id("e")), jen.Switch(jen.Id("e").Dot("Tag")).Block(
		jen.Case(tag(1, f.KeyType().WireType())).Block(jen.Id("key").Op("=").Add(call("r", protoScalar(f.KeyType())))),
		jen.Case(tag(2, f.WireType())).Block(read...),
		jen.Default().Block(call("r", "Skip")),
	))
	all := append(append(before, value), loop...)
	return append(append(all, behind...), jen.Qual(wirePath, "Entered").Call(jen.Id("r"), jen.Op("&").Add(target), jen.Id("key"), jen.Id("value")))
}
