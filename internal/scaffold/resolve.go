package scaffold

import (
	"go/ast"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A resolver says what the names in a file stand for. A type of another package
// is written "example.com/shop.Order", one of the package itself "Order", so that
// types can be compared whatever a file calls what it imports.
type resolver struct {
	code *code
	// called are the names of packages by import path, where they are known.
	// Others are taken to be called after the last element of their path.
	called map[string]string
}

// importsOf are the packages that a file imports, by the names it has for them.
func (r resolver) importsOf(f *codeFile) map[string]string {
	all := map[string]string{}
	for _, spec := range f.Imports {
		importPath, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name, known := r.called[importPath]
		if !known {
			name = path.Base(importPath)
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		all[name] = importPath
	}
	return all
}

// typ is a type as a file writes it, resolved, the user's aliases too.
func (r resolver) typ(f *codeFile, x ast.Expr) string { return r.unaliased(f, x, 10) }

// unaliased follows at most that many aliases: in code that does not compile one
// can stand for itself.
func (r resolver) unaliased(f *codeFile, x ast.Expr, aliases int) string {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return r.unaliased(f, x.X, aliases)
	case *ast.StarExpr:
		return "*" + r.unaliased(f, x.X, aliases)
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			if importPath, known := r.importsOf(f)[pkg.Name]; known {
				return importPath + "." + x.Sel.Name
			}
		}
	case *ast.Ident:
		d, declared := r.code.decls[x.Name]
		switch dotted, dot := r.importsOf(f)["."]; {
		case declared && d.spec != nil && d.spec.Assign.IsValid() && !d.file.generated && aliases > 0:
			return r.unaliased(d.file, d.spec.Type, aliases-1)
		case dot && !declared && types.Universe.Lookup(x.Name) == nil:
			return dotted + "." + x.Name
		}
	}
	return types.ExprString(x)
}

// signature is that of a function, resolved, with a type for each parameter.
func (r resolver) signature(f *codeFile, t *ast.FuncType) string {
	s := "func(" + strings.Join(r.fields(f, t.Params), ", ") + ")"
	switch results := r.fields(f, t.Results); len(results) {
	case 0:
		return s
	case 1:
		return s + " " + results[0]
	default:
		return s + " (" + strings.Join(results, ", ") + ")"
	}
}

func (r resolver) fields(f *codeFile, list *ast.FieldList) []string {
	if list == nil {
		return nil
	}
	var all []string
	for _, field := range list.List {
		for range max(len(field.Names), 1) {
			all = append(all, r.typ(f, field.Type))
		}
	}
	return all
}

// A claim says that a type of the user's is to be of some interface: the type
// embeds something, or the code says "var _ Interface = (*Type)(nil)".
type claim struct {
	typ string
	of  string // resolved
}

// claims are in source order.
func (r resolver) claims() []claim {
	var all []claim
	for _, f := range r.code.files {
		if f.generated {
			continue
		}
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if spec.Type != nil && len(spec.Values) == 1 {
						all = append(all, claim{valueType(spec.Values[0]), r.typ(f, spec.Type)})
					}
				case *ast.TypeSpec:
					for _, embedded := range r.embedded(f, spec) {
						all = append(all, claim{spec.Name.Name, embedded})
					}
				}
			}
		}
	}
	return slices.DeleteFunc(all, func(c claim) bool {
		_, ok := r.code.userType(c.typ)
		return !ok
	})
}

// embedded are the types that a struct embeds, resolved, without their pointers.
func (r resolver) embedded(f *codeFile, spec *ast.TypeSpec) []string {
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	var all []string
	for _, field := range s.Fields.List {
		if len(field.Names) == 0 {
			all = append(all, strings.TrimPrefix(r.typ(f, field.Type), "*"))
		}
	}
	return all
}

// unimplemented begins the name of the generated type that refuses each message
// of a namespace.
const unimplemented = "Unimplemented"

// methods are the methods of a type of the package by name, those of the types of
// the package that it embeds included. Those that only refuse a message are not.
func (r resolver) methods(of string) map[string]method {
	all := map[string]method{}
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		d, ok := r.code.decls[name]
		if seen[name] || !ok || d.spec == nil || d.file.generated && strings.HasPrefix(name, unimplemented) {
			return
		}
		seen[name] = true
		for name, m := range r.code.methods(name) {
			if _, nearer := all[name]; !nearer {
				all[name] = m
			}
		}
		for _, name := range r.embedded(d.file, d.spec) {
			visit(name)
		}
	}
	visit(of)
	return all
}

// valueType is the name of the type of a value such as (*T)(nil), T{}, &T{} or
// new(T), or "".
func valueType(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.UnaryExpr:
		return valueType(x.X)
	case *ast.CompositeLit:
		return baseName(x.Type)
	case *ast.CallExpr:
		if f, ok := x.Fun.(*ast.Ident); ok && f.Name == "new" && len(x.Args) == 1 {
			return baseName(x.Args[0])
		}
		return baseName(x.Fun)
	}
	return ""
}
