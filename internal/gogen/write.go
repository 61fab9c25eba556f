package gogen

import (
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// A fieldWriter prints the parts in which the formats differ.
type fieldWriter interface {
	codec
	// isSet is the condition on which a field is written, or nil if it always is.
	isSet(f *model.Field) *jen.Statement
	// key appends the key of f, and what opens its value if that is a list or a
	// map. Always says that f is written whatever the message holds.
	key(f *model.Field, always bool) jen.Code
	// list appends the values of a list that is open, element those of one.
	list(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code
	// entries appends the entries of a map that is open.
	entries(f *model.Field, field *jen.Statement, element elementWriter) []jen.Code
	// level makes the statements that append a list or a map count as a level
	// where they have to.
	level(f *model.Field, statements []jen.Code) []jen.Code
}

// An elementWriter prints what appends one value.
type elementWriter func(value *jen.Statement) jen.Code

// writeFields returns the statements that append the fields of m to b.
func writeFields(c fieldWriter, m *model.Message) []jen.Code {
	var out []jen.Code
	for f, o := range m.Parts() {
		if o != nil {
			out = append(out, writeOneof(c, o))
		} else {
			out = append(out, writeField(c, f)...)
		}
	}
	return out
}

func writeField(c fieldWriter, f *model.Field) []jen.Code {
	field := fieldOf(f)
	set := isWritten(f, c.isSet(f))
	written := append([]jen.Code{c.key(f, set == nil)}, writeFieldValue(c, f, field)...)
	if f.Required && mustBeSet(f) != nil {
		written = []jen.Code{
			jen.If(mustBeSet(f)).Block(call("w", "Missing", jen.Id("b"), jen.Lit(f.Wire))).Else().Block(written...),
		}
	}
	if set != nil {
		written = []jen.Code{jen.If(set).Block(written...)}
	}
	return append(missing(f), written...)
}

// isSet is the condition on which a field is written, or nil if it always is.
func isSet(f *model.Field, field *jen.Statement) *jen.Statement {
	if f.Required || f.Card == model.Repeated || f.Card == model.Mapped {
		return nil
	}
	if f.Pointer() {
		return field.Clone().Op("!=").Nil()
	}
	switch f.Type.Kind {
	case model.KindTime:
		return jen.Op("!").Add(field.Clone()).Dot("IsZero").Call()
	case model.KindDuration:
		return field.Clone().Op("!=").Lit(0)
	case model.KindStruct, model.KindListValue:
		if f.Default != "" {
			return nil
		}
		return field.Clone().Op("!=").Nil()
	case model.KindValue:
		return field.Clone().Op("!=").Nil()
	case model.KindBytes:
		if f.Card == model.Optional {
			return field.Clone().Op("!=").Nil()
		}
	}
	return nil
}

// mustBeSet is the condition on which a required field can't be written, or nil
// if its zero value can.
func mustBeSet(f *model.Field) *jen.Statement {
	field := jen.Id("m").Dot(f.Go)
	switch {
	case f.Card == model.Repeated || f.Card == model.Mapped:
		return nil
	case f.Pointer(), f.Type.Kind == model.KindValue:
		return field.Op("==").Nil()
	case f.Type.Kind == model.KindEnum:
		return field.Op("==").Lit("")
	}
	return nil
}

func writeFieldValue(c fieldWriter, f *model.Field, field *jen.Statement) []jen.Code {
	element := func(v *jen.Statement) jen.Code { return writeValue(c, f.Type, v) }
	switch f.Card {
	case model.Repeated:
		return c.level(f, c.list(f, field, element))
	case model.Mapped:
		return c.level(f, c.entries(f, field, element))
	}
	if f.Pointer() && !readsItself(f.Type) {
		return []jen.Code{writeValue(c, f.Type, jen.Op("*").Add(field))}
	}
	return []jen.Code{writeValue(c, f.Type, field)}
}

// writeValue appends one value of type t.
func writeValue(c codec, t model.Type, value *jen.Statement) jen.Code {
	if c.isOwn(t) {
		return writeOwn(t, value)
	}
	if readsItself(t) {
		return jen.Id("b").Op("=").Add(value).Dot("Write"+c.name()).Call(jen.Id("w"), jen.Id("b"))
	}
	return jen.Id("b").Op("=").Add(call("w", c.scalar(t), jen.Id("b"), value))
}

func writeOneof(c fieldWriter, o *model.Oneof) jen.Code {
	cases := []jen.Code{jen.Case(jen.Nil())}
	for _, m := range o.Fields {
		cases = append(cases, memberOf(m,
			c.key(m.Field, false), writeValue(c, m.Field.Type, jen.Id("v").Dot(m.Field.Go))))
	}
	cases = append(cases, jen.Default().Block(call("w", "Reject", jen.Id("b"), jen.Lit(o.Name), jen.Id("v"))))
	return jen.Switch(jen.Id("v").Op(":=").Id("m").Dot(o.Go).Assert(jen.Type())).Block(cases...)
}

// appendText appends constant text to b.
func appendText(text string) jen.Code {
	if len(text) == 1 {
		return jen.Id("b").Op("=").Append(jen.Id("b"), jen.LitRune(rune(text[0])))
	}
	return jen.Id("b").Op("=").Append(jen.Id("b"), jen.Op(goString(text)).Op("..."))
}

// goString is the Go literal of text that reads best: raw where it can be and
// shows all of it.
func goString(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if strconv.CanBackquote(text) && !strings.ContainsFunc(text, hidden) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
