package compat

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// reused finds what has the number or the key of something that an older version had
// and that was gone in the last one, whatever the schema says of it.
func reused(h History, schema *model.Schema) []Finding {
	now := fileOf(schema, h)
	last := base(h, now)
	if len(h.Versions) == 0 || last == 0 {
		return nil
	}
	c := newComparison(h.Versions[last], schema)
	past := &pastNames{numbers: map[numbered]former{}, keys: map[taken]former{}}
	for _, f := range h.Versions[:last] {
		past.add(f)
	}
	past.drop(h.Versions[last])
	for _, m := range now.Messages {
		for _, f := range m.Fields {
			if was, ok := past.numbers[numbered{m.Name, f.Number}]; ok && was.name != f.Name {
				c.note(Finding{
					Rule: FieldNumberReused, Pos: f.Pos, Element: fieldName(m, f), Backward: Protobuf, Forward: Protobuf,
					Message: fmt.Sprintf("field %q has number %d, which version %d gave to %q", fieldName(m, f), f.Number, was.version, was.name),
					Mend:    fmt.Sprintf("give it number %d, and write `reserved %d;`", free(m, past), f.Number),
				}, m.Name)
			}
			was, ok := past.keys[taken{m.Name, f.Wire}]
			if !ok {
				continue
			}
			if backward, forward := was.misread(f); backward|forward != 0 {
				c.note(Finding{
					Rule: FieldKeyReused, Pos: f.Pos, Element: fieldName(m, f), Backward: backward, Forward: forward,
					Message: fmt.Sprintf("field %q has the key %q, which version %d gave to one of type %s called %q", fieldName(m, f), f.Wire, was.version, was.field.TypeText(), was.name),
					Mend:    "give it another key",
				}, m.Name)
			}
		}
	}
	for _, e := range now.Enums {
		for _, v := range e.Values {
			if was, ok := past.numbers[numbered{e.Name, int(v.Number)}]; ok && was.name != v.Name {
				c.note(Finding{
					Rule: EnumValueNumberReused, Pos: v.Pos, Element: valueName(e, v), Backward: Protobuf, Forward: Protobuf,
					Message: fmt.Sprintf("enum value %q has number %d, which version %d gave to %q", valueName(e, v), v.Number, was.version, was.name),
					Mend:    fmt.Sprintf("give it a new number, and write `reserved %d;`", v.Number),
				}, e.Name)
			}
		}
	}
	return c.sorted()
}

// numbered is a number in a message or an enum, taken a key, and former what had it.
type numbered struct {
	in     string
	number int
}

type taken struct{ in, key string }

type former struct {
	name    string
	version int
	field   *model.Field
}

// misread are the codecs in which the new field is taken for the former one of its
// key, and the former one for the new one, where that is wrong: if the name is another,
// or the type.
func (was former) misread(f *model.Field) (backward, forward Codecs) {
	if was.name != f.Name {
		return keyed, keyed
	}
	return keyed & unreadable(was.field.Type, f.Type), keyed & unreadable(f.Type, was.field.Type)
}

type pastNames struct {
	numbers map[numbered]former
	keys    map[taken]former
}

// of are the numbers in a message or an enum.
func (p *pastNames) of(in string) []int {
	var all []int
	for n := range p.numbers {
		if n.in == in {
			all = append(all, n.number)
		}
	}
	return all
}

func (p *pastNames) add(f *model.File) {
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			p.numbers[numbered{m.Name, field.Number}] = former{field.Name, f.Version, field}
			p.keys[taken{m.Name, field.Wire}] = former{field.Name, f.Version, field}
		}
	}
	for _, e := range f.Enums {
		for _, v := range e.Values {
			p.numbers[numbered{e.Name, int(v.Number)}] = former{name: v.Name, version: f.Version}
		}
	}
}

// drop forgets what the file still has.
func (p *pastNames) drop(f *model.File) {
	for _, m := range f.Messages {
		for _, field := range m.Fields {
			delete(p.numbers, numbered{m.Name, field.Number})
			delete(p.keys, taken{m.Name, field.Wire})
		}
	}
	for _, e := range f.Enums {
		for _, v := range e.Values {
			delete(p.numbers, numbered{e.Name, int(v.Number)})
		}
	}
}

// free is the lowest number that nothing of the message has or had.
func free(m *model.Message, past *pastNames) int {
	taken := append([]model.Range{{First: 19000, Last: 19999}}, m.Reserved.Numbers...) // what protobuf keeps to itself
	for _, f := range m.Fields {
		taken = append(taken, model.Range{First: f.Number, Last: f.Number})
	}
	for _, number := range past.of(m.Name) {
		taken = append(taken, model.Range{First: number, Last: number})
	}
	slices.SortFunc(taken, func(a, b model.Range) int { return cmp.Compare(a.First, b.First) })
	n := 1
	for _, r := range taken {
		if r.First <= n {
			n = max(n, r.Last+1)
		}
	}
	return n
}
