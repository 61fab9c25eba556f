package load

import (
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// version reads the since and until of an element's option.
func (b *builder) version(d protoreflect.Descriptor, e extension, o option) (since, until int) {
	since, until = max(1, o.number("since")), o.number("until")
	version := b.byPath[d.ParentFile().Path()].Version
	switch {
	case until != 0 && since > until:
		b.errorf(b.optionPos(d, e, "until"), "%q is there since version %d and until version %d; since must not be the higher one", d.Name(), since, until)
	case since > version:
		b.errorf(b.optionPos(d, e, "since"), "%q is there since version %d, but the schema is at version %d; raise (coordgen.schema).version", d.Name(), since, version)
	}
	return since, until
}

// A spelling is a name on the wire and where the schema gives it.
type spelling struct {
	name   string
	pos    model.Pos
	former bool
}

// formerly reads the former names of an element that is called wire by now. It returns
// the name that the file's version writes, what earlier ones write, and the names
// that are only read.
func (b *builder) formerly(d protoreflect.Descriptor, e extension, o option, wire string) (written string, former []model.Former, read []spelling) {
	version := b.byPath[d.ParentFile().Path()].Version
	for _, alias := range o.list("aliases") {
		read = append(read, spelling{name: alias, pos: b.optionPos(d, e, "aliases")})
	}
	written = wire
	last := 0
	for i, x := range o.messages("former") {
		field := e.message.Fields().ByName("former")
		p := b.partPos(d, optionsField(d), int32(e.number), int32(field.Number()), int32(i))
		name, until := x.text("name"), x.number("until")
		switch {
		case until == 0:
			b.errorf(p, "the former name %q of %s has no until; say which version wrote it last", name, what(d))
		case until <= last:
			b.errorf(p, "the former name %q of %s was written until version %d, and the one before it until version %d; put the older one first", name, what(d), until, last)
		}
		last = max(last, until)
		read = append(read, spelling{name, p, true})
		switch {
		case until < version:
			former = append(former, model.Former{Name: name, Until: until})
		case written == wire:
			written = name
		}
	}
	return written, former, read
}

// waivers reads the waivers of an element's option. Which rules there are is not for
// this package to know.
func (b *builder) waivers(d protoreflect.Descriptor, e extension, o option) []model.Waiver {
	var waivers []model.Waiver
	for i, w := range o.messages("waive") {
		field := e.message.Fields().ByName("waive")
		p := b.partPos(d, optionsField(d), int32(e.number), int32(field.Number()), int32(i))
		waiver := model.Waiver{Rule: w.text("rule"), Reason: strings.TrimSpace(w.text("reason")), Element: w.text("element"), Pos: p}
		switch {
		case waiver.Rule == "":
			b.errorf(p, "a waiver of %s names no rule; say which it waives, as \"coordgen check\" names it", what(d))
		case waiver.Reason == "":
			b.errorf(p, "the waiver of %s of %s has no reason; say why nobody is hurt", waiver.Rule, what(d))
		}
		waivers = append(waivers, waiver)
	}
	return waivers
}

// ranges are the reserved ranges of a message or an enum.
type ranges[N ~int32] interface {
	Len() int
	Get(i int) [2]N
}

// reservedIn are the names and numbers that a message or an enum reserves; beyond is
// how far the ends of its ranges lie behind the last number. That nothing is called so
// or has such a number is the compiler's affair.
func reservedIn[N ~int32](names protoreflect.Names, numbers ranges[N], beyond int) model.Reserved {
	var r model.Reserved
	for name := range all(names) {
		r.Names = append(r.Names, string(name))
	}
	for n := range all(numbers) {
		r.Numbers = append(r.Numbers, model.Range{First: int(n[0]), Last: int(n[1]) - beyond})
	}
	return r
}

// The rule of reserved names
//
// A name that a message reserves is no key of it either: the field that was called
// so had it as its key, and who still writes the key means that field. As an alias it
// may come back, since that is how a field that was renamed reads its former key. The
// same holds for the values of an enum, and for the names on the wire that the
// reserved ones would have had.

// reservedKeys checks that no field has a reserved name as its key.
func (b *builder) reservedKeys(m *message) {
	names := set(m.Reserved.Names)
	for _, f := range m.fields {
		if f.Wire != f.Name && names[f.Wire] {
			p := f.Pos
			if f.o.text("name") != "" {
				p = b.optionPos(f.d, b.vocabulary.field, "name")
			}
			b.errorf(p, "%s has the key %q on the wire, a name that message %q reserves; choose another key, or, if this is the field that was called so, no longer reserve the name", what(f.d), f.Wire, m.Name)
		}
	}
}

// reservedNames checks that no value is called on the wire as a reserved one was.
func (b *builder) reservedNames(e *enum) {
	names := map[string]string{}
	for _, name := range e.Reserved.Names {
		names[name] = name
		names[wireName(string(e.d.Name()), name)] = name
	}
	for i, v := range e.Values {
		if name, ok := names[v.Wire]; ok {
			d := e.d.Values().Get(i)
			b.errorf(b.optionPos(d, b.vocabulary.value, "name"), "%s is %q on the wire, as %q was, which enum %q reserves; choose another (coordgen.value).name, or, if this is the value that was called so, no longer reserve the name", what(d), v.Wire, name, e.Name)
		}
	}
}
