package lock

import (
	"cmp"
	"math"
	"slices"
)

// What a lock holds together
//
// What was taken out of a lock, check would take for what never was. So each version
// has its line of the schema, each field its message, and what is removed was there.

const takeBack = "take the lock from the version control"

// whole finds what is missing.
func (p *parser) whole() {
	schemas := map[int]entry{}
	history := map[element][]entry{}
	for _, e := range p.lock.entries {
		history[e.element()] = append(history[e.element()], e)
		if e.kind != kindSchema {
			continue
		}
		if other, twice := schemas[e.version]; twice {
			p.number = e.line
			p.fault("version %d has another line of a schema, %d; delete the one whose package the schema does not have", e.version, other.line)
		}
		schemas[e.version] = e
	}
	for _, entries := range history {
		slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.version, b.version) })
	}
	told := map[int]bool{}
	for _, e := range p.lock.entries {
		p.number = e.line
		if _, ok := schemas[e.version]; !ok && !told[e.version] {
			told[e.version] = true
			p.fault("version %d has no line such as: schema shop v%[1]d; %s", e.version, takeBack)
		}
		p.holds(e, history)
	}
}

// holds checks an entry against the others: that what is removed was there, and that
// what something is in is there as long as it is.
func (p *parser) holds(e entry, history map[element][]entry) {
	own := history[e.element()]
	at := slices.IndexFunc(own, func(o entry) bool { return o.version == e.version })
	if e.removed() {
		if at == 0 || own[at-1].removed() {
			p.fault("%s is removed in version %d, and no line says what it was; %s", e.element(), e.version, takeBack)
		}
		return
	}
	for _, in := range e.holders() {
		until := math.MaxInt
		if at+1 < len(own) {
			until = own[at+1].version
		}
		there := false
		for _, o := range history[in] {
			switch {
			case o.version <= e.version:
				there = !o.removed()
			case o.version < until && o.removed():
				there = false
			}
		}
		if !there {
			p.fault("%s is there from version %d on, and %s, which it is in, is not; if a merge left the line, delete it and run \"coordgen lock --amend\", else %s", e.element(), e.version, in, takeBack)
		}
	}
}

// holders are what an element is in.
func (e entry) holders() []element {
	in, _ := parent(e.name)
	switch e.kind {
	case kindField:
		if of := e.get("oneof"); of != "" {
			return []element{{kindMessage, in}, {kindOneof, in + "." + of}}
		}
		return []element{{kindMessage, in}}
	case kindOneof, kindMigration:
		return []element{{kindMessage, in}}
	case kindValue:
		return []element{{kindEnum, in}}
	case kindCallback:
		return []element{{kindService, in}}
	}
	return nil
}
