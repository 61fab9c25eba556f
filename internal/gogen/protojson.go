package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// protojson is what the names of the runtime's methods begin with that have the form
// of protojson.
const protojson = "Protojson"

// protojsonWrites says whether protojson writes values of the kind in a form of its
// own, beside integers of 64 bits, which are quoted.
func protojsonWrites(k model.Kind) bool {
	switch k {
	case model.KindTime, model.KindStruct, model.KindValue, model.KindListValue:
		return true
	}
	return protojsonReads(k)
}

// protojsonReads says whether protojson reads values of the kind from more than JSON
// of the other form has.
func protojsonReads(k model.Kind) bool { return k == model.KindFloat32 || k == model.KindFloat64 }

func (*jsonCodec) reads(t model.Type) string {
	if t.Protojson && protojsonReads(t.Kind) {
		return protojson + scalar(t.Kind)
	}
	return scalar(t.Kind)
}

func (*jsonCodec) enum(e *model.Enum) string {
	if e.File.Protojson {
		return protojson + "Enum"
	}
	return "Enum"
}

func (*jsonCodec) isOwn(t model.Type) bool { return t.IsPaths() || t.IsNull() }

// writeOwn appends a value of such a type.
func writeOwn(t model.Type, value *jen.Statement) jen.Code {
	if t.IsNull() {
		return appendText("null")
	}
	return jen.Id("b").Op("=").Add(call("w", protojson+"FieldMask", jen.Id("b"), value.Dot("Paths")))
}

// readOwn reads one into a variable.
func readOwn(t model.Type, variable *jen.Statement) jen.Code {
	if t.IsNull() {
		return jen.List(variable, jen.Id("b")).Op("=").Qual(wirePath, protojson+"Null").Call(jen.Id("r"), jen.Id("b"), constant(t.Enum, t.Enum.Zero()))
	}
	return lines([]jen.Code{
		jen.Var().Id("p").Index().String(),
		jen.List(jen.Id("p"), jen.Id("b")).Op("=").Add(call("r", protojson+"FieldMask", jen.Id("b"))),
		variable.Op("=").Add(goType(t)).Values(jen.Id("Paths").Op(":").Id("p")),
	})
}

// isSet leaves out in protojson's form what is left out on protobuf's wire.
func (*jsonCodec) isSet(f *model.Field) *jen.Statement {
	field := jen.Id("m").Dot(f.Go)
	switch {
	case !f.Type.Protojson:
		return isSet(f, field)
	case f.Card == model.Repeated || f.Card == model.Mapped:
		return jen.Len(field).Op(">").Lit(0)
	}
	return protoIsSet(f)
}
