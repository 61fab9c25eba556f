package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/coordgen/coordgen/internal/gogen"
)

// leftovers finds the files that an earlier run made and this one does not: those
// of its own schemas, and, for a configuration, those of schemas that are gone.
// What coordgen did not write is not among them.
func (p product) leftovers(made map[string]bool) ([]change, error) {
	var changes []change
	schemas := sync.OnceValue(p.schemas)
	for _, folder := range p.searched() {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			if !entry.Type().IsRegular() || !strings.HasSuffix(path, ".gen.go") || made[path] {
				continue
			}
			old, err := readGenerated(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue // another run was faster
			case err != nil:
				return nil, err
			}
			h, ours := gogen.ParseHeader(old)
			if ours && (p.owned[place{folder: folder, schema: h.Schema}] || p.gone(h.Schema, schemas)) {
				changes = append(changes, change{path: path, state: stale, old: old})
			}
		}
	}
	return changes, nil
}

// searched are the folders in which there may be leftovers: those that the run
// writes into, and all below the output folder of an entry that has several Go
// packages, since one of them may have lost its last schema.
func (p product) searched() []string {
	all := make([]string, 0, len(p.folders))
	for folder := range p.folders {
		all = append(all, folder)
	}
	for _, tree := range p.trees {
		walk(tree, apart, func(path string, d fs.DirEntry) {
			if d.IsDir() {
				all = append(all, path)
			}
		})
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// gone says whether a schema of which there is code is no longer there: neither
// where the configuration looks for schemas, nor as a file that another
// configuration, or a command line, may generate. A command line is not trusted
// to name all that goes into a folder.
func (p product) gone(schema string, schemas func() []string) bool {
	if p.config == "" {
		return false
	}
	for _, folder := range p.include {
		if _, err := os.Stat(filepath.Join(folder, filepath.FromSlash(schema))); err == nil {
			return false
		}
	}
	return !slices.ContainsFunc(schemas(), func(path string) bool { return strings.HasSuffix("/"+path, "/"+schema) })
}

// schemas are the .proto files in the folder of the configuration and in those
// that it writes into, with all below them.
func (p product) schemas() []string {
	var all []string
	for _, root := range append([]string{filepath.Dir(p.config)}, p.trees...) {
		walk(root, func(string) bool { return false }, func(path string, _ fs.DirEntry) {
			if filepath.Ext(path) == ".proto" {
				all = append(all, filepath.ToSlash(path))
			}
		})
	}
	return all
}

// walk visits what lies below a folder, but not in folders that hold nothing of the
// user's, which Go passes over too, nor in those that pass says.
func walk(root string, pass func(folder string) bool, visit func(path string, d fs.DirEntry)) {
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && path != root && (hidden(d.Name()) || pass(path)) {
			return fs.SkipDir
		}
		visit(path, d)
		return nil
	})
}

func hidden(name string) bool {
	return strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules"
}

// apart says whether a folder has a configuration or a module of its own, so that its
// generated code is not this run's.
func apart(folder string) bool {
	return isFile(filepath.Join(folder, configName)) || isFile(filepath.Join(folder, "go.mod"))
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
