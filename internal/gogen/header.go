package gogen

import "strings"

// needs is the oldest release whose runtime has all that generated code calls.
// Where code begins to call more, needs becomes the coming release, and package
// wire gets its constant.
const needs = "v0.1.0"

// guard makes the code refuse to compile with a runtime that is too old, in
// words, before the compiler tells what that runtime lacks.
func (p *printer) guard() {
	p.out.Line()
	p.out.Comment("This code needs coordgen " + needs + " or later in go.mod. If the next line does not")
	p.out.Comment("compile, run: go get " + module + "@" + needs)
	p.out.Const().Id("_").Op("=").Qual(wirePath, "NeedsCoordgenV"+strings.ReplaceAll(needs[1:], ".", "_"))
}
