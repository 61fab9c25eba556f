package plugin

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// parameters are what the user gives with --coordgen_opt, or opt in buf.gen.yaml.
type parameters struct {
	codecs []string
	module string
	// relative says that code goes into the folder of its .proto file.
	relative bool
	// packages are Go packages by the import path of a .proto file, or of a
	// folder of them.
	packages map[string]string
}

// The values of the parameter "paths".
const (
	pathsImport   = "import"
	pathsRelative = "source_relative"
)

// parse reads parameters as protoc joins them, with commas. Of one that is given
// twice the last counts, but codecs and Go packages add up.
func parse(text string) (parameters, load.Errors) {
	p := parameters{packages: map[string]string{}}
	var faults load.Errors
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		if err := p.set(strings.Cut(part, "=")); err != nil {
			faults = append(faults, load.Diagnostic{Message: fmt.Sprintf("parameter %q: %v", part, err)})
		}
	}
	return p, faults
}

func (p *parameters) set(name, value string, hasValue bool) error {
	proto, isPackage := strings.CutPrefix(name, "M")
	switch {
	case isPackage && (proto == "" || value == ""):
		return fmt.Errorf("give a .proto file, or a folder of them, its Go package, as in Morders.proto=example.com/shop/orders")
	case isPackage:
		p.packages[path.Clean(proto)] = value
	case !slices.Contains([]string{"codecs", "module", "paths"}, name):
		hint := ""
		if slices.Contains(gogen.Codecs(), name) {
			hint = ". Codecs are joined by +, as in codecs=" + strings.Join(gogen.Codecs(), "+")
		}
		return fmt.Errorf("there is no such parameter; there are codecs, module, paths and M%s", hint)
	case !hasValue || value == "":
		return fmt.Errorf("it needs a value, as in %s=%s", name, example(name))
	case name == "module":
		p.module = value
	case name == "paths" && value != pathsImport && value != pathsRelative:
		return fmt.Errorf("it is %s or %s", pathsImport, pathsRelative)
	case name == "paths":
		p.relative = value == pathsRelative
	default:
		codecs := strings.Split(value, "+")
		for _, c := range codecs {
			if !slices.Contains(gogen.Codecs(), c) {
				return fmt.Errorf("unknown codec %q; the codecs are %s", c, strings.Join(gogen.Codecs(), ", "))
			}
		}
		p.codecs = append(p.codecs, codecs...)
	}
	return nil
}

// example is a value of a parameter.
func example(name string) string {
	return map[string]string{
		"codecs": strings.Join(gogen.Codecs(), "+"), "module": "example.com/shop/gen", "paths": pathsRelative,
	}[name]
}
