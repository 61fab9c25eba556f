package load

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// GoPackages say where code goes for files whose go_package is missing, or is
// that of other code.
type GoPackages struct {
	// Module is the import path of the folder that code goes into, or "". A file
	// without go_package belongs into the package below it that the folder of its
	// import path says.
	Module string
	// Of are Go packages by the import path of a .proto file or of a folder of
	// them, in place of what the files say. The files in a folder below that one
	// belong into a package below that one's. Where there is none for a file, the
	// Go package that it says is looked for in the same way.
	Of map[string]string
	// Flag is how people write that a file has a Go package, up to the path of the
	// file, where it is not "--package ".
	Flag string
}

func (g GoPackages) flag() string { return cmp.Or(g.Flag, "--package ") }

// of returns the Go package that a file is given from outside, as go_package
// writes it, and the path that it is given by, or nothing. The longest path wins,
// and one of files wins over one of the Go package that the file says.
func (g GoPackages) of(file, says string) (goPackage, by string) {
	if p, ok := g.Of[file]; ok {
		return p, file
	}
	if p, by := g.below(path.Dir(file)); by != "" {
		return p, by
	}
	importPath, name, named := strings.Cut(says, ";")
	if goPackage, by = g.below(importPath); named && by != "" {
		goPackage += ";" + name
	}
	return goPackage, by
}

// below returns what is given to a folder, or to one that it lies in.
func (g GoPackages) below(folder string) (goPackage, by string) {
	for by := folder; by != ""; by = path.Dir(by) {
		if p, ok := g.Of[by]; ok {
			return path.Join(p, strings.TrimPrefix(folder, by)), by
		}
		if by == path.Dir(by) {
			break
		}
	}
	return "", ""
}

// inModule returns the import path that go_package means. It may be one as seen
// from the module, be ".", for the folder of the file, or be left out, as where it
// is only the name of the package in that folder.
func (g GoPackages) inModule(importPath, folder string) (found, name string) {
	switch {
	case path.Clean(importPath) == "." && (g.Module == "" || folder == "."):
		return "", ""
	case g.Module == "" || importPath == g.Module:
		return importPath, ""
	case path.Clean(importPath) == ".":
		return path.Join(g.Module, folder), ""
	case fromModule(importPath):
		return path.Join(g.Module, importPath), ""
	case !strings.ContainsAny(importPath, "./"):
		return path.Join(g.Module, folder), importPath
	}
	return importPath, ""
}

// fromModule says whether an import path is one as seen from the module.
func fromModule(importPath string) bool {
	return strings.HasPrefix(importPath, "./") || strings.HasPrefix(importPath, "/")
}

// spare reports Go packages that are given to no file.
func (b *builder) spare() {
	given := map[string]bool{}
	for _, f := range b.files {
		_, by := b.goPackages.of(f.Path, goPackageOption(f.d))
		given[by] = true
	}
	for _, by := range slices.Sorted(maps.Keys(b.goPackages.Of)) {
		if !given[by] {
			b.errorf(model.Pos{}, "a Go package is given to %q, but no file of that import path, or that go_package, or below it, is generated or used", by)
		}
	}
}

// goPackageField is the number of go_package in a file's options.
const goPackageField = 11

// packages gives each file its Go package.
func (b *builder) packages() {
	// By import path and by package and base name, without regard to case, as
	// some disks have it and Go's command asks for everywhere.
	named := map[string]*file{} // the first file of a package
	written := map[string]*file{}
	for _, f := range b.files {
		f.Go = b.goPackage(f)
		if other := named[strings.ToLower(f.Go.Path)]; other == nil {
			named[strings.ToLower(f.Go.Path)] = f
		} else if f.Go.Path != other.Go.Path {
			b.errorf(b.goPackagePos(f), "the Go package %q differs only in case from %q, the one in %s; Go does not build both",
				f.Go.Path, other.Go.Path, b.goPackagePos(other))
		} else if f.Go.Path != "" && f.Go.Name != other.Go.Name {
			b.errorf(b.goPackagePos(f), "the Go package %q is called %q here and %q in %s; give both files the same go_package, or one of them another Go package, such as with %s%s=PATH",
				f.Go.Path, f.Go.Name, other.Go.Name, b.goPackagePos(other), b.goPackages.flag(), f.Path)
		}
		if !f.Target {
			continue
		}
		key := strings.ToLower(f.Go.Path + ";" + f.Go.Name + "/" + f.Base())
		if other := written[key]; other != nil {
			b.errorf(b.goPackagePos(f), "the code of this file and that of %s would have the same file names in the Go package %q; rename one of the files, or give it another go_package",
				b.shown(other.Path), cmp.Or(f.Go.Path, f.Go.Name))
		}
		written[key] = f
	}
}

func (b *builder) goPackagePos(f *file) model.Pos {
	if p := b.partPos(f.d, optionsField(f.d), goPackageField); p.Line > 0 {
		return p
	}
	return b.partPos(f.d, packageField)
}

// goPackageOption is what a file's go_package says, or "".
func goPackageOption(d protoreflect.FileDescriptor) string {
	if o, ok := d.Options().(interface{ GetGoPackage() string }); ok {
		return o.GetGoPackage()
	}
	return ""
}

// goPackage decides a file's Go package, which is the one that it is given from
// outside, or that of its go_package: an import path, with or without a name
// behind a semicolon. Without a name it is called as [PackageName] says. A file
// with neither lies in the module, or has no path; then it is called after the
// protobuf package, else after itself.
func (b *builder) goPackage(f *file) model.GoPackage {
	if isWellKnown(f.d) {
		return wellKnownGo()
	}
	folder, says := path.Dir(f.Path), goPackageOption(f.d)
	option, by := b.goPackages.of(f.Path, says)
	from := "the given Go package"
	if by == "" {
		option, from = says, "go_package"
	}
	importPath, name, _ := strings.Cut(option, ";")
	if by == "" {
		var alone string
		importPath, alone = b.goPackages.inModule(importPath, folder)
		name = cmp.Or(name, alone)
	}
	switch fault := badImportPath(importPath); {
	case importPath == "" && (option == "" || by == "" && says[0] == '.'):
		base := strings.TrimSuffix(path.Base(f.Path), ".proto")
		if f.Proto != "" {
			base = lastElement(strings.Split(f.Proto, "."))
		}
		return model.GoPackage{Path: b.goPackages.Module, Name: packageName(cmp.Or(name, strings.ToLower(base)))}
	case fault != "" && by == "" && fromModule(importPath):
		b.errorf(b.goPackagePos(f), "go_package %q is seen from the folder that code goes into; say with --module which import path that has, or write go_package as \"example.com/module/package\"", option)
	case fault != "":
		b.errorf(b.goPackagePos(f), "%s %q is not an import path: %s; write it as \"example.com/module/package\"", from, option, fault)
	}
	return model.GoPackage{Path: importPath, Name: packageName(cmp.Or(name, PackageName(importPath)))}
}

// PackageName is what a Go package is called whose import path is all that is
// known of it: after the path's last element, or the one before it if that is a
// version such as v2.
func PackageName(importPath string) string {
	return packageName(lastElement(strings.Split(importPath, "/")))
}

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// lastElement is the last element that is not a version, if there is one.
func lastElement(elements []string) string {
	last := elements[len(elements)-1]
	if len(elements) > 1 && versionElement.MatchString(last) {
		return elements[len(elements)-2]
	}
	return last
}

// packageName makes an identifier of text: what can't stand in one becomes an
// underscore.
func packageName(text string) string {
	name := strings.Map(func(r rune) rune {
		if isLetter(r) || isDigit(r) || r == '_' {
			return r
		}
		return '_'
	}, text)
	switch {
	case strings.Trim(name, "_") == "":
		return "schema"
	case isDigit(rune(name[0])):
		return "p" + name
	case token.IsKeyword(name), name == "init", name == "documentation":
		return name + "_" // Go imports nothing as init, and passes over files of a package documentation
	}
	return name
}

// badImportPath says what is wrong with an import path, or "".
func badImportPath(p string) string {
	switch p {
	case "":
		return "it is empty"
	case "C", "unsafe", "time", "context", "log/slog":
		return "it is that of a package of Go's own"
	}
	for _, r := range p {
		if r <= ' ' || r > '~' || strings.ContainsRune("!\"#$%&'()*,:;<=>?@[\\]^`{|}", r) {
			return fmt.Sprintf("it holds %q", r)
		}
	}
	for element := range strings.SplitSeq(p, "/") {
		switch element {
		case "":
			return "it has an empty element"
		case ".", "..":
			return "it is relative"
		}
	}
	if refused, ok := errors.AsType[*module.InvalidPathError](module.CheckImportPath(p)); ok {
		return "Go does not take it (" + refused.Err.Error() + ")"
	}
	return ""
}

// usable checks that the Go package of one file can use a struct or enum of
// another's. What is amiss is that of a file, so it is reported once for each.
func (b *builder) usable(f *file, d protoreflect.Descriptor, p model.Pos) {
	other := b.byPath[d.ParentFile().Path()]
	if other == nil || other.Go == f.Go {
		return
	}
	use := [2]string{f.Path, other.Path}
	if b.unusable[use] {
		return
	}
	switch {
	case other.Go.Path == "":
		b.errorf(p, "%q is declared in %s, which has no go_package, so that no other Go package can import it; add option go_package to that file, or say which it is with %s%s=PATH",
			d.FullName(), b.shown(other.Path), b.goPackages.flag(), other.Path)
	case other.Go.Name == "main":
		b.errorf(p, "%q is declared in %s, whose Go package is called main, which no other can import; give that file another go_package",
			d.FullName(), b.shown(other.Path))
	case !mayImport(f.Go.Path, other.Go.Path):
		b.errorf(p, "%q is declared in %s, whose Go package %q is internal to the folder above it, where %q does not lie; give one of the files another go_package",
			d.FullName(), b.shown(other.Path), other.Go.Path, f.Go.Path)
	case !other.Target && isProtocGenGo(other.Go.Path):
		b.errorf(p, "%q is declared in %s, whose Go package %q is made by protoc-gen-go and lacks the methods that this code calls; generate that file too, into a package of your own: %s%s=PATH",
			d.FullName(), b.shown(other.Path), other.Go.Path, b.goPackages.flag(), other.Path)
	default:
		return
	}
	b.unusable[use] = true
}

// mayImport says whether Go lets one package import another, which it does not
// where that is internal to a folder in which the first one does not lie.
func mayImport(from, to string) bool {
	i := strings.LastIndex("/"+to+"/", "/internal/")
	return i < 0 || strings.HasPrefix(from+"/", to[:i])
}

// isProtocGenGo says whether a Go package is one of those, published with their
// schemas, that protoc-gen-go makes.
func isProtocGenGo(importPath string) bool {
	for _, home := range []string{
		"google.golang.org/genproto", "google.golang.org/grpc", "google.golang.org/protobuf",
		"cloud.google.com/go", "buf.build/gen/go",
	} {
		if strings.HasPrefix(importPath+"/", home+"/") {
			return true
		}
	}
	return false
}

// An edge says that one Go package uses another, and where it first does so.
type edge struct {
	to  model.GoPackage
	pos model.Pos
	use string
}

// packageImports reports Go packages that use each other. protobuf allows it,
// since its files do not; Go does not.
func (b *builder) packageImports() {
	edges := map[model.GoPackage][]edge{}
	for _, f := range b.files {
		for _, m := range f.messages {
			for _, fd := range m.fields {
				usesOf(fd.d, func(d protoreflect.Descriptor) bool {
					if to := b.byPath[d.ParentFile().Path()]; to != nil && to.Go != f.Go {
						edges[f.Go] = append(edges[f.Go], edge{to: to.Go, pos: fd.Pos, use: string(d.FullName())})
					}
					return true
				})
			}
		}
	}
	order := func(x, y model.GoPackage) int { return strings.Compare(x.Path+";"+x.Name, y.Path+";"+y.Name) }
	const visiting, done = 1, 2
	state := map[model.GoPackage]int{}
	var visit func(model.GoPackage)
	visit = func(p model.GoPackage) {
		state[p] = visiting
		reported := map[model.GoPackage]bool{}
		for _, e := range edges[p] {
			switch {
			case state[e.to] == visiting && !reported[e.to]:
				reported[e.to] = true
				b.errorf(e.pos, "the Go package %q uses %q of the Go package %q here, which uses the first one in turn; Go has no such cycles. Give both the same go_package, or move %q",
					cmp.Or(p.Path, p.Name), e.use, cmp.Or(e.to.Path, e.to.Name), e.use)
			case state[e.to] == 0:
				visit(e.to)
			}
		}
		state[p] = done
	}
	for _, p := range slices.SortedFunc(maps.Keys(edges), order) {
		if state[p] == 0 {
			visit(p)
		}
	}
}
