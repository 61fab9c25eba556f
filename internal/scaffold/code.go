package scaffold

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A Finding is what is to be said about a place in the user's code.
type Finding struct {
	Pos     model.Pos
	Message string
}

// code is the Go package in a folder, as far as a parser can see it: the user's
// code need not compile, and be it for want of what coordgen is asked to write.
type code struct {
	folder string
	name   string // "" when there are no files
	fset   *token.FileSet
	files  []*codeFile
	// decls are the names that the package declares, with those of its methods
	// left out.
	decls map[string]decl
	// broken says where files could not be parsed to their end.
	broken []Finding
}

type codeFile struct {
	*ast.File
	name      string // its base name
	generated bool
}

// A decl is what a name stands for in the package.
type decl struct {
	file *codeFile
	// spec is nil for what is no type.
	spec *ast.TypeSpec
}

// PackageIn returns the name of the Go package in a folder, or "" when there is
// none. It is an error when there are several.
func PackageIn(folder string) (string, error) {
	c, err := readCode(folder, "", nil)
	if err != nil {
		return "", err
	}
	return c.name, nil
}

// readCode parses the Go package of that name in a folder, or the only one there
// when name is "". Tests, and files that are never built, are not part of it.
// Generated files are replaced by the given ones of the same name.
func readCode(folder, name string, generated map[string][]byte) (*code, error) {
	c := &code{folder: folder, name: name, fset: token.NewFileSet(), decls: map[string]decl{}}
	sources, err := goFiles(folder)
	if err != nil {
		return nil, err
	}
	maps.Copy(sources, generated)
	names := map[string]string{} // a file for each name of a package
	for _, base := range sortedKeys(sources) {
		f, err := c.parse(base, sources[base])
		if f != nil && (ignored(f.File) || name != "" && f.Name.Name != name) {
			continue
		}
		c.note(err)
		if f != nil {
			names[f.Name.Name] = base
			c.files = append(c.files, f)
		}
	}
	if len(names) > 1 {
		return nil, fmt.Errorf("%s holds the Go packages %s; say with --package which one is meant", folder, strings.Join(sortedKeys(names), ", "))
	}
	for name := range names {
		c.name = name
	}
	for _, f := range c.files {
		c.declare(f)
	}
	return c, nil
}

// goFiles reads the files of a folder that may be part of its package.
func goFiles(folder string) (map[string][]byte, error) {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	files := map[string][]byte{}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || strings.ContainsRune("_.", rune(name[0])) {
			continue
		}
		if files[name], err = os.ReadFile(filepath.Join(folder, name)); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// parse returns what can be parsed of a file: nil if not even the name of its
// package.
func (c *code) parse(name string, text []byte) (*codeFile, error) {
	f, err := parser.ParseFile(c.fset, filepath.Join(c.folder, name), text, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil || f.Name == nil || f.Name.Name == "" || f.Name.Name == "_" {
		return nil, err
	}
	return &codeFile{File: f, name: name, generated: ast.IsGenerated(f)}, err
}

// ignored says whether a file has the constraint by which files are kept out of
// every build.
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		for _, line := range group.List {
			if line.Pos() > f.Package {
				return false
			}
			if x, err := constraint.Parse(line.Text); err == nil && x.String() == "ignore" {
				return true
			}
		}
	}
	return false
}

// note takes down where a file could not be parsed.
func (c *code) note(err error) {
	var faults scanner.ErrorList
	if errors.As(err, &faults) && len(faults) > 0 {
		p := faults[0].Pos
		c.broken = append(c.broken, Finding{
			Pos:     model.Pos{Path: p.Filename, Line: p.Line, Col: p.Column},
			Message: faults[0].Msg + "; what follows may not have been seen",
		})
	}
}

// declare takes down the names that a file declares.
func (c *code) declare(f *codeFile) {
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				c.decls[d.Name.Name] = decl{file: f}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.TypeSpec:
					c.decls[spec.Name.Name] = decl{file: f, spec: spec}
				case *ast.ValueSpec:
					for _, name := range spec.Names {
						c.decls[name.Name] = decl{file: f}
					}
				}
			}
		}
	}
}

// userType returns the declaration of a type that the user wrote.
func (c *code) userType(name string) (decl, bool) {
	d := c.decls[name]
	return d, d.spec != nil && !d.file.generated
}

func (c *code) pos(p token.Pos) model.Pos {
	at := c.fset.Position(p)
	return model.Pos{Path: at.Filename, Line: at.Line, Col: at.Column}
}

// A method is one of a type's.
type method struct {
	file *codeFile
	decl *ast.FuncDecl
}

// methods are those that are declared for a type, by name.
func (c *code) methods(of string) map[string]method {
	all := map[string]method{}
	for _, f := range c.files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv != nil && len(d.Recv.List) == 1 && baseName(d.Recv.List[0].Type) == of {
				all[d.Name.Name] = method{f, d}
			}
		}
	}
	return all
}

// baseName is the name of a type of the package, be it behind a pointer or with
// type arguments, or "" for any other type.
func baseName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.StarExpr:
		return baseName(x.X)
	case *ast.ParenExpr:
		return baseName(x.X)
	case *ast.IndexExpr:
		return baseName(x.X)
	case *ast.IndexListExpr:
		return baseName(x.X)
	}
	return ""
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
