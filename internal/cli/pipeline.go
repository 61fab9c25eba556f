package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/version"
)

// A request is one thing to generate. Paths are relative to the current folder.
type request struct {
	// pos is the place of the request in a configuration, if it is from one.
	pos model.Pos
	// files are .proto files and folders of them, include the folders in which
	// imports are looked for.
	files, include []string
	// out is the folder of the code, module the import path of that folder,
	// or "".
	out, module string
	// packages are Go packages for .proto files and folders of them, by import
	// path, in place of what the files say.
	packages map[string]string
	// codecs are those to generate; none means all.
	codecs []string
}

// A product is all that a run is to leave on disk.
type product struct {
	outputs []output
	// owned are the places whose files are this run's: those that it does not
	// make are left over from an earlier one.
	owned map[place]bool
	// folders are those that the run writes into.
	folders map[string]bool
	// config is the configuration's name, or "" for a command line. Include are
	// the folders in which it looks for schemas, and trees its output folders that
	// have Go packages below them.
	config  string
	include []string
	trees   []string
	// warnings, and the names of the files that were read, are there beside an
	// error too.
	warnings []load.Diagnostic
	read     []string
}

// An output is a file to be.
type output struct {
	path      string
	goPackage string // by name
	content   []byte
}

// A place is where the code of a schema lives. The schemas of other runs may
// share the folder.
type place struct {
	folder string
	schema string // the import path of the .proto file, as headers name it
}

// produce loads the schemas of all requests and prints their code, all of it
// before any is written. The faults of every request are reported as one
// [load.Errors].
func produce(ctx context.Context, requests []request, told *progress) (product, error) {
	p := product{owned: map[place]bool{}, folders: map[string]bool{}}
	faults, err := each(requests, func(r request) error { return p.add(ctx, r, told) })
	if err != nil {
		return p, err
	}
	p.warnings = distinct(p.warnings)
	faults = append(faults, p.twice()...)
	if len(faults) > 0 {
		return p, load.Errors(distinct(faults))
	}
	return p, nil
}

// each does something for every request, and returns the faults of all of them. One
// without a place has that of the request. It ends at an error that is none.
func each(requests []request, do func(request) error) (load.Errors, error) {
	var faults load.Errors
	for _, r := range requests {
		err := do(r)
		var some load.Errors
		switch {
		case errors.As(err, &some):
			for _, fault := range some {
				if fault.Pos.Path == "" {
					fault.Pos = r.pos
				}
				faults = append(faults, fault)
			}
		case err != nil:
			return nil, err
		}
	}
	return faults, nil
}

// load loads the schemas of the request. It can have none, where all are gone.
func (r request) load(ctx context.Context, told *progress) (*load.Result, error) {
	if len(r.files) == 0 {
		return &load.Result{Schema: &model.Schema{}}, nil
	}
	return load.Load(ctx, load.Options{
		Files: r.files, Include: r.include, Go: load.GoPackages{Module: r.module, Of: r.packages},
		Progress: told.of("compiled"),
	})
}

// loadAll loads the schemas of all requests. The faults of every request are
// reported as one [load.Errors], and the warnings are there beside an error too.
func loadAll(ctx context.Context, requests []request, told *progress) (results []*load.Result, warnings []load.Diagnostic, err error) {
	faults, err := each(requests, func(r request) error {
		result, err := r.load(ctx, told)
		if result != nil {
			warnings = append(warnings, result.Warnings...)
			results = append(results, result)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	warnings = distinct(warnings)
	if len(faults) > 0 {
		return nil, warnings, load.Errors(distinct(faults))
	}
	return results, warnings, nil
}

// add loads the schemas of one request and prints their code.
func (p *product) add(ctx context.Context, r request, told *progress) error {
	result, err := r.load(ctx, told)
	if result != nil {
		p.warnings = append(p.warnings, result.Warnings...)
		p.read = append(p.read, result.Read...)
	}
	if err != nil {
		return err
	}
	p.warnings = append(p.warnings, breaksOf(result, r.codecs)...)
	folders, err := r.folders(result.Schema)
	if err != nil {
		return err
	}
	files, err := gogen.Generate(result.Schema, gogen.Options{Codecs: r.codecs, Version: version.Current(), Progress: told.of("generated")})
	if err != nil {
		return err
	}
	if r.pos.Path != "" {
		p.config = r.pos.Path
		p.include = append(p.include, r.include...)
		if r.module != "" {
			p.trees = append(p.trees, r.out)
		}
	}
	for _, f := range result.Schema.Files {
		if !f.Target {
			continue
		}
		folder := folders[f.Go]
		p.owned[place{folder: folder, schema: f.Path}] = true
		p.folders[folder] = true
	}
	for _, f := range files {
		p.outputs = append(p.outputs, output{path: filepath.Join(folders[f.Package], f.Name), goPackage: f.Package.Name, content: f.Content})
	}
	return nil
}

// twice reports the files that more than one entry of the configuration would
// write, on some disks at least, and the folders that would hold more than one Go
// package. It sorts the outputs by path.
func (p *product) twice() load.Errors {
	slices.SortStableFunc(p.outputs, func(a, b output) int { return strings.Compare(a.path, b.path) })
	var faults load.Errors
	fault := func(path, format string, args ...any) {
		faults = append(faults, load.Diagnostic{Pos: model.Pos{Path: path}, Message: fmt.Sprintf(format, args...)})
	}
	written := map[string]string{}  // by path without regard to case
	packages := map[string]string{} // by folder
	for _, o := range p.outputs {
		folder, small := filepath.Dir(o.path), strings.ToLower(o.path)
		switch other, ok := written[small]; {
		case other == o.path:
			fault(o.path, "two entries of the configuration write this file; give one of them another \"out\"")
		case ok:
			fault(o.path, "another entry of the configuration writes %s, which differs only in case; give one of them another \"out\", or rename its schema", other)
		}
		switch other, ok := packages[folder]; {
		case !ok:
			packages[folder] = o.goPackage
		case other != o.goPackage:
			fault(folder, "the configuration puts code of two Go packages, %s and %s, into this folder; give one of its entries another \"out\"", other, o.goPackage)
		}
		written[small] = o.path
	}
	return faults
}

// distinct sorts diagnostics and drops repeated ones: a file that two requests
// import is read for each.
func distinct(all []load.Diagnostic) []load.Diagnostic {
	slices.SortStableFunc(all, func(a, b load.Diagnostic) int {
		if c := a.Pos.Compare(b.Pos); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.Compact(all)
}

// interruptible returns what f returns, or the error of ctx as soon as it is
// done. Nobody waits for f then, so it must leave no trace outside of it.
func interruptible[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return *new(T), ctx.Err()
	}
}
