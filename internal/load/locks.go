package load

import (
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/schema"
)

// locks reads the locks beside the files that were compiled, and of the files that
// those locks say they imported, by import path.
func (c *compilation) locks() map[string]*lock.Lock {
	locks := map[string]*lock.Lock{}
	queue := slices.Sorted(maps.Keys(c.files))
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		if _, known := locks[path]; known {
			continue
		}
		name, text, err := c.lock(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			c.errs = append(c.errs, Diagnostic{Pos: model.Pos{Path: name}, Message: err.Error()})
			continue
		}
		l, faults := lock.Parse(name, text)
		for _, f := range faults {
			c.errs = append(c.errs, Diagnostic(f))
		}
		locks[path] = l
		queue = append(queue, l.Imported()...)
	}
	return locks
}

// lock reads the lock beside a file, which may be gone or come with coordgen.
func (c *compilation) lock(path string) (name string, text []byte, err error) {
	if on, is := c.sources.disk[path]; is {
		text, err = lock.Read(on + lock.Extension)
		return on + lock.Extension, text, err
	}
	if _, compiled := c.files[path]; !compiled && fs.ValidPath(path) {
		for _, folder := range c.sources.include {
			name = filepath.Join(folder, filepath.FromSlash(path)) + lock.Extension
			if text, err = lock.Read(name); !errors.Is(err, fs.ErrNotExist) {
				return name, text, err
			}
		}
	}
	name = path + lock.Extension
	text, err = schema.Files.ReadFile(name)
	return name, text, err
}

// importVersions notes of each file the versions of those that it is made of.
func (b *builder) importVersions() {
	for _, f := range b.files {
		f.Imports = map[string]int{}
		b.addImports(f, f.d)
		delete(f.Imports, f.Path)
	}
}

func (b *builder) addImports(of *file, d protoreflect.FileDescriptor) {
	for used := range b.usedFiles(d) {
		_, known := of.Imports[used.Path()]
		if f := b.byPath[used.Path()]; f != nil && !known && !strings.HasPrefix(f.Path, "google/protobuf/") {
			of.Imports[f.Path] = f.Version
			b.addImports(of, used)
		}
	}
}
