package cli

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// histories are the recorded versions of the files that code is generated for.
func histories(r *load.Result) (all [][]*model.File, without []string) {
	for _, file := range r.Schema.Files {
		if !file.Target {
			continue
		}
		l := r.Locks[file.Path]
		if l == nil || l.Latest() == 0 {
			if file.OnDisk {
				without = append(without, file.Pos.Path)
			}
			continue
		}
		all = append(all, restored(l, file.Path, lock.Among{Schema: r.Schema, Locks: r.Locks}))
	}
	return all, without
}

// wasOther is how the file differs from what its version is on record as, if it is.
func wasOther(r *load.Result, l *lock.Lock, file *model.File) []lock.Change {
	if l.Latest() != file.Version {
		return nil
	}
	was := l.Restore(file.Path, file.Version, lock.Among{Schema: r.Schema})
	return lock.Changes(was, file)
}

// restored are the versions that a lock has, of the file with that path.
func restored(l *lock.Lock, path string, among lock.Among) []*model.File {
	var versions []*model.File
	for _, version := range l.Versions() {
		versions = append(versions, l.Restore(path, version, among))
	}
	return versions
}

// forsaken are the recorded versions of schemas that are gone, and left their locks.
func (r request) forsaken(found *load.Result) (all [][]*model.File, err error) {
	among := lock.Among{Schema: found.Schema, Locks: map[string]*lock.Lock{}}
	maps.Copy(among.Locks, found.Locks)
	var left []*lock.Lock
	for _, name := range r.locksLeft(found.Schema) {
		text, err := lock.Read(name)
		if err != nil {
			return nil, load.Errors{{Pos: model.Pos{Path: name}, Message: err.Error()}}
		}
		l, faults := lock.Parse(name, text)
		if len(faults) > 0 {
			return nil, load.Errors{load.Diagnostic(faults[0])}
		}
		among.Locks[r.importPath(name)] = l
		left = append(left, l)
	}
	for _, l := range left {
		all = append(all, restored(l, l.Path, among))
	}
	return all, nil
}

// locksLeft are the locks without a schema in the folders that the request names, or,
// if it is one of a configuration, which names all schemas, beside those that are there.
func (r request) locksLeft(schema *model.Schema) []string {
	var left []string
	look := func(name string) {
		of, is := strings.CutSuffix(name, lock.Extension)
		if _, err := os.Stat(of); is && filepath.Ext(of) == ".proto" && errors.Is(err, fs.ErrNotExist) {
			left = append(left, name)
		}
	}
	for _, folder := range r.files {
		if isFolder(folder) {
			inFolder(folder, look)
		}
	}
	for _, file := range schema.Files {
		if !file.Target || !file.OnDisk || r.pos.Path == "" {
			continue
		}
		folder := filepath.Dir(file.Pos.Path)
		entries, _ := os.ReadDir(folder) // the schema in it was read
		for _, entry := range entries {
			look(filepath.Join(folder, entry.Name()))
		}
	}
	slices.Sort(left)
	return slices.Compact(left)
}

// importPath is the path of a lock's schema as others imported it.
func (r request) importPath(name string) string {
	name = strings.TrimSuffix(name, lock.Extension)
	for _, folder := range r.include {
		if below, err := filepath.Rel(folder, name); err == nil && filepath.IsLocal(below) {
			return filepath.ToSlash(below)
		}
	}
	return filepath.ToSlash(name)
}

// inFolder calls f with the name of each file in a folder and below it.
func inFolder(folder string, f func(name string)) {
	root := folder + string(filepath.Separator) // so that a link to a folder is followed
	walk(root, func(string) bool { return false }, func(name string, d fs.DirEntry) {
		if !d.IsDir() {
			f(filepath.Clean(name))
		}
	})
}

// empty says whether a folder has no schemas, and locks of some that are gone.
func empty(folder string) bool {
	if !isFolder(folder) {
		return false
	}
	locks, schemas := 0, 0
	inFolder(folder, func(name string) {
		switch {
		case strings.HasSuffix(name, ".proto"+lock.Extension):
			locks++
		case filepath.Ext(name) == ".proto":
			schemas++
		}
	})
	return locks > 0 && schemas == 0
}
