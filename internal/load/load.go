// Package load turns .proto files into a checked [model.Schema]: it finds the
// files, compiles them, reads the vocabulary of coordgen/options.proto, decides
// every Go name and every name on the wire, and reports all faults of a run,
// each with its place and its mend.
//
// The rules of naming stand in names.go and scope.go, those of the names on the
// wire in fields.go and enums.go.
package load

import (
	"context"
	"maps"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// Options say what to load.
type Options struct {
	// Files are .proto files, and folders, of which all .proto files are taken.
	// A file may be named as it is seen from the current folder or from an
	// include folder.
	Files []string
	// Include are the folders in which imports are looked for, in order. The
	// built-in schemas and the well-known types are found without one. None
	// means ".".
	Include []string
	// Go says where code goes whose files do not say it, or say it wrongly.
	Go GoPackages
	// Progress is told how many of the named files are compiled, if it is set.
	Progress func(done, total int)
}

// A Result is what was loaded.
type Result struct {
	// Schema is nil when there was an error.
	Schema *model.Schema
	// Warnings are sorted by position. They are there beside an error too.
	Warnings []Diagnostic
	// Read are the names on disk of all files that were read, sorted. They are
	// there beside an error too.
	Read []string
	// Locks are those beside the files, and those of what the files once imported, by
	// import path.
	Locks map[string]*lock.Lock

	messages map[protoreflect.FullName]*message
}

// Descriptor returns what the compiler knows of a message of the schema, or nil.
func (r *Result) Descriptor(m *model.Message) protoreflect.MessageDescriptor {
	if found, ok := r.messages[protoreflect.FullName(m.Name)]; ok {
		return found.d
	}
	return nil
}

// A Diagnostic is one fault, or one thing worth knowing, of a schema.
type Diagnostic struct {
	// Pos is the place. Line and Col are 0 where the fault is that of a whole
	// file, Path is empty where it is that of no file. Columns are counted as
	// protobuf counts them: in runes, with tab stops eight apart.
	Pos model.Pos
	// Message says what is wrong and what to do about it.
	Message string
}

// Error returns the diagnostic as "path:line:col: message".
func (d Diagnostic) Error() string {
	if d.Pos.Path == "" {
		return d.Message
	}
	return d.Pos.String() + ": " + d.Message
}

// Errors are the faults of a run, sorted by position.
type Errors []Diagnostic

// Error returns the faults, each on a line of its own.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Load finds, compiles and checks the files. An error that lies in the files or
// in how they were named is an [Errors] with every fault of the run.
func Load(ctx context.Context, o Options) (*Result, error) {
	s := newSources(o.Include)
	paths, faults := s.find(o.Files)
	c := compilation{sources: s, targets: set(paths), errs: faults, progress: o.Progress}
	return c.load(ctx, paths, o.Go)
}

// load compiles and checks the files with the given import paths. Files that do
// not compile do not keep the others from being checked.
func (c *compilation) load(ctx context.Context, paths []string, g GoPackages) (*Result, error) {
	compiled, err := c.run(ctx, paths)
	if err != nil {
		return nil, err
	}
	b, err := newBuilder(c.sources.shown, g)
	if err != nil {
		return nil, err
	}
	b.disk = c.sources.disk
	b.locks = c.locks()
	schema := b.build(compiled, c.targets)
	if len(c.errs) == 0 { // else the file may be one of those that do not compile
		b.spare()
	}
	r, err := b.finish(schema, append(c.errs, b.errs...), append(c.warnings, b.warnings...))
	r.Locks = b.locks
	r.Read = slices.Collect(maps.Values(c.sources.disk))
	for path, l := range b.locks {
		if c.sources.disk[path] != "" {
			r.Read = append(r.Read, l.Path)
		}
	}
	slices.Sort(r.Read)
	return r, err
}

// Build checks compiled files and returns their model, as [Load] does. The
// result holds the files whose import paths are in targets and those whose
// types they use. The files need source information for comments and positions,
// which have import paths; their order does not matter. A Go package that is given
// to none of the files is no fault: one set of them may serve many calls.
func Build(files []protoreflect.FileDescriptor, targets map[string]bool, g GoPackages) (*Result, error) {
	b, err := newBuilder(func(path string) string { return path }, g)
	if err != nil {
		return nil, err
	}
	return b.finish(b.build(files, targets), b.errs, b.warnings)
}

func (b *builder) finish(s *model.Schema, errs, warnings []Diagnostic) (*Result, error) {
	r := &Result{Warnings: sorted(warnings), messages: b.messages}
	if errs = sorted(errs); len(errs) > 0 {
		return r, Errors(errs)
	}
	r.Schema = s
	return r, nil
}

// sorted sorts diagnostics by position and drops repeated ones.
func sorted(d []Diagnostic) []Diagnostic {
	slices.SortStableFunc(d, func(a, b Diagnostic) int {
		if c := a.Pos.Compare(b.Pos); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.Compact(d)
}

func set(keys []string) map[string]bool {
	m := make(map[string]bool, len(keys))
	for _, k := range keys {
		m[k] = true
	}
	return m
}
