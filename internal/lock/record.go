package lock

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A Change is how an element of a schema differs from what is on record of it.
type Change struct {
	// Verb is "added", "changed" or "removed".
	Verb string
	// Element is such as: field "shop.Order.total".
	Element string
}

func (c Change) String() string { return c.Verb + " " + c.Element }

// Record returns the lock with the file as its version is on record, in place of what
// there was of that version, and how the file differs from the latest version on
// record before. The versions of its imports stay as they were recorded with that
// version, unless it is to be amended.
func (l *Lock) Record(f *model.File, amend bool) (*Lock, []Change) {
	now := entries(f)
	if there := l.imports(f.Version); l.Latest() == f.Version && len(there) > 0 && !amend {
		now = slices.DeleteFunc(now, func(e entry) bool { return e.kind == kindImport })
		now = append(now, there...)
	}
	next := &Lock{Path: l.Path}
	for _, e := range l.entries {
		if e.version < f.Version {
			next.entries = append(next.entries, e)
		}
	}
	before := next.at(f.Version)
	seen := map[element]bool{}
	for _, e := range now {
		seen[e.element()] = true
		if other, known := before[e.element()]; !known || other.text() != e.text() {
			next.entries = append(next.entries, e)
		}
	}
	for el := range before {
		if !seen[el] {
			next.entries = append(next.entries, entry{kind: el.kind, name: el.name, version: f.Version, facts: []fact{{key: removed}}})
		}
	}
	return next, changes(l.at(l.Latest()), now)
}

// imports are the entries of what a version imported.
func (l *Lock) imports(version int) []entry {
	var all []entry
	for el, e := range l.at(version) {
		if el.kind == kindImport {
			all = append(all, e)
		}
	}
	return all
}

// Changes are how a file differs from what it was, but for its Go names and for what
// it imports.
func Changes(before, now *model.File) []Change {
	was := map[element]entry{}
	for _, e := range wire(before) {
		was[e.element()] = e
	}
	return changes(was, wire(now))
}

// wire are the entries of a file without Go names and imports.
func wire(f *model.File) []entry {
	all := slices.DeleteFunc(entries(f), func(e entry) bool { return e.kind == kindImport })
	for i, e := range all {
		all[i].facts = slices.DeleteFunc(e.facts, func(f fact) bool { return slices.Contains(goFacts(), f.key) })
	}
	return all
}

// changes are how elements differ from what is on record of them.
func changes(recorded map[element]entry, now []entry) []Change {
	var all []Change
	seen := map[element]bool{}
	for _, e := range now {
		seen[e.element()] = true
		switch other, known := recorded[e.element()]; {
		case e.kind == kindSchema && !known: // the version says it
		case !known:
			all = append(all, Change{"added", e.element().String()})
		case other.text() != e.text():
			all = append(all, Change{"changed", e.element().String()})
		}
	}
	for el := range recorded {
		if !seen[el] && el.kind != kindSchema {
			all = append(all, Change{"removed", el.String()})
		}
	}
	slices.SortFunc(all, func(a, b Change) int { return strings.Compare(a.Element, b.Element) })
	return all
}

// Doubt is what to do first about changes of a version that is on record, if they are
// such as those of somebody who edited the lock, or "".
func Doubt(changes []Change) string {
	if slices.ContainsFunc(changes, func(c Change) bool { return c.Verb != "changed" }) {
		return ""
	}
	return "if somebody edited the lock, take it from the version control; else "
}

// entries are what a file has.
func entries(f *model.File) []entry {
	r := recorder{version: f.Version}
	s := r.add(kindSchema, f.Proto)
	s.flag("drop", !f.KeepUnknown)
	s.flag("protojson", f.Protojson)
	for _, path := range slices.Sorted(maps.Keys(f.Imports)) {
		r.add(kindImport, path).say("version", strconv.Itoa(f.Imports[path]))
	}
	for _, m := range f.Messages {
		r.message(m)
	}
	for _, e := range f.Enums {
		r.enum(e)
	}
	for _, s := range f.Services {
		r.service(s)
	}
	out := make([]entry, len(r.entries))
	for i, e := range r.entries {
		e.sort()
		out[i] = *e
	}
	return out
}

type recorder struct {
	version int
	entries []*entry
}

func (r *recorder) add(kind, name string) *entry {
	e := &entry{kind: kind, name: name, version: r.version}
	r.entries = append(r.entries, e)
	return e
}

func (e *entry) say(key, value string) {
	if value != "" {
		e.facts = append(e.facts, fact{key, value})
	}
}

func (e *entry) flag(key string, is bool) {
	if is {
		e.facts = append(e.facts, fact{key: key})
	}
}

func (e *entry) alias(aliases []string) {
	for _, alias := range slices.Sorted(slices.Values(aliases)) {
		e.facts = append(e.facts, fact{"alias", alias})
	}
}

func (e *entry) lives(since, until int) {
	if since > 1 {
		e.say("since", strconv.Itoa(since))
	}
	if until > 0 {
		e.say("until", strconv.Itoa(until))
	}
}

func (e *entry) reserved(r model.Reserved) {
	for _, n := range r.Numbers {
		e.say("reserved", rangeText(n))
	}
	for _, name := range r.Names {
		e.say("reserved", name)
	}
}

func (r *recorder) message(m *model.Message) {
	e := r.add(kindMessage, m.Name)
	e.say("go", m.Go)
	e.say("role", m.Role.String())
	e.reserved(m.Reserved)
	for _, o := range m.Oneofs {
		e := r.add(kindOneof, m.Name+"."+o.Name)
		e.say("go", o.Go)
		e.say("interface", o.Interface)
	}
	for _, x := range m.Migrations {
		e := r.add(kindMigration, m.Name+"."+x.Name)
		e.say("version", strconv.Itoa(x.Version))
		e.flag(reversible, x.Reversible)
	}
	for _, f := range m.Fields {
		e := r.add(kindField, m.Name+"."+f.Name)
		e.say("number", strconv.Itoa(f.Number))
		e.say("type", typeText(f.Type))
		e.flag(optional, f.Card == model.Optional)
		e.flag(repeated, f.Card == model.Repeated)
		if f.Card == model.Mapped {
			e.say("map", typeText(f.KeyType()))
		}
		e.facts = append(e.facts, fact{"key", f.Wire})
		e.alias(f.Aliases)
		e.say("go", f.Go)
		if f.Oneof != nil {
			e.say("oneof", f.Oneof.Name)
			for _, member := range f.Oneof.Fields {
				if member.Field == f {
					e.say("member", member.Go)
				}
			}
		}
		e.flag("required", f.Required)
		e.say("default", f.Default)
		e.flag("quoted", f.Type.Quoted)
		e.flag("delimited", f.Delimited)
		e.flag("presence", f.Presence)
		e.say("role", f.Role.String())
		e.lives(f.Since, f.Until)
	}
}

func (r *recorder) enum(m *model.Enum) {
	e := r.add(kindEnum, m.Name)
	e.say("go", m.Go)
	e.reserved(m.Reserved)
	for i, v := range m.Values {
		e := r.add(kindValue, m.Name+"."+v.Name)
		e.say("number", fmt.Sprint(v.Number))
		e.flag(second, slices.ContainsFunc(m.Values[:i], func(o *model.EnumValue) bool { return o.Number == v.Number }))
		e.say("key", v.Wire)
		e.alias(v.Aliases)
		e.say("go", v.Go)
		e.lives(v.Since, v.Until)
	}
}

func (r *recorder) service(s *model.Service) {
	name := s.FullName()
	e := r.add(kindService, name)
	e.say("prefix", s.Prefix)
	for _, c := range s.Callbacks {
		e := r.add(kindCallback, name+"."+c.Name)
		e.say("input", typeText(c.Input))
		if c.Topic != nil {
			e.say("topic", c.Topic.Name)
			if c.Topic.AddressedBy != nil {
				e.say("addressed_by", c.Topic.AddressedBy.Name)
			}
			e.say("const", c.Topic.Const)
		}
		e.say("func", c.Func)
		e.lives(c.Since, c.Until)
	}
}
