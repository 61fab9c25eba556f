package gogen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// migrations prints the methods by which the message becomes one of another version.
// They call functions that the program has to have, so that it does not compile
// without them.
func (p *printer) migrations(m *model.Message) {
	if m.Migrations == nil {
		return
	}
	stamp := jen.Id("m").Dot(m.Field(model.SchemaVersion).Go)
	forth := []jen.Code{jen.Id("version").Op(":=").Add(stamp)} // the program's functions may change the field
	var back []jen.Code
	if m.File.KeepUnknown {
		back = append(back, jen.If(stamp.Clone().Op(">").Lit(m.File.Version)).Block(
			jen.Return(jen.Qual(wirePath, "Unreverted").Call(stamp, jen.Lit(m.File.Version)))))
	}
	var wanted []string
	for _, x := range m.Migrations {
		wanted = append(wanted, fmt.Sprintf("%s(m *%s) error", x.Migrate, m.Go))
		forth = append(forth, jen.If(jen.Id("version").Op("<").Lit(x.Version)).Block(tried(x, x.Migrate)))
	}
	for _, x := range slices.Backward(m.Migrations) {
		undo := jen.Return(unmigrated(x, jen.Nil()))
		if x.Reversible {
			wanted = append(wanted, fmt.Sprintf("%s(m *%s) error", x.Revert, m.Go))
			undo = tried(x, x.Revert)
		}
		back = append(back, jen.If(jen.Id("version").Op("<").Lit(x.Version)).Block(undo))
	}
	forth = append(forth, stamp.Clone().Op("=").Lit(m.File.Version), jen.Return(jen.Nil()))
	p.method("migrate makes a message that an older version wrote one of this version. The package has to have, in a file of its own, "+
		strings.Join(wanted, " and ")+".",
		pointerMethod("m", m.Go, "migrate").Params().Error().Block(forth...))
	p.method("revert makes the message one that the older version can express.",
		pointerMethod("m", m.Go, "revert").Params(jen.Id("version").Int()).Error().Block(append(back, jen.Return(jen.Nil()))...))
}

// tried calls a function of the program, and returns its error.
func tried(x model.Migration, function string) *jen.Statement {
	return jen.If(jen.Err().Op(":=").Id(function).Call(jen.Id("m")), jen.Err().Op("!=").Nil()).Block(
		jen.Return(unmigrated(x, jen.Err())))
}

func unmigrated(x model.Migration, cause jen.Code) *jen.Statement {
	return jen.Qual(wirePath, "Unmigrated").Call(jen.Lit(x.Name), jen.Lit(x.Version), cause)
}

// migrated prints the condition on which a message that was read is migrated, and what
// does it.
func migrated(m *model.Message, migrate *jen.Statement) jen.Code {
	if m.Migrations == nil {
		return jen.Null()
	}
	newest := m.Migrations[len(m.Migrations)-1].Version
	return jen.If(jen.Id("m").Dot(m.Field(model.SchemaVersion).Go).Op("<").Lit(newest)).Block(migrate)
}

// reverted begins the body of a writing method: at an older version, a copy that is one
// of that version takes the message's place. Of a message that lies in a copy there is
// no need of another.
func reverted(m *model.Message, body []jen.Code) []jen.Code {
	if m.Migrations == nil {
		return body
	}
	newest := m.Migrations[len(m.Migrations)-1].Version
	return append([]jen.Code{
		jen.If(jen.Id("v").Op(":=").Add(version(m.File)), jen.Id("v").Op("<").Lit(newest)).Block(
			jen.If(call("w", "Copy")).Block(jen.Id("m").Op("=").Add(call("m", "Clone")), jen.Defer().Add(call("w", "Copied"))),
			jen.If(jen.Err().Op(":=").Add(call("m", "revert", jen.Id("v"))), jen.Err().Op("!=").Nil()).Block(
				jen.Return(call("w", "Unwritable", jen.Id("b"), jen.Err()))),
		),
	}, body...)
}

// fieldOf is the value of a field to write. A message of a version to come still has
// what that version added, among its unknown fields, so it remains one of that version.
func fieldOf(f *model.Field) *jen.Statement {
	field := jen.Id("m").Dot(f.Go)
	switch {
	case f.Stamp && f.File.KeepUnknown:
		return jen.Qual(wirePath, "Stamp").Call(field, version(f.File), jen.Lit(f.File.Version))
	case f.Stamp:
		return goType(f.Type).Call(version(f.File))
	}
	return field
}
