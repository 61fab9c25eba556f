package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// unreserved finds new fields and values that have a number or a key which an older
// version reserved, and which was free in the last one.
func unreserved(h History, schema *model.Schema) []Finding {
	last := base(h, fileOf(schema, h))
	if last <= 0 {
		return nil
	}
	var versions []*comparison
	for _, f := range h.Versions[:last+1] {
		versions = append(versions, newComparison(f, schema))
	}
	slices.Reverse(versions)
	for _, m := range versions[0].old.Messages {
		next := versions[0].messages[m.Name]
		if next == nil {
			continue
		}
		_, _, added := pairFields(m, next, nil)
		for _, f := range added {
			for _, c := range versions {
				if old := messageOf(c.old, m.Name); old != nil && c.reservedField(old, next, f) {
					break
				}
			}
		}
	}
	for _, e := range versions[0].old.Enums {
		next := versions[0].enums[e.Name]
		if next == nil {
			continue
		}
		for _, v := range next.Values {
			if ofNumber(e, v.Number) != nil || ofName(e, v.Name) != nil {
				continue
			}
			for _, c := range versions {
				if old := enumOf(c.old, e.Name); old != nil && c.reservedValue(old, next, v) {
					break
				}
			}
		}
	}
	var all []Finding
	for _, c := range versions[1:] { // what the last version reserves is told of already
		all = append(all, c.sorted()...)
	}
	return all
}

// messageOf is the file's message of that name, or nil.
func messageOf(f *model.File, name string) *model.Message {
	for _, m := range f.Messages {
		if m.Name == name {
			return m
		}
	}
	return nil
}

// enumOf is the file's enum of that name, or nil.
func enumOf(f *model.File, name string) *model.Enum {
	for _, e := range f.Enums {
		if e.Name == name {
			return e
		}
	}
	return nil
}

// reservedField notes that a new field has the number or the key that the old message
// reserves, and says whether it does. A field that has both came back.
func (c *comparison) reservedField(old, next *model.Message, f *model.Field) bool {
	name := fieldName(next, f)
	number, key := old.Reserved.Has(f.Number), slices.Contains(old.Reserved.Names, f.Wire)
	if number && !key {
		c.note(Finding{
			Rule: FieldNumberReused, Pos: f.Pos, Element: name, Backward: Protobuf, Forward: Protobuf,
			Message: fmt.Sprintf("field %q has number %d, which version %d reserves", name, f.Number, c.old.Version),
			Mend:    "give it a new number",
		}, old.Name, next.Name)
	}
	if key && !number {
		c.note(Finding{
			Rule: FieldKeyReused, Pos: f.Pos, Element: name, Backward: keyed, Forward: keyed,
			Message: fmt.Sprintf("field %q has the key %q, a name that version %d reserves", name, f.Wire, c.old.Version),
			Mend:    "give it a new name",
		}, old.Name, next.Name)
	}
	return number || key
}

// reservedValue notes that a new value has the number that the old enum reserves, and
// says whether it does. One that has the reserved name, too, came back.
func (c *comparison) reservedValue(old, next *model.Enum, v *model.EnumValue) bool {
	name := valueName(next, v)
	reserved := old.Reserved.Has(int(v.Number))
	if reserved && !slices.Contains(old.Reserved.Names, v.Name) {
		c.note(Finding{
			Rule: EnumValueNumberReused, Pos: v.Pos, Element: name, Backward: Protobuf, Forward: Protobuf,
			Message: fmt.Sprintf("enum value %q has number %d, which version %d reserves", name, v.Number, c.old.Version),
			Mend:    "give it a new number",
		}, next.Name)
	}
	return reserved
}
