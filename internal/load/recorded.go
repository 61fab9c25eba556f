package load

import (
	"fmt"
	"maps"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/lock"
)

// The rule of names on record
//
// A Go name that the lock beside a schema has is given first, to the element that it
// was given to, whatever the rules of naming would make of it today. One that an
// element had which is gone is given to no other, unless that is the same field or
// value, by its number, under another name. What comes to such a name gets an
// underscore behind it.

// A recordKey is what a recorded name is that of.
type recordKey struct{ kind, name, what string }

func keyOf(d protoreflect.Descriptor, what string) recordKey {
	k := recordKey{name: string(d.FullName()), what: what}
	switch d := d.(type) {
	case protoreflect.MessageDescriptor:
		k.kind = "message"
	case protoreflect.FieldDescriptor:
		k.kind = "field"
	case protoreflect.OneofDescriptor:
		k.kind = "oneof"
	case protoreflect.EnumDescriptor:
		k.kind = "enum"
	case protoreflect.EnumValueDescriptor:
		k.kind, k.name = "value", string(d.Parent().FullName())+"."+string(d.Name())
	case protoreflect.MethodDescriptor:
		k.kind = "callback"
	}
	return k
}

// records are the names on record of a Go package.
type records struct {
	names map[recordKey]string
	// declared are the elements that there are, and numbers the fields and values by
	// that of what they are in and their number.
	declared map[recordKey]protoreflect.Descriptor
	numbers  map[string]bool
	// structs are the names of the fields of each message's struct.
	structs map[string]scope
}

// record claims the names on record of the files of a package.
func (b *builder) record(s scope, files []*file) {
	r := records{
		names: map[recordKey]string{}, declared: map[recordKey]protoreflect.Descriptor{}, numbers: map[string]bool{},
		structs: map[string]scope{},
	}
	var given []lock.Given
	for _, f := range files {
		if l := b.locks[f.Path]; l != nil {
			given = append(given, l.Given()...)
		}
	}
	if len(given) == 0 {
		return
	}
	slices.SortStableFunc(given, func(x, y lock.Given) int {
		switch {
		case x.Gone == y.Gone:
			return 0
		case x.Gone:
			return 1
		}
		return -1
	})
	for _, f := range files {
		r.declare(f)
	}
	for _, g := range given {
		r.claim(b, s, g)
	}
	maps.Copy(b.recorded, r.names)
	maps.Copy(b.structs, r.structs)
}

func (r *records) declare(f *file) {
	note := func(d protoreflect.Descriptor) { r.declared[keyOf(d, "")] = d }
	number := func(in protoreflect.Descriptor, n int) { r.numbers[fmt.Sprintf("%s %d", in.FullName(), n)] = true }
	for _, m := range f.messages {
		note(m.d)
		for fd := range all(m.d.Fields()) {
			note(fd)
			number(m.d, int(fd.Number()))
		}
		for od := range all(m.d.Oneofs()) {
			note(od)
		}
	}
	for _, e := range f.enums {
		note(e.d)
		for v := range all(e.d.Values()) {
			note(v)
			number(e.d, int(v.Number()))
		}
	}
	for service := range all(f.d.Services()) {
		for rpc := range all(service.Methods()) {
			note(rpc)
		}
	}
}

// claim gives a recorded name to its element, or keeps it from all others.
func (r *records) claim(b *builder, s scope, g lock.Given) {
	in := parentName(g.Name)
	switch {
	case g.What == "inner":
		s = scope{} // a field of a struct of its own
	case g.What == "go" && (g.Kind == "field" || g.Kind == "oneof"):
		if r.structs[in] == nil {
			r.structs[in] = scope{}
		}
		s = r.structs[in]
	}
	_, taken := s[g.Go]
	if taken || reserved(g.Go) && (g.Kind == "field" || g.Kind == "oneof") {
		return
	}
	d, declared := r.declared[recordKey{kind: g.Kind, name: g.Name}]
	key := recordKey{g.Kind, g.Name, g.What}
	_, named := r.names[key]
	switch {
	case declared && !named: // it never went, or came back
		s[g.Go] = claimant{what: what(d), pos: b.pos(d), recorded: true}
		r.names[key] = g.Go
	case g.Number != 0 && r.numbers[fmt.Sprintf("%s %d", in, g.Number)]: // it was renamed
	default:
		s[g.Go] = claimant{what: fmt.Sprintf("%s %q of version %d", g.Kind, g.Name, g.Version), pos: g.Pos, recorded: true}
	}
}

func parentName(name string) string { return string(protoreflect.FullName(name).Parent()) }
