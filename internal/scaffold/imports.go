package scaffold

import (
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"
)

// imports gives the packages that a file uses names that nothing else has there.
type imports struct {
	// own is the import path of the file's own package, whose names need no
	// qualifier.
	own   string
	taken map[string]bool
	names map[string]string // by path
	lines map[string]string // of what was asked for and not there yet, by path
}

// newImports returns the imports of a file in which some names are taken.
func newImports(own string, taken ...string) *imports {
	i := &imports{own: own, taken: map[string]bool{}, names: map[string]string{}, lines: map[string]string{}}
	for _, name := range taken {
		i.taken[name] = true
	}
	return i
}

// add takes note of a package that the file imports already.
func (i *imports) add(path, name string) {
	i.names[path] = name
	i.taken[name] = true
}

// local returns what the file is to call a package, which calls itself by name.
func (i *imports) local(importPath, name string) string {
	if local, known := i.names[importPath]; known {
		return local
	}
	local := name
	for i.taken[local] || types.Universe.Lookup(local) != nil {
		local += "pkg"
	}
	i.add(importPath, local)
	i.lines[importPath] = strconv.Quote(importPath)
	if local != path.Base(importPath) {
		i.lines[importPath] = local + " " + i.lines[importPath]
	}
	return local
}

// qualify returns an element of a package as the file is to write it.
func (i *imports) qualify(importPath, name, element string) string {
	if importPath == i.own {
		return element
	}
	if local := i.local(importPath, name); local != "." {
		return local + "." + element
	}
	return element
}

// groups are the lines to be added to the file's import declaration, the standard
// library's apart from the others.
func (i *imports) groups() [][]string {
	var std, others []string
	for path, line := range i.lines {
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	var groups [][]string
	for _, group := range [][]string{std, others} {
		if len(group) > 0 {
			slices.SortFunc(group, func(a, b string) int {
				return strings.Compare(a[strings.IndexByte(a, '"'):], b[strings.IndexByte(b, '"'):])
			})
			groups = append(groups, group)
		}
	}
	return groups
}
