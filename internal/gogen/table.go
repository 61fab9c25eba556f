package gogen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/wire"
)

// fields prints the table of keys that the codecs read.
func (p *printer) fields(m *model.Message) {
	table := jen.Dict{jen.Id("Message"): jen.Lit(m.Name)}
	var names, aliases, required, null []jen.Code
	for i, f := range m.Fields {
		names = append(names, jen.Lit(f.Wire))
		for _, a := range f.Aliases {
			aliases = append(aliases, jen.Values(jen.Id("Name").Op(":").Lit(a), jen.Id("Index").Op(":").Lit(i)))
		}
		if f.Required {
			required = append(required, jen.Lit(i))
		}
		if f.NullIsValue() {
			null = append(null, jen.Lit(i))
		}
	}
	if names != nil {
		table[jen.Id("Names")] = jen.Index().String().Values(multiline(names)...)
	}
	if slices.ContainsFunc(m.Fields, func(f *model.Field) bool { return wire.Escapes(f.Wire) }) {
		table[jen.Id("Escaped")] = jen.True()
	}
	if aliases != nil {
		table[jen.Id("Aliases")] = jen.Index().Qual(wirePath, "Alias").Values(multiline(aliases)...)
	}
	if required != nil {
		table[jen.Id("Required")] = jen.Index().Int().Values(required...)
	}
	if null != nil {
		table[jen.Id("Null")] = jen.Index().Int().Values(null...)
	}
	if size := m.Size(); size > 0 {
		table[jen.Id("Size")] = jen.Lit(size)
	}
	p.add(nil, jen.Var().Id(fieldsTable(m)).Op("=").Qual(wirePath, "Fields").Values(table))
}
