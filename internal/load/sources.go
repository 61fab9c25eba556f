package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/wellknownimports"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/schema"
)

const (
	vocabularyPath   = "coordgen/options.proto"
	coordinationPath = "coordination.proto"
	descriptorPath   = "google/protobuf/descriptor.proto"
)

// sources finds files by import path: in the include folders, then among those
// that coordgen carries with it, then among protobuf's own.
type sources struct {
	include []string
	read    func(name string) ([]byte, error)
	disk    map[string]string // the names on disk of what was opened, by import path
}

func newSources(include []string) *sources {
	if len(include) == 0 {
		include = []string{"."}
	}
	return &sources{include: include, read: os.ReadFile, disk: map[string]string{}}
}

// carried are the sources without any folder of the user's.
func carried() *sources { return &sources{disk: map[string]string{}} }

// shown is the path by which people know the file with that import path.
func (s *sources) shown(path string) string {
	if name, ok := s.disk[path]; ok {
		return name
	}
	return path
}

// A source is a file's text, or the file as it was compiled into this program.
type source struct {
	text  []byte
	built protoreflect.FileDescriptor
}

// open returns the file with that import path.
func (s *sources) open(path string) (source, error) {
	if !fs.ValidPath(path) {
		return source{}, errors.New("not a clean path; name the file as it is seen from an include folder")
	}
	// A copy of descriptor.proto in the user's folders, often an old one, must
	// not replace the one that the compiler was made for.
	if path != descriptorPath {
		for _, folder := range s.include {
			name := filepath.Join(folder, filepath.FromSlash(path))
			text, err := s.read(name)
			switch {
			case err == nil:
				s.disk[path] = name
				return source{text: text}, nil
			case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR):
				continue
			}
			return source{}, err
		}
		if text, err := schema.Files.ReadFile(path); err == nil {
			return source{text: text}, nil
		}
	}
	return wellKnown(path)
}

// wellKnown returns a file of protobuf's own. Those for whose messages there is
// Go code come as text, which has comments.
func wellKnown(path string) (source, error) {
	none := protocompile.ResolverFunc(func(string) (protocompile.SearchResult, error) {
		return protocompile.SearchResult{}, fs.ErrNotExist
	})
	if path != descriptorPath {
		if r, err := wellknownimports.WithStandardImports(none).FindFileByPath(path); err == nil {
			if text, err := io.ReadAll(r.Source); err == nil {
				return source{text: text}, nil
			}
		}
	}
	r, err := protocompile.WithStandardImports(none).FindFileByPath(path)
	return source{built: r.Desc}, err
}

// find returns the import paths of the named files and folders, sorted.
func (s *sources) find(names []string) (paths []string, faults []Diagnostic) {
	fault := func(format string, args ...any) {
		faults = append(faults, Diagnostic{Message: fmt.Sprintf(format, args...)})
	}
	for _, folder := range s.include {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			fault("include folder %q does not exist", folder)
		}
	}
	if len(names) == 0 {
		fault("no files to load; name .proto files, or folders of them")
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err == nil && info.IsDir() {
			found, err := s.folder(name)
			switch {
			case err != nil:
				faults = append(faults, asDiagnostics(err)...)
			case len(found) == 0:
				fault("folder %q holds no .proto files", name)
			}
			paths = append(paths, found...)
			continue
		}
		path, err := s.file(name)
		if err != nil {
			faults = append(faults, asDiagnostics(err)...)
			continue
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return slices.Compact(paths), faults
}

// folder returns the import paths of the .proto files below a folder. Copies of
// what coordgen carries are there to be imported, not to be generated anew.
func (s *sources) folder(root string) ([]string, error) {
	var paths []string
	var faults Errors
	root += string(filepath.Separator) // so that a link to a folder is followed
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			faults = append(faults, Diagnostic{Message: err.Error()})
			return nil //nolint:nilerr // the walk goes on, to tell all faults of a run
		case d.IsDir() && name != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(name) != ".proto":
			return nil
		}
		p, err := s.file(name)
		if err != nil {
			faults = append(faults, asDiagnostics(err)...)
		} else if p != vocabularyPath && !strings.HasPrefix(p, "google/protobuf/") {
			paths = append(paths, p)
		}
		return nil
	})
	if err == nil && len(faults) > 0 {
		err = faults
	}
	return paths, err
}

// file returns the import path of the file with that name, which is one on disk
// or an import path already.
func (s *sources) file(name string) (string, error) {
	info, err := os.Stat(name)
	if err == nil {
		path, ok := s.importPath(name)
		if ok {
			return path, s.unhidden(name, info, path)
		}
	}
	path := filepath.ToSlash(filepath.Clean(name))
	if _, found := s.open(path); found == nil {
		return path, nil
	}
	if err == nil {
		return "", Diagnostic{Pos: model.Pos{Path: name}, Message: fmt.Sprintf(
			"the file lies under no include folder (%s); add -I %s", s.folders(), filepath.Dir(name))}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", Diagnostic{Pos: model.Pos{Path: name}, Message: err.Error()}
	}
	return "", Diagnostic{Pos: model.Pos{Path: name}, Message: fmt.Sprintf(
		"no such file, neither here nor in an include folder (%s)", s.folders())}
}

// importPath is the path of a file or folder on disk as seen from the first
// include folder that it lies under.
func (s *sources) importPath(name string) (string, bool) {
	for _, folder := range s.include {
		if p, ok := below(folder, name); ok {
			return p, true
		}
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", false
	}
	for _, folder := range s.include {
		if folder, err := filepath.EvalSymlinks(folder); err == nil {
			if p, ok := below(folder, target); ok {
				return p, true
			}
		}
	}
	return "", false
}

func below(folder, name string) (string, bool) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", false
	}
	if name, err = filepath.Abs(name); err != nil {
		return "", false
	}
	rel, err := filepath.Rel(folder, name)
	rel = filepath.ToSlash(rel)
	return rel, err == nil && fs.ValidPath(rel)
}

// unhidden checks that an import of path finds the file, not another of that
// path in an include folder before it.
func (s *sources) unhidden(name string, info fs.FileInfo, path string) error {
	for _, folder := range s.include {
		other := filepath.Join(folder, filepath.FromSlash(path))
		switch found, err := os.Stat(other); {
		case err != nil:
			continue
		case os.SameFile(info, found):
			return nil
		}
		return Diagnostic{Pos: model.Pos{Path: name}, Message: fmt.Sprintf(
			"the file is hidden by %q, which an earlier include folder has under the same import path %q; change the order of -I, or rename one of them", other, path)}
	}
	return nil
}

func (s *sources) folders() string { return strings.Join(s.include, ", ") }

func asDiagnostics(err error) []Diagnostic {
	var many Errors
	var one Diagnostic
	switch {
	case errors.As(err, &many):
		return many
	case errors.As(err, &one):
		return []Diagnostic{one}
	}
	return []Diagnostic{{Message: err.Error()}}
}
