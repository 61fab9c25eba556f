package gogen

import (
	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// version is the version at which the file's messages are written.
func version(f *model.File) *jen.Statement {
	return call("w", "Version", jen.Lit(f.Schema()), jen.Lit(f.Version))
}

// has is the condition on which the version that is written has f, or nil if all of
// them have. What tells a fleet its versions, lives and leaders is written at any: by it
// the version to write at is found. So is what is required, for others of the newest
// version read the message too, and those of older ones pass it over.
func has(f *model.Field) *jen.Statement {
	if f.Since <= 1 || f.Required || !f.Stamp && f.Role == model.SchemaVersion || f.Role == model.Incarnation || f.Role == model.Term {
		return nil
	}
	return version(f.File).Op(">=").Lit(f.Since)
}

// isWritten is the condition on which a field is written, or nil if it always is. Set
// is the one that holds for versions that have the field. Those behind leave it
// out where it is zero.
func isWritten(f *model.Field, set *jen.Statement) *jen.Statement {
	since := has(f)
	if set == nil && f.File.Retired(f.Until) {
		set = holds(f).Op("||").Add(version(f.File)).Op("<=").Lit(f.Until)
		if since != nil {
			set = jen.Parens(set)
		}
	}
	if set == nil || since == nil {
		if set == nil {
			return since
		}
		return set
	}
	return set.Op("&&").Add(since)
}

// holds is the condition on which a field is not zero.
func holds(f *model.Field) *jen.Statement {
	if f.Card == model.Repeated || f.Card == model.Mapped {
		return jen.Len(jen.Id("m").Dot(f.Go)).Op(">").Lit(0)
	}
	return protoIsSet(f)
}

// written prints what stands for a name that versions have had different names for.
// Text prints it for one of them.
func written(f *model.Field, text func(name string) jen.Code) jen.Code {
	switch len(f.Former) {
	case 0:
		return text(f.Wire)
	case 1:
		return jen.If(version(f.File).Op("<=").Lit(f.Former[0].Until)).
			Block(text(f.Former[0].Name)).Else().Block(text(f.Wire))
	}
	var cases []jen.Code
	for _, former := range f.Former {
		cases = append(cases, jen.Case(jen.Id("v").Op("<=").Lit(former.Until)).Block(text(former.Name)))
	}
	cases = append(cases, jen.Default().Block(text(f.Wire)))
	return jen.Switch(jen.Id("v").Op(":=").Add(version(f.File)), jen.Empty()).Block(cases...)
}

// missing are the statements that refuse a message without a field that earlier
// versions demand.
func missing(f *model.Field) []jen.Code {
	if unset := mustBeSet(f); unset != nil && f.WasRequired && f.File.Retired(f.Until) {
		return []jen.Code{jen.If(unset.Op("&&").Add(version(f.File)).Op("<=").Lit(f.Until)).
			Block(call("w", "Missing", jen.Id("b"), jen.Lit(f.Wire)))}
	}
	return nil
}

// memberOf prints the case of a oneof's member, which versions before it can't express.
func memberOf(m *model.OneofMember, value ...jen.Code) jen.Code {
	if since := m.Field.Since; since > 1 {
		newer := call("w", "Newer", jen.Id("b"), jen.Lit(m.Field.Wire), jen.Lit(since))
		value = []jen.Code{jen.If(version(m.Field.File).Op("<").Lit(since)).Block(newer).Else().Block(value...)}
	}
	return jen.Case(jen.Id(m.Go)).Block(value...)
}
