package load

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// The rule where names meet
//
// All names that the code of one Go package declares share one scope. They are
// given out in this order, and what comes to a name that is taken gets its next
// one:
//
//	types, outer before nested      FooBar, then Foo_Bar (as the schema spells it)
//	interfaces of oneofs            FooKind, then FooKindOneof, then Foo_kind
//	structs of oneofs' members      FooText, then FooKindText, then Foo_text
//	values of enums                 ColorRed, then Color_COLOR_RED
//	callbacks of services           PlacedCallback, then OrdersPlacedCallback
//	topics of services              PlacedTopic, then OrdersPlacedTopic
//
// Among types of one depth, those whose name is not changed come first, then the
// order is that of the files' paths and of the source. So what is added at the
// end takes no name from what stands before it in this order. A new type can take
// that of a oneof's member or of an enum's value.
//
// Names that the lock beside the schema has come before all of that, see recorded.go.
//
// What else belongs to a service has no other name, and neither have fields: where
// two of those meet, it is an error that names both.

// A scope is a set of names, and what has them.
type scope map[string]claimant

type claimant struct {
	what string // such as: message "orders.Order"
	pos  model.Pos
	// recorded says that the name is on record, so that others yield.
	recorded bool
}

func (c claimant) String() string { return fmt.Sprintf("%s (%s)", c.what, c.pos) }

// claim gives c the first of the names that is free, or says false and what has
// the last of them.
func (s scope) claim(c claimant, names ...string) (name string, other claimant, ok bool) {
	for _, name = range names {
		if other, ok = s[name]; !ok {
			s[name] = c
			return name, claimant{}, true
		}
	}
	if other.recorded {
		return s.claim(c, name+"_")
	}
	return name, other, false
}

func what(d protoreflect.Descriptor) string {
	kind := "message"
	switch d.(type) {
	case protoreflect.FileDescriptor:
		return fmt.Sprintf("file %q", d.ParentFile().Path())
	case protoreflect.EnumDescriptor:
		kind = "enum"
	case protoreflect.OneofDescriptor:
		kind = "oneof"
	case protoreflect.FieldDescriptor:
		kind = "field"
	case protoreflect.EnumValueDescriptor:
		kind = "enum value"
	case protoreflect.ServiceDescriptor:
		kind = "service"
	case protoreflect.MethodDescriptor:
		kind = "rpc"
	}
	return fmt.Sprintf("%s %q", kind, d.FullName())
}

// names gives out the Go names of each package.
func (b *builder) names() {
	packages := map[model.GoPackage][]*file{}
	for _, f := range b.files {
		packages[f.Go] = append(packages[f.Go], f)
	}
	for p, files := range packages {
		slices.SortFunc(files, func(x, y *file) int { return cmp.Compare(x.Path, y.Path) })
		b.scopes[p] = scope{}
		b.record(b.scopes[p], files)
		b.typeNames(b.scopes[p], files)
		b.oneofNames(b.scopes[p], files)
		b.valueNames(b.scopes[p], files)
	}
	for _, f := range b.files {
		for _, m := range f.messages {
			b.fieldNames(m)
		}
	}
}

// name gives an element the name that is on record, or else the first of the names
// that is free.
func (b *builder) name(s scope, d protoreflect.Descriptor, part string, names ...string) string {
	if name, ok := b.recorded[keyOf(d, part)]; ok {
		return name
	}
	c := claimant{what: what(d), pos: b.pos(d)}
	name, other, ok := s.claim(c, names...)
	if !ok {
		b.errorf(c.pos, "%s would get the Go name %q, which %s has; rename one of them, or give one of their files another go_package", c.what, name, other)
	}
	return name
}

// typeNames names messages and enums.
func (b *builder) typeNames(s scope, files []*file) {
	type named struct {
		d       protoreflect.Descriptor
		depth   int
		changed bool
		plain   string
		set     *string
	}
	var types []named
	add := func(d protoreflect.Descriptor, set *string) {
		n := named{d: d, plain: plain(d), set: set}
		n.depth = strings.Count(strings.TrimPrefix(string(d.FullName()), string(d.ParentFile().Package())+"."), ".")
		n.changed = n.plain != string(d.Name())
		types = append(types, n)
	}
	for _, f := range files {
		for _, m := range f.messages {
			add(m.d, &m.Go)
		}
		for _, e := range f.enums {
			add(e.d, &e.Go)
		}
	}
	slices.SortStableFunc(types, func(x, y named) int {
		if c := cmp.Compare(x.depth, y.depth); c != 0 || x.changed == y.changed {
			return c
		}
		if x.changed {
			return 1
		}
		return -1
	})
	for _, t := range types {
		*t.set = b.name(s, t.d, "go", t.plain, spelled(t.d))
	}
}

func (b *builder) oneofNames(s scope, files []*file) {
	for _, f := range files {
		for _, m := range f.messages {
			for i, o := range m.Oneofs {
				o.Interface = b.name(s, m.oneofs[i], "interface", joined(m.Go, camel(o.Name)), joined(m.Go, camel(o.Name))+"Oneof", m.Go+"_"+o.Name)
			}
		}
	}
	for _, f := range files {
		for _, m := range f.messages {
			for _, fd := range m.fields {
				if fd.Oneof == nil {
					continue
				}
				part := camel(fd.Name)
				name := b.name(s, fd.d, "member", joined(m.Go, part), joined(joined(m.Go, camel(fd.Oneof.Name)), part), m.Go+"_"+fd.Name)
				for _, member := range fd.Oneof.Fields {
					if member.Field == fd.Field {
						member.Go = name
					}
				}
			}
		}
	}
}

func (b *builder) valueNames(s scope, files []*file) {
	for _, f := range files {
		for _, e := range f.enums {
			for i, v := range e.Values {
				part := camel(smallen(withoutPrefix(string(e.d.Name()), v.Name)))
				v.Go = b.name(s, e.d.Values().Get(i), "go", joined(e.Go, part), e.Go+"_"+v.Name)
			}
		}
	}
}

// fieldNames names the fields of a message's struct. A oneof is one of them, and
// its members are fields of structs of their own.
func (b *builder) fieldNames(m *message) {
	s := b.structs[m.Name]
	if s == nil {
		s = scope{}
	}
	name := func(d protoreflect.Descriptor) string {
		if name, ok := b.recorded[keyOf(d, "go")]; ok {
			return name
		}
		c := claimant{what: what(d), pos: b.pos(d)}
		name, other, ok := s.claim(c, fieldName(string(d.Name())))
		if !ok {
			b.errorf(c.pos, "%s would be the field %q of the Go struct, which %s is; rename one of them, and keep its old key with %s", c.what, name, other, keyOption(m))
		}
		return name
	}
	for i, o := range m.Oneofs {
		o.Go = name(m.oneofs[i])
	}
	for _, fd := range m.fields {
		if fd.Oneof != nil {
			fd.Go = cmp.Or(b.recorded[keyOf(fd.d, "inner")], fieldName(fd.Name))
		} else {
			fd.Go = name(fd.d)
		}
	}
}
