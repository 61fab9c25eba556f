// Package gocheck type-checks generated code in memory, which takes a fraction of
// the time of compiling it. It serves tests.
package gocheck

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/gogen"
)

// A Checker checks generated packages. What they import of others is taken from
// the compiler's export data.
type Checker struct {
	exports map[string]string // by import path
}

// New returns a checker for code that links against the packages of this module,
// which it has the go command compile.
func New(ctx context.Context) (*Checker, error) {
	const module = "github.com/coordgen/coordgen"
	out, err := exec.CommandContext(ctx, "go", "list", "-deps", "-export", "-f", "{{.ImportPath}}={{.Export}}",
		module+"/runtime/...", module+"/generated/...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	c := &Checker{exports: map[string]string{}}
	for line := range strings.Lines(string(out)) {
		importPath, file, _ := strings.Cut(strings.TrimSpace(line), "=")
		c.exports[importPath] = file
	}
	return c, nil
}

// Check checks the files, which may be of several packages that import each
// other, and returns what is wrong with each package.
func (c *Checker) Check(files []gogen.File) error {
	r := &run{fset: token.NewFileSet(), sources: map[string][]gogen.File{}, done: map[string]*types.Package{}}
	for _, f := range files {
		r.sources[f.Package.Path] = append(r.sources[f.Package.Path], f)
	}
	r.others = importer.ForCompiler(r.fset, "gc", func(importPath string) (io.ReadCloser, error) {
		return os.Open(c.exports[importPath])
	})
	var faults []error
	for _, importPath := range slices.Sorted(maps.Keys(r.sources)) {
		if _, err := r.Import(importPath); err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", importPath, err))
		}
	}
	return errors.Join(faults...)
}

// A run is an importer of the packages that it checks.
type run struct {
	fset    *token.FileSet
	sources map[string][]gogen.File
	done    map[string]*types.Package
	others  types.Importer
}

// Import returns the package with that import path.
func (r *run) Import(importPath string) (*types.Package, error) {
	if p := r.done[importPath]; p != nil {
		return p, nil
	}
	sources, ours := r.sources[importPath]
	if !ours {
		return r.others.Import(importPath)
	}
	var trees []*ast.File
	for _, f := range sources {
		tree, err := parser.ParseFile(r.fset, f.Name, f.Content, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		trees = append(trees, tree)
	}
	var faults []error
	config := types.Config{Importer: r, Error: func(err error) { faults = append(faults, err) }}
	p, err := config.Check(importPath, r.fset, trees, nil)
	if err != nil {
		return nil, errors.Join(faults...)
	}
	r.done[importPath] = p
	return p, nil
}
