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
	locks := slices.SortedFunc(maps.Values(r.Locks), func(a, b *lock.Lock) int { return strings.Compare(a.Path, b.Path) })
	for _, file := range r.Schema.Files {
		if !file.Target {
			continue
		}
		l := r.Locks[file.Path]
		if l == nil || l.Latest() == 0 {
			if onDisk(file) {
				without = append(without, file.Pos.Path)
			}
			continue
		}
		all = append(all, restored(l, locks, file.Path))
	}
	return all, without
}

// wasOther says whether the file's version is on record, and is not what the file is.
func wasOther(l *lock.Lock, file *model.File) bool {
	return l.Latest() == file.Version && len(lock.Changes(l.Restore(file.Version, nil), file)) > 0
}

// onDisk says whether a schema is a file, and does not come with coordgen.
func onDisk(file *model.File) bool {
	info, err := os.Stat(file.Pos.Path)
	return err == nil && !info.IsDir()
}

// restored are the versions that a lock has, of the file with that path.
func restored(l *lock.Lock, others []*lock.Lock, path string) []*model.File {
	var versions []*model.File
	for _, version := range l.Versions() {
		old := l.Restore(version, others)
		old.Path = path
		versions = append(versions, old)
	}
	return versions
}

// forsaken are the recorded versions of schemas that are gone, and left their locks in
// the folders of those that are there.
func forsaken(r *load.Result) (all [][]*model.File, err error) {
	seen := map[string]bool{}
	for _, file := range r.Schema.Files {
		folder := filepath.Dir(file.Pos.Path)
		if !file.Target || seen[folder] {
			continue
		}
		seen[folder] = true
		entries, err := os.ReadDir(folder)
		if err != nil {
			continue // the schema comes with coordgen
		}
		for _, entry := range entries {
			name := filepath.Join(folder, entry.Name())
			schema, is := strings.CutSuffix(name, ".proto"+lock.Extension)
			if _, err := os.Stat(schema + ".proto"); !is || !errors.Is(err, fs.ErrNotExist) {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			l, faults := lock.Parse(name, text)
			if len(faults) > 0 {
				return nil, load.Diagnostic(faults[0])
			}
			all = append(all, restored(l, []*lock.Lock{l}, name))
		}
	}
	return all, nil
}
