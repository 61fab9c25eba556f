package lock

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// Among is what a lock stands among: the schema that there is now, and the locks of
// its files and of what they imported, by import path.
type Among struct {
	Schema *model.Schema
	Locks  map[string]*Lock
}

// file is the file that there is now with that import path, or nil.
func (a Among) file(path string) *model.File {
	if a.Schema != nil {
		for _, f := range a.Schema.Files {
			if f.Path == path {
				return f
			}
		}
	}
	return nil
}

// values are those that an enum has now.
func (a Among) values(enum string) []*model.EnumValue {
	if a.Schema != nil {
		for _, f := range a.Schema.Files {
			for _, e := range f.Enums {
				if e.Name == enum {
					return e.Values
				}
			}
		}
	}
	return nil
}

// Restore returns the model of the file as the version had it, with the import path.
// It has no comments and no places, and its elements are in the order of their names.
//
// Types that the file does not have are those of its imports, at the versions that they
// had then. Where the lock does not say what was imported, they are those that any other
// lock has from before now. One that is nowhere is a message or enum without a file.
func (l *Lock) Restore(path string, version int, among Among) *model.File {
	r := newRestorer(l, path, version, among)
	types := &types{messages: map[string]*model.Message{}, enums: map[string]*model.Enum{}}
	linked := []*restorer{r}
	add := func(other *Lock, path string, version int) {
		o := newRestorer(other, path, version, among)
		types.add(o.file)
		linked = append(linked, o)
	}
	types.add(r.file)
	others := slices.Sorted(maps.Keys(among.Locks))
	for _, path := range others {
		at, known := r.file.Imports[path]
		if other := among.Locks[path]; known && other != l && slices.Contains(other.Versions(), at) {
			add(other, path, at)
		}
	}
	if !slices.ContainsFunc(linked, types.lacks) {
		others = nil
	}
	for _, path := range others {
		other := among.Locks[path]
		_, known := r.file.Imports[path]
		switch now := among.file(path); {
		case other == l || known || other.Latest() == 0:
		case now == nil:
			add(other, path, other.Latest())
		default:
			add(other, path, other.before(now.Version))
		}
	}
	for _, each := range linked {
		each.link(types)
	}
	for _, each := range linked {
		each.callbacks(types)
	}
	return r.file
}

// types are those that fields may have, by name.
type types struct {
	messages map[string]*model.Message
	enums    map[string]*model.Enum
}

// add adds the types of a file that none before it has.
func (t *types) add(f *model.File) {
	for _, m := range f.Messages {
		if t.messages[m.Name] == nil {
			t.messages[m.Name] = m
		}
	}
	for _, e := range f.Enums {
		if t.enums[e.Name] == nil {
			t.enums[e.Name] = e
		}
	}
}

// lacks says whether a file uses a type that is nowhere.
func (t *types) lacks(r *restorer) bool {
	return slices.ContainsFunc(r.entries, func(e entry) bool {
		text := e.get("type") + e.get("input")
		m, isMessage := strings.CutPrefix(text, messageType)
		en, isEnum := strings.CutPrefix(text, enumType)
		return isMessage && t.messages[m] == nil || isEnum && t.enums[en] == nil
	})
}

// of is the type that a lock's text says.
func (t *types) of(text string) model.Type {
	parsed, _ := parseType(text) // the parser has checked it
	if m := parsed.Message; m != nil && t.messages[m.Name] != nil {
		parsed.Message = t.messages[m.Name]
	}
	if e := parsed.Enum; e != nil && t.enums[e.Name] != nil {
		parsed.Enum = t.enums[e.Name]
	}
	return parsed
}

// A restorer makes the model of a file: first what there is, then, when all files have
// that, the types of the fields.
type restorer struct {
	file     *model.File
	entries  []entry
	messages map[string]*model.Message
	services map[string]*model.Service
}

func newRestorer(l *Lock, path string, version int, among Among) *restorer {
	r := &restorer{
		file:     &model.File{Path: path, Version: version, KeepUnknown: true, Target: true, Imports: map[string]int{}},
		messages: map[string]*model.Message{}, services: map[string]*model.Service{},
	}
	r.entries = slices.SortedFunc(maps.Values(l.at(version)), func(a, b entry) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.kind, b.kind))
	})
	enums := map[string]*model.Enum{}
	seconds := map[string]bool{}
	for _, e := range r.entries {
		switch e.kind {
		case kindSchema:
			r.file.Proto, r.file.KeepUnknown, r.file.Protojson = e.name, !e.has("drop"), e.has("protojson")
		case kindImport:
			r.file.Imports[e.name] = e.number("version")
		case kindMessage:
			m := &model.Message{Name: e.name, Go: e.get("go"), File: r.file, Role: role(e.get("role")), Reserved: e.reservation()}
			r.messages[e.name] = m
			r.file.Messages = append(r.file.Messages, m)
		case kindOneof:
			in, name := parent(e.name)
			if m := r.messages[in]; m != nil {
				m.Oneofs = append(m.Oneofs, &model.Oneof{Name: name, Go: e.get("go"), Interface: e.get("interface")})
			}
		case kindMigration:
			in, name := parent(e.name)
			if m := r.messages[in]; m != nil {
				m.Migrations = append(m.Migrations, model.Migration{Name: name, Version: e.number("version"), Reversible: e.has(reversible)})
			}
		case kindEnum:
			enum := &model.Enum{Name: e.name, Go: e.get("go"), File: r.file, Reserved: e.reservation()}
			enums[e.name] = enum
			r.file.Enums = append(r.file.Enums, enum)
		case kindService:
			s := &model.Service{Name: e.name[strings.LastIndex(e.name, ".")+1:], File: r.file, Prefix: e.get("prefix")}
			r.services[e.name] = s
			r.file.Services = append(r.file.Services, s)
		case kindValue:
			in, name := parent(e.name)
			if enum := enums[in]; enum != nil {
				seconds[e.name] = e.has(second)
				enum.Values = append(enum.Values, &model.EnumValue{
					Name: name, Wire: e.get("key"), Go: e.get("go"), Number: int32(e.number("number")), Aliases: e.all("alias"),
					Since: max(1, e.number("since")), Until: e.number("until"),
				})
			}
		}
	}
	for _, enum := range r.file.Enums {
		written(enum, seconds, among)
	}
	return r
}

// written puts the values that are written before those of their numbers that are only
// read. An older lock does not say which these are, and is taken to have had the order
// of now.
func written(e *model.Enum, seconds map[string]bool, among Among) {
	rank := func(v *model.EnumValue) int {
		if seconds[e.Name+"."+v.Name] {
			return 1
		}
		return 0
	}
	if !slices.ContainsFunc(e.Values, func(v *model.EnumValue) bool { return rank(v) > 0 }) {
		now := among.values(e.Name)
		rank = func(v *model.EnumValue) int {
			return slices.IndexFunc(now, func(n *model.EnumValue) bool { return n.Name == v.Name })
		}
	}
	slices.SortStableFunc(e.Values, func(a, b *model.EnumValue) int { return cmp.Compare(rank(a), rank(b)) })
}

// link fills in what refers to types: the fields of messages.
func (r *restorer) link(t *types) {
	for _, e := range r.entries {
		in, name := parent(e.name)
		if m := r.messages[in]; e.kind == kindField && m != nil {
			r.field(m, name, e, t)
		}
	}
}

// callbacks fills in what refers to fields.
func (r *restorer) callbacks(t *types) {
	for _, e := range r.entries {
		in, name := parent(e.name)
		if s := r.services[in]; e.kind == kindCallback && s != nil {
			s.Callbacks = append(s.Callbacks, callback(name, e, t))
		}
	}
}

func (r *restorer) field(m *model.Message, name string, e entry, t *types) {
	f := &model.Field{
		Name: name, Wire: e.get("key"), Go: e.get("go"), File: r.file, Number: e.number("number"), Type: t.of(e.get("type")),
		Required: e.has("required"), Default: e.get("default"), Aliases: e.all("alias"),
		Since: max(1, e.number("since")), Until: e.number("until"), Role: fieldRole(e.get("role")),
		Delimited: e.has("delimited"), Presence: e.has("presence"),
	}
	f.Stamp = m.Role == model.NoRole && f.Role == model.SchemaVersion
	f.Type.Quoted, f.Type.Protojson = e.has("quoted"), r.file.Protojson
	switch key := e.get("map"); {
	case key != "":
		k, _ := parseType(key)
		f.Card, f.Key, f.KeyEncoding = model.Mapped, k.Kind, k.Encoding
	case e.has(repeated):
		f.Card = model.Repeated
	case e.has(optional):
		f.Card = model.Optional
	}
	m.Fields = append(m.Fields, f)
	of := e.get("oneof")
	if of == "" {
		return
	}
	for _, o := range m.Oneofs {
		if o.Name == of {
			f.Oneof = o
		}
	}
	if f.Oneof == nil {
		f.Oneof = &model.Oneof{Name: of}
		m.Oneofs = append(m.Oneofs, f.Oneof)
	}
	f.Oneof.Fields = append(f.Oneof.Fields, &model.OneofMember{Field: f, Go: e.get("member")})
}

func callback(name string, e entry, t *types) *model.Callback {
	c := &model.Callback{
		Name: name, Func: e.get("func"), Input: t.of(e.get("input")),
		Since: max(1, e.number("since")), Until: e.number("until"),
	}
	if topic := e.get("topic"); topic != "" {
		c.Topic = &model.Topic{Name: topic, Const: e.get("const"), Since: c.Since, Until: c.Until}
		if field := e.get("addressed_by"); field != "" {
			c.Topic.AddressedBy = &model.Field{Name: field}
			if m := c.Input.Message; m != nil {
				for _, f := range m.Fields {
					if f.Name == field {
						c.Topic.AddressedBy = f
					}
				}
			}
		}
	}
	return c
}

// parent parts an element's name from that of what it is in.
func parent(name string) (in, own string) {
	i := strings.LastIndex(name, ".")
	return name[:max(i, 0)], name[i+1:]
}

func (e entry) reservation() model.Reserved {
	var r model.Reserved
	for _, text := range e.all("reserved") {
		if n, ok := parseRange(text); ok {
			r.Numbers = append(r.Numbers, n)
		} else {
			r.Names = append(r.Names, text)
		}
	}
	return r
}

func role(text string) model.Role {
	for r := model.Heartbeat; r.String() != ""; r++ {
		if r.String() == text {
			return r
		}
	}
	return model.NoRole
}

func fieldRole(text string) model.FieldRole {
	for r := model.InstanceID; text != "" && r.String() != ""; r++ {
		if r.String() == text {
			return r
		}
	}
	return model.NoFieldRole
}
