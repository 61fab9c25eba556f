package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/bufbuild/protocompile/ast"
	"github.com/bufbuild/protocompile/linker"
	"github.com/bufbuild/protocompile/options"
	"github.com/bufbuild/protocompile/parser"
	"github.com/bufbuild/protocompile/reporter"
	"github.com/bufbuild/protocompile/sourceinfo"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// alreadyDefined is what the compiler says of a symbol that is there twice.
const alreadyDefined = "already defined"

// edition is the one that the compiler knows.
const edition = "2023"

// A compilation is one run of the protobuf compiler over a set of files. It is a
// reporter that goes on after a fault, so that one run finds as many as can be
// found, and takes the files one after the other in an order that depends on
// their paths alone, so that it finds the same ones each time.
type compilation struct {
	sources *sources
	targets map[string]bool
	// progress is told how many files are compiled, unless it is nil.
	progress func(done, total int)

	errs, warnings []Diagnostic

	symbols linker.Symbols
	files   map[string]linker.File // by import path; nil for one with a fault
	told    map[string]int         // by name, how many faults of a file were noted
	stack   []string               // the files being compiled, each imported by the one before
}

// run compiles the files and returns those that are without fault.
func (c *compilation) run(ctx context.Context, paths []string) ([]protoreflect.FileDescriptor, error) {
	c.files, c.told = map[string]linker.File{}, map[string]int{}
	var good []protoreflect.FileDescriptor
	for i, path := range paths {
		f, err := c.file(ctx, path)
		if c.progress != nil {
			c.progress(i+1, len(paths))
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			c.errs = append(c.errs, Diagnostic{Pos: model.Pos{Path: path}, Message: err.Error()})
		case f != nil:
			good = append(good, f)
		}
	}
	if c.twice() {
		return nil, nil // what else is amiss follows from that
	}
	c.copies()
	return good, nil
}

// maxFaults is how many faults of one file are told. What is no schema at all has
// one at every other byte.
const maxFaults = 100

// Error notes a fault and lets the compiler go on, unless the file has too many.
func (c *compilation) Error(err reporter.ErrorWithPos) error {
	d := Diagnostic{Pos: c.pos(err), Message: c.text(err)}
	if !strings.Contains(d.Message, alreadyDefined) { // which are gathered later
		c.told[d.Pos.Path]++
	}
	if c.told[d.Pos.Path] > maxFaults {
		d.Message = fmt.Sprintf("there are more faults in this file than %d; mend those first", maxFaults)
		c.errs = append(c.errs, d)
		return err
	}
	c.errs = append(c.errs, d)
	return nil
}

// Warning notes what the compiler finds odd in a file that code is generated for.
func (c *compilation) Warning(err reporter.ErrorWithPos) {
	if c.targets[err.GetPosition().Filename] {
		c.warnings = append(c.warnings, Diagnostic{Pos: c.pos(err), Message: c.text(err)})
	}
}

// place matches where the compiler's text names another place.
var place = regexp.MustCompile(`( at )([^\s:]+)(:[0-9]+:[0-9]+)`)

// text is the compiler's text, with paths as people know them.
func (c *compilation) text(err reporter.ErrorWithPos) string {
	text := place.ReplaceAllStringFunc(err.Unwrap().Error(), func(match string) string {
		parts := place.FindStringSubmatch(match)
		return parts[1] + c.sources.shown(parts[2]) + parts[3]
	})
	return text + hint(text)
}

func (c *compilation) pos(span ast.SourceSpan) model.Pos {
	p := span.Start()
	return model.Pos{Path: c.sources.shown(p.Filename), Line: p.Line, Col: p.Col}
}

// file compiles a file and what it imports. It returns nil for one with a fault,
// which is noted, and an error for one that can't be read at all.
func (c *compilation) file(ctx context.Context, path string) (linker.File, error) {
	if f, ok := c.files[path]; ok {
		return f, nil
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	source, err := c.sources.open(path)
	if err != nil {
		return nil, err
	}
	c.stack = append(c.stack, path)
	f, err := c.compile(ctx, path, source)
	c.stack = c.stack[:len(c.stack)-1]
	c.files[path] = f
	return f, err
}

func (c *compilation) compile(ctx context.Context, path string, source source) (f linker.File, err error) {
	// The compiler is handed whatever people write. Where that breaks it, they
	// are told which file it was.
	defer func() {
		if p := recover(); p != nil {
			f, err = nil, fmt.Errorf("the protobuf compiler breaks on this file: %v", p)
		}
	}()
	if source.built != nil {
		return linker.NewFileRecursive(source.built)
	}
	if !c.readable(path, source.text) {
		return nil, nil
	}
	h := reporter.NewHandler(c)
	before := len(c.errs)
	tree, _ := parser.Parse(path, bytes.NewReader(source.text), h)
	if tree == nil {
		return nil, nil
	}
	if e := tree.Edition; e != nil && e.Edition.AsString() != edition {
		c.errs = append(c.errs[:before], Diagnostic{Pos: c.pos(tree.NodeInfo(e.Edition)), Message: fmt.Sprintf(
			"edition %q is not supported; coordgen reads proto2, proto3 and edition %s", e.Edition.AsString(), edition)})
		return nil, nil // what else was found is of its syntax, which the parser does not know
	}
	imports, whole := c.imports(ctx, path, tree)
	if h.Error() != nil {
		return nil, nil
	}
	parsed, err := parser.ResultFromAST(tree, true, h)
	if err != nil || !whole {
		return nil, nil // the handler has noted it
	}
	linked, err := linker.Link(parsed, imports, &c.symbols, h)
	if err != nil {
		return nil, nil // the handler has noted it
	}
	index, err := options.InterpretOptions(linked, h)
	if err != nil || linked.ValidateOptions(h, &c.symbols) != nil {
		return nil, nil // the handler has noted it
	}
	linked.CheckForUnusedImports(h)
	if h.Error() != nil {
		return nil, nil
	}
	parsed.FileDescriptorProto().SourceCodeInfo = sourceinfo.GenerateSourceInfo(tree, index, sourceinfo.WithExtraOptionLocations())
	linked.PopulateSourceCodeInfo()
	linked.RemoveAST()
	return linked, nil
}

// imports compiles what a file imports. Whole says that all of it is there.
func (c *compilation) imports(ctx context.Context, path string, tree *ast.FileNode) (files linker.Files, whole bool) {
	whole = true
	for _, decl := range tree.Decls {
		imp, ok := decl.(*ast.ImportNode)
		if !ok {
			continue
		}
		name := imp.Name.AsString()
		fault := func(format string, args ...any) {
			whole = false
			c.errs = append(c.errs, Diagnostic{Pos: c.pos(tree.NodeInfo(imp.Name)), Message: fmt.Sprintf("import %q: ", name) + fmt.Sprintf(format, args...)})
		}
		if i := slices.Index(c.stack, name); i >= 0 {
			cycle := strings.Join(append(slices.Clone(c.stack[i:]), name), " -> ")
			fault("files can't import each other, as in %s; move what they share to a file of its own", cycle)
			continue
		}
		f, err := c.file(ctx, name)
		switch {
		case ctx.Err() != nil:
			return nil, false
		case err != nil:
			fault("%s", c.whyMissing(path, name, err))
		case f == nil:
			whole = false
		default:
			files = append(files, f)
		}
	}
	return files, whole
}

// whyMissing says why an import failed. Where the file lies in a folder above
// the importing one, it names that folder, which is the usual oversight.
func (c *compilation) whyMissing(importer, name string, err error) string {
	if !errors.Is(err, fs.ErrNotExist) {
		return err.Error()
	}
	if on, ok := c.sources.disk[importer]; ok {
		for folder := filepath.Dir(on); ; folder = filepath.Dir(folder) {
			if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name))); err == nil {
				return fmt.Sprintf("no such file in an include folder; add %s to them (-I, or include in coordgen.yaml)", folder)
			}
			if folder == filepath.Dir(folder) {
				break
			}
		}
	}
	if near := Nearest(name, carriedPaths()); near != "" {
		return fmt.Sprintf("no such file in an include folder (%s); did you mean %q?", c.sources.folders(), near)
	}
	return fmt.Sprintf("no such file in an include folder (%s); add the folder that it lies in (-I, or include in coordgen.yaml)", c.sources.folders())
}

// carriedPaths are the import paths that are there without a file on disk and that
// schemas use.
func carriedPaths() []string {
	return append(WellKnown(), vocabularyPath, coordinationPath, descriptorPath)
}
