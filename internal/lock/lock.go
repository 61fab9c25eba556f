// Package lock keeps the versions of a schema on record: what each had, what was
// removed, and which Go names were given. A lock is a text file beside the schema,
// for people to review and for text tools to merge.
package lock

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// Extension is what a lock's name has behind that of its schema.
const Extension = ".lock"

// A Lock is the record of one .proto file.
//
// It holds entries: what an element was from a version on, until its next entry. So
// a new version adds lines to the file and changes none, and a merge that keeps the
// lines of both sides is right, in whatever order they come.
type Lock struct {
	// Path is the name of the lock's file.
	Path    string
	entries []entry
}

// An entry says what an element is from a version on.
type entry struct {
	kind, name string
	version    int
	facts      []fact
	line       int
}

// A fact is one thing that an entry says. One that is only there or not has no value.
type fact struct{ key, value string }

// removed is the only fact of an element that is no longer there.
const removed = "removed"

func (e entry) removed() bool { return e.has(removed) }

func (e entry) has(key string) bool {
	return slices.ContainsFunc(e.facts, func(f fact) bool { return f.key == key })
}

// get returns the value of the first fact with that key, or "".
func (e entry) get(key string) string {
	if all := e.all(key); len(all) > 0 {
		return all[0]
	}
	return ""
}

func (e entry) all(key string) []string {
	var values []string
	for _, f := range e.facts {
		if f.key == key {
			values = append(values, f.value)
		}
	}
	return values
}

// number returns a number that the parser has checked, or 0.
func (e entry) number(key string) int {
	n, err := strconv.Atoi(e.get(key))
	if err != nil {
		return 0
	}
	return n
}

// An element is what entries are about.
type element struct{ kind, name string }

func (e entry) element() element { return element{e.kind, e.name} }

func (e element) String() string { return fmt.Sprintf("%s %q", e.kind, e.name) }

// Read reads the file of a lock. What is no file, such as a pipe, could keep it waiting
// for ever.
func Read(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("this is no file, as a lock is; move it")
	}
	return os.ReadFile(name)
}

// Versions are the recorded versions, in ascending order.
func (l *Lock) Versions() []int {
	var versions []int
	for _, e := range l.entries {
		if e.kind == kindSchema {
			versions = append(versions, e.version)
		}
	}
	slices.Sort(versions)
	return slices.Compact(versions)
}

// Latest is the highest recorded version, or 0.
func (l *Lock) Latest() int {
	if versions := l.Versions(); len(versions) > 0 {
		return versions[len(versions)-1]
	}
	return 0
}

// before is the last recorded version before the given one, or the first.
func (l *Lock) before(version int) int {
	versions := l.Versions()
	last := len(versions) - 1
	for last > 0 && versions[last] >= version {
		last--
	}
	return versions[last]
}

// Imported are the files that any version imported, by the paths by which it did.
func (l *Lock) Imported() []string {
	var all []string
	for _, e := range l.entries {
		if e.kind == kindImport {
			all = append(all, e.name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// at returns what there was at a version: for each element its entry.
func (l *Lock) at(version int) map[element]entry {
	there := map[element]entry{}
	for _, e := range l.entries {
		if e.version > version {
			continue
		}
		if other, known := there[e.element()]; !known || other.version < e.version {
			there[e.element()] = e
		}
	}
	for name, e := range there {
		if e.removed() || e.kind == kindSchema && e.version != version {
			delete(there, name)
		}
	}
	return there
}

// Pos is the place of a line of the lock.
func (l *Lock) pos(line int) model.Pos { return model.Pos{Path: l.Path, Line: line, Col: 1} }

const header = `# What %s was, version by version. "coordgen lock" writes this file; nobody
# edits it. Each line stands for itself, in any order: where a merge stops, keep the
# lines of both sides and run "coordgen lock" again.
`

// form is the version of the form of the file.
const form = "lock 1"

// Format returns the text of the file.
func (l *Lock) Format() []byte {
	rank := func(e entry) int { return -slices.Index([]string{kindImport, kindSchema}, e.kind) }
	slices.SortFunc(l.entries, func(a, b entry) int {
		return cmp.Or(rank(a)-rank(b), strings.Compare(a.name, b.name), strings.Compare(a.kind, b.kind), cmp.Compare(a.version, b.version))
	})
	var b strings.Builder
	fmt.Fprintf(&b, header, strings.TrimSuffix(path.Base(l.Path), Extension))
	b.WriteString(form + "\n")
	for _, e := range l.entries {
		b.WriteString(e.String() + "\n")
	}
	return []byte(b.String())
}

// String is the entry's line.
func (e entry) String() string {
	return strings.TrimRight(fmt.Sprintf("%s %s v%d %s", e.kind, word(e.name), e.version, e.text()), " ")
}

// text is what the entry says of its element.
func (e entry) text() string {
	parts := make([]string, len(e.facts))
	for i, f := range e.facts {
		parts[i] = f.key
		if !isFlag(f.key) {
			parts[i] += "=" + word(f.value)
		}
	}
	return strings.Join(parts, " ")
}

// word is text as it stands in a line, in quotes where it must.
func word(text string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.:/+-", r)
	}
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return strconv.Quote(text)
	}
	return text
}
