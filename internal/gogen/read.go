package gogen

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// readField returns the statements that read the value of f into m.
func readField(c codec, f *model.Field) []jen.Code {
	target := jen.Id("m").Dot(f.Go)
	switch {
	case f.Oneof != nil:
		return readMember(c, f)
	case f.Card == model.Repeated && f.Type.Kind == model.KindString:
		return []jen.Code{jen.List(target.Clone(), jen.Id("b")).Op("=").Add(call("r", "Strings", target, jen.Id("b")))}
	case f.Card == model.Repeated:
		element := jen.Qual(wirePath, "Add").Call(jen.Op("&").Id("r.Input"), jen.Op("&").Id("l"), jen.Op("&").Add(target))
		return loop("l", "List", "Array", "After", readInto(c, f.Type, pointed(c, f.Type, element)))
	case f.Card == model.Mapped:
		return loop("e", "Map", "Map", "Entry",
			jen.Var().Id("key").Add(goType(model.Type{Kind: f.Key})),
			jen.List(jen.Id("key"), jen.Id("b")).Op("=").Add(call("r", scalar(f.Key)+"Key", jen.Op("&").Id("e"), jen.Id("b"))),
			jen.Var().Id("value").Add(goType(f.Type)),
			readInto(c, f.Type, jen.Id("value")),
			jen.If(jen.Op("!").Qual(wirePath, "Put").Call(jen.Op("&").Add(target), jen.Id("key"), jen.Id("value"))).Block(
				jen.Id("b").Op("=").Add(call("r", "Duplicate", jen.Op("&").Id("e")))))
	case f.Pointer() && f.Type.Kind == model.KindString:
		return []jen.Code{jen.List(target, jen.Id("b")).Op("=").Add(call("r", "StringPointer", jen.Id("b")))}
	case f.Pointer():
		return []jen.Code{target.Clone().Op("=").New(goType(f.Type)), readInto(c, f.Type, pointed(c, f.Type, target.Clone()))}
	case f.Type.Kind == model.KindBytes && f.Card == model.Optional:
		return []jen.Code{
			readInto(c, f.Type, target.Clone()),
			target.Clone().Op("=").Qual(wirePath, "Present").Call(target.Clone()),
		}
	}
	return []jen.Code{readInto(c, f.Type, target)}
}

// readMember reads a member of a oneof, of which another must not be there.
func readMember(c codec, f *model.Field) []jen.Code {
	o := f.Oneof
	var member string
	for _, m := range o.Fields {
		if m.Field == f {
			member = m.Go
		}
	}
	target := jen.Id("m").Dot(o.Go)
	return []jen.Code{
		jen.If(target.Clone().Op("!=").Nil()).Block(
			jen.Id("b").Op("=").Add(call("r", "Conflict", jen.Id("b"), jen.Lit(o.Name)))),
		jen.Var().Id("v").Add(goType(f.Type)),
		readInto(c, f.Type, jen.Id("v")),
		target.Clone().Op("=").Id(member).Values(jen.Id(f.Go).Op(":").Id("v")),
	}
}

// readInto reads one value of type t into a variable, or into one with methods of its
// own what a pointer to it stands for too.
func readInto(c codec, t model.Type, variable *jen.Statement) jen.Code {
	switch {
	case c.isOwn(t):
		return readOwn(t, variable)
	case readsItself(t):
		return jen.Id("b").Op("=").Add(variable).Dot("Read"+c.name()).Call(jen.Id("r"), jen.Id("b"))
	}
	return jen.List(variable, jen.Id("b")).Op("=").Add(call("r", c.reads(t), jen.Id("b")))
}

// pointed is the variable behind a pointer, in the form that readInto takes.
func pointed(c codec, t model.Type, pointer *jen.Statement) *jen.Statement {
	if readsItself(t) && !c.isOwn(t) {
		return pointer
	}
	return jen.Op("*").Add(pointer)
}

// loop is a loop over a list or a map. Its variable stands before it: a loop with
// one of its own whose address is taken copies it each time.
func loop(place, kind, begin, next string, body ...jen.Code) []jen.Code {
	move := func(to string) *jen.Statement {
		return jen.Id("b").Op("=").Add(call("r", to, jen.Op("&").Id(place), jen.Id("b")))
	}
	return []jen.Code{
		jen.Var().Id(place).Qual(wirePath, kind),
		jen.For(move(begin), jen.Id(place).Dot("More"), move(next)).Block(body...),
	}
}

// call calls a method. One identifier is less to print than three.
func call(on, name string, args ...jen.Code) *jen.Statement {
	return jen.Id(on + "." + name).Call(args...)
}

// lines joins statements, each on a line of its own.
func lines(statements []jen.Code) *jen.Statement {
	joined := jen.Empty()
	for i, s := range statements {
		if i > 0 {
			joined.Line()
		}
		joined.Add(s)
	}
	return joined
}

// readsItself says whether the type has Read and Write methods of its own.
func readsItself(t model.Type) bool {
	return t.Kind == model.KindMessage || t.Kind == model.KindEnum
}

// scalar is the name of the reader's and the writer's method for a kind.
func scalar(k model.Kind) string {
	switch k {
	case model.KindBool:
		return "Bool"
	case model.KindInt32:
		return "Int32"
	case model.KindInt64:
		return "Int64"
	case model.KindUint32:
		return "Uint32"
	case model.KindUint64:
		return "Uint64"
	case model.KindFloat32:
		return "Float32"
	case model.KindFloat64:
		return "Float64"
	case model.KindString:
		return "String"
	case model.KindBytes:
		return "Bytes"
	case model.KindTime:
		return "Time"
	case model.KindDuration:
		return "Duration"
	case model.KindStruct:
		return "Struct"
	case model.KindValue:
		return "Value"
	case model.KindListValue:
		return "ListValue"
	}
	panic(fmt.Sprintf("gogen: kind %d is no scalar", k))
}

// defaults are the values that a message has before it is read, where they are
// not Go's zero values.
func defaults(m *model.Message) []jen.Code {
	var values []jen.Code
	for _, f := range m.Fields {
		if value := defaultOf(f); value != nil {
			values = append(values, jen.Id(f.Go).Op(":").Add(value))
		}
	}
	return values
}

// defaultOf is the value of an absent field, or nil if that is Go's zero value.
func defaultOf(f *model.Field) jen.Code {
	switch {
	case f.Oneof != nil || f.Required:
	case f.Default != "" && (f.Type.Kind == model.KindStruct || f.Type.Kind == model.KindListValue):
		return goType(f.Type).Values() // load allows no other
	case f.Default != "" && f.Card == model.Optional && f.Type.Kind != model.KindBytes:
		return jen.New(literal(f))
	case f.Default != "":
		return literal(f)
	case f.Type.Kind == model.KindEnum && f.Card == model.Single:
		if zero := f.Type.Enum.Zero(); zero != nil {
			return constant(f.Type.Enum, zero)
		}
	}
	return nil
}

// constant is the Go constant of an enum's value.
func constant(e *model.Enum, v *model.EnumValue) *jen.Statement {
	return jen.Qual(e.File.Go.Path, v.Go)
}

// literal is a field's default, which the model holds as JSON text, as Go.
func literal(f *model.Field) jen.Code {
	t := f.Type
	switch t.Kind {
	case model.KindBool:
		return jen.Id(f.Default)
	case model.KindString, model.KindEnum, model.KindBytes:
		text := unquote(f)
		if t.Kind == model.KindEnum {
			for _, v := range t.Enum.Values {
				if v.Wire == text {
					return constant(t.Enum, v)
				}
			}
		}
		if t.Kind == model.KindBytes {
			return jen.Index().Byte().Call(jen.Lit(string(decode(f, text))))
		}
		if f.Card == model.Optional {
			return jen.String().Call(jen.Lit(text))
		}
		return jen.Lit(text)
	}
	number := jen.Op(f.Default)
	if f.Default == "-0" { // which Go's constants do not have
		return goType(t).Call(jen.Qual("math", "Copysign").Call(jen.Lit(0), jen.Lit(-1)))
	}
	if f.Card == model.Optional {
		return goType(t).Call(number)
	}
	return number
}

// unquote returns the text of a default, and decode the bytes that it stands for.
// Load has checked both.
func unquote(f *model.Field) string {
	var text string
	if err := json.Unmarshal([]byte(f.Default), &text); err != nil {
		panic(fmt.Sprintf("gogen: default of %s: %v", f.Name, err))
	}
	return text
}

func decode(f *model.Field, text string) []byte {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		panic(fmt.Sprintf("gogen: default of %s: %v", f.Name, err))
	}
	return b
}
