package lock

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A Fault is what is wrong with a line of a lock.
type Fault struct {
	Pos     model.Pos
	Message string
}

// Parse reads the text of a lock, whose file has the name path, and says all that is
// wrong with it.
func Parse(path string, text []byte) (*Lock, []Fault) {
	p := parser{lock: &Lock{Path: path}, lines: map[string]int{}}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(text), "\ufeff")) {
		number++
		p.number = number
		p.line(strings.TrimRight(line, "\r\n"))
	}
	p.number = 1
	if !p.begun && len(p.faults) == 0 {
		p.fault("the file has no line %q; take it from the version control, or remove the file and run \"coordgen lock\"", form)
	}
	if len(p.faults) == 0 {
		p.whole()
	}
	return p.lock, p.faults
}

type parser struct {
	lock   *Lock
	faults []Fault
	number int
	begun  bool
	// merging says that the marks of a merge were met, which keep lines that contradict.
	merging bool
	lines   map[string]int // the places of entries, by element and version
}

func (p *parser) fault(format string, args ...any) {
	p.faults = append(p.faults, Fault{Pos: p.lock.pos(p.number), Message: fmt.Sprintf(format, args...)})
}

func (p *parser) line(line string) {
	if slices.ContainsFunc([]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}, func(marker string) bool { return strings.HasPrefix(line, marker) }) {
		if !p.merging {
			p.fault("a merge has stopped here; delete its marks, keep the lines of both sides, and run \"coordgen lock\"")
		}
		p.merging = true
		return
	}
	switch {
	case line == "" || line[0] == '#':
		return
	case line == form:
		p.begun = true
		return
	case strings.HasPrefix(line, "lock "):
		p.begun = true
		p.fault("the form %q is that of another coordgen; this one reads %q. Upgrade coordgen", line, form)
		return
	}
	words, ok := split(line)
	if !ok || len(words) < 3 {
		p.fault("the line is none of a lock, which are such as: message shop.Order v1 go=Order")
		return
	}
	e := entry{kind: words[0].key, name: words[1].key, line: p.number}
	if keys(e.kind) == nil {
		p.fault("%q is no kind of element", e.kind)
		return
	}
	digits, isVersion := strings.CutPrefix(words[2].key, "v")
	version, err := strconv.Atoi(digits)
	if !isVersion || err != nil || version < 1 {
		p.fault("%q is no version, such as v1", words[2].key)
		return
	}
	e.version, e.facts = version, words[3:]
	if p.facts(e) {
		e.sort()
		p.add(e)
	}
}

// facts checks what an entry says.
func (p *parser) facts(e entry) bool {
	before := len(p.faults)
	for i, f := range e.facts {
		again := slices.ContainsFunc(e.facts[:i], func(o fact) bool { return o.key == f.key })
		switch {
		case again && !isList(f.key):
			p.fault("the line of %s says its %q twice; take it from the version control", e.element(), f.key)
		case f.key == removed && len(e.facts) == 1 && e.kind != kindSchema:
		case !slices.Contains(keys(e.kind), f.key):
			p.fault("%q says nothing about a %s; a newer coordgen may have written it", f.key, e.kind)
		case badFact(f) != "":
			p.fault("%s: %q %s", f.key, f.value, badFact(f))
		}
	}
	for _, key := range needs(e) {
		if len(p.faults) == before && !e.has(key) {
			p.fault("the line of %s does not say its %q; take it from the version control", e.element(), key)
		}
	}
	return len(p.faults) == before
}

// add notes an entry. That a line is there twice comes of merges and does no harm.
func (p *parser) add(e entry) {
	key := fmt.Sprintf("%s v%d", e.element(), e.version)
	at, twice := p.lines[key]
	if !twice {
		p.lines[key] = len(p.lock.entries)
		p.lock.entries = append(p.lock.entries, e)
		return
	}
	other := &p.lock.entries[at]
	if both, ok := merged(*other, e); ok {
		other.facts = both
	} else if !p.merging {
		p.fault("version %d of %s has another line, %d; delete one of them, and run \"coordgen lock --amend\" if the schema has neither", e.version, e.element(), other.line)
	}
}

// split parts a line into words, each of which may be KEY=VALUE, with VALUE or the
// whole in quotes.
func split(line string) (words []fact, ok bool) {
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return words, true
		}
		var f fact
		if line[0] == '"' {
			if f.key, line, ok = unquote(line); !ok {
				return nil, false
			}
			words = append(words, f)
			continue
		}
		end := strings.IndexAny(line, " \t=")
		if end < 0 {
			end = len(line)
		}
		f.key, line = line[:end], line[end:]
		if rest, has := strings.CutPrefix(line, "="); has {
			if strings.HasPrefix(rest, `"`) {
				if f.value, line, ok = unquote(rest); !ok {
					return nil, false
				}
			} else {
				f.value, line, _ = strings.Cut(rest, " ")
			}
			if isFlag(f.key) || f.value == "" && rest != "" && rest[0] != '"' {
				return nil, false
			}
		}
		words = append(words, f)
	}
}

func unquote(line string) (text, rest string, ok bool) {
	quoted, err := strconv.QuotedPrefix(line)
	if err != nil {
		return "", "", false
	}
	text, err = strconv.Unquote(quoted)
	return text, line[len(quoted):], err == nil
}
