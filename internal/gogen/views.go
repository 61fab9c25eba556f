package gogen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// reads prints the function from a message to the runtime's view of it.
func reads(c *model.Callback, view string, all []part) jen.Code {
	var values, work []jen.Code
	for _, p := range all {
		value := jen.Id("m").Dot(p.field.Go)
		if p.field.Card == model.Optional {
			value = jen.Qual(coordPath, "OrZero").Call(value)
		}
		if p.scalar != nil && differs(p.field.Type, p.scalar) {
			value = p.scalar.Clone().Call(value)
		}
		if name, ok := strings.CutPrefix(p.view, "Work."); ok {
			work = append(work, jen.Id(name).Op(":").Add(value))
		} else {
			values = append(values, jen.Id(p.view).Op(":").Add(value))
		}
	}
	if work != nil {
		values = append(values, jen.Id("Work").Op(":").Qual(coordPath, "Work").Values(multiline(work)...))
	}
	return jen.Func().Params(input(c)).Qual(coordPath, view).Block(
		jen.Return(jen.Qual(coordPath, view).Values(multiline(values)...)))
}

// news prints the function from the runtime's view to a message.
func news(c *model.Callback, view, name string, all []part) jen.Code {
	values := make([]jen.Code, len(all))
	for i, p := range all {
		value := jen.Id(name).Dot(strings.TrimPrefix(p.view, "Work."))
		if p.scalar != nil && differs(p.field.Type, p.scalar) {
			value = goType(p.field.Type).Call(value)
		}
		if p.field.Card == model.Optional {
			value = jen.Qual(coordPath, "OrNil").Call(value)
		}
		values[i] = jen.Id(p.field.Go).Op(":").Add(value)
	}
	return jen.Func().Params(jen.Id(name).Qual(coordPath, view)).Add(inputType(c)).Block(
		jen.Return(jen.Op("&").Add(goType(c.Input)).Values(multiline(values)...)))
}

// differs says whether a field of type t needs a conversion to the view's type.
func differs(t model.Type, view *jen.Statement) bool {
	return goType(t).GoString() != view.GoString()
}
