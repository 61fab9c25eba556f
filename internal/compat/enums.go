package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// enum compares two enums, value by value. Names of one number are one value.
func (c *comparison) enum(old, next *model.Enum) {
	kept := map[*model.EnumValue]bool{}
	for _, v := range distinct(old) {
		n := became(v, old, next, c.between)
		if n == nil {
			c.removedValue(old, next, v)
			continue
		}
		kept[n] = true
		c.value(old, next, v, n)
	}
	for _, n := range distinct(next) {
		if !kept[n] {
			c.addedValue(old, next, n)
		}
	}
	c.otherNames(old, next)
}

// otherNames compares the names of a number behind its first one, which code writes
// where it sets them. Protojson's form has the first one only.
func (c *comparison) otherNames(old, next *model.Enum) {
	for _, o := range old.Values {
		n, read := became(o, old, next, c.between), reads(next, o.Wire)
		if ofNumber(old, o.Number) == o || read != nil && (n == nil || n.Number == read.Number) {
			continue
		}
		f := Finding{
			Rule: EnumValueRemoved, Pos: next.Pos, Element: valueName(old, o), Backward: Msgpack | when(!old.File.Protojson, JSON),
			Message: fmt.Sprintf("enum value %q is gone; what old code sends of it is a value that new code does not know", valueName(old, o)),
			Mend:    fmt.Sprintf("keep it, or read its name, %q, as an alias of what has its number", o.Wire),
		}
		if same := ofName(next, o.Name); same != nil && same.Number != o.Number {
			f.Rule, f.Pos, f.Element = EnumValueNumberChanged, same.Pos, valueName(next, same)
			f.Message = fmt.Sprintf("enum value %q had number %d, as another name of it, and has %d", f.Element, o.Number, same.Number)
			f.Mend = fmt.Sprintf("give it number %d again", o.Number)
		}
		c.note(f, next.Name)
	}
	for _, n := range next.Values {
		if ofNumber(next, n.Number) == n || ofName(old, n.Name) != nil {
			continue
		}
		f := Finding{
			Rule: EnumValueAdded, Pos: n.Pos, Element: valueName(next, n),
			Message: fmt.Sprintf("enum value %q is new; old code keeps it as a value that it does not know, but in protobuf", valueName(next, n)),
			Mend:    "upgrade the subscribers first, if they are to act on it",
		}
		if other := reads(old, n.Wire); other != nil {
			if is := became(other, old, next, c.between); is != nil && is.Number == n.Number {
				continue
			}
			f = c.misnamed(next, n, other)
		}
		c.note(f, next.Name)
	}
}

// misnamed is the finding that old code takes a new value for another one.
func (c *comparison) misnamed(next *model.Enum, v, other *model.EnumValue) Finding {
	return Finding{
		Rule: EnumValueRenamed, Pos: v.Pos, Element: valueName(next, v), Forward: keyed,
		Message: fmt.Sprintf("enum value %q is %q on the wire, which version %d reads as %q", valueName(next, v), v.Wire, c.old.Version, other.Name),
		Mend:    "give it a name of its own with (coordgen.value).name",
	}
}

// distinct are the values with a number that none before them has: those that are
// written.
func distinct(e *model.Enum) []*model.EnumValue {
	var all []*model.EnumValue
	for _, v := range e.Values {
		if ofNumber(e, v.Number) == v {
			all = append(all, v)
		}
	}
	return all
}

// ofNumber is the value that is written for the number, or nil.
func ofNumber(e *model.Enum, number int32) *model.EnumValue {
	for _, v := range e.Values {
		if v.Number == number {
			return v
		}
	}
	return nil
}

// ofName is the value with the name in the schema, or nil.
func ofName(e *model.Enum, name string) *model.EnumValue {
	for _, v := range e.Values {
		if v.Name == name {
			return v
		}
	}
	return nil
}

// reads is the value of the enum that is read for a name on the wire, or nil.
func reads(e *model.Enum, wire string) *model.EnumValue {
	for _, v := range e.Values {
		if v.Wire == wire || slices.Contains(v.Aliases, wire) {
			return v
		}
	}
	return nil
}

// became is what became of a value: that of one of its names, else that of its number
// if it has none of the old names.
func became(v *model.EnumValue, old, next *model.Enum, between []*model.File) *model.EnumValue {
	for _, o := range old.Values {
		if n := ofName(next, o.Name); n != nil && o.Number == v.Number {
			return ofNumber(next, n.Number)
		}
	}
	if !lasted(between, old.Name, int(v.Number)) {
		return nil
	}
	for _, n := range next.Values {
		if n.Number == v.Number && ofName(old, n.Name) != nil {
			return nil
		}
	}
	return ofNumber(next, v.Number)
}

// value compares a value with what became of it.
func (c *comparison) value(old, next *model.Enum, o, n *model.EnumValue) {
	if o.Number != n.Number {
		codecs := Protobuf | when(o.Number == 0 || n.Number == 0, keyed) // an absent field is the value 0
		c.note(Finding{
			Rule: EnumValueNumberChanged, Pos: n.Pos, Element: valueName(next, n), Backward: codecs, Forward: codecs,
			Message: fmt.Sprintf("enum value %q had number %d and has %d", valueName(next, n), o.Number, n.Number),
			Mend:    fmt.Sprintf("give it number %d again", o.Number),
		}, next.Name)
	}
	means := func(e *model.Enum, wire string, number int32) bool {
		v := reads(e, wire)
		return v != nil && v.Number == number
	}
	backward, forward := when(!means(next, o.Wire, n.Number), keyed), when(!means(old, n.Wire, o.Number), keyed)
	if backward|forward == 0 {
		return
	}
	mend := fmt.Sprintf("write the former name for one release more, and read both, with (coordgen.value).former = { name: %q, until: %d }", o.Wire, c.until(next.File))
	if next.File.Protojson {
		mend = "keep the name, which protojson takes from the schema"
	}
	c.note(Finding{
		Rule: EnumValueRenamed, Pos: n.Pos, Element: valueName(next, n), Backward: backward, Forward: forward,
		AtVersion: backward == 0 && means(old, writtenAt(n.Wire, n.Former, c.old.Version), o.Number),
		Message:   fmt.Sprintf("enum value %q was %q on the wire and is %q", valueName(next, n), o.Wire, n.Wire),
		Mend:      mend,
	}, next.Name)
}

// removedValue is about a value that nothing became of. Its name may be an alias, which
// says what new code takes it for.
func (c *comparison) removedValue(old, next *model.Enum, v *model.EnumValue) {
	alias := slices.ContainsFunc(next.Values, func(n *model.EnumValue) bool { return slices.Contains(n.Aliases, v.Wire) })
	c.note(Finding{
		Rule: EnumValueRemoved, Pos: next.Pos, Element: valueName(old, v), Backward: Protobuf | when(!alias, keyed),
		Message: fmt.Sprintf("enum value %q is gone; what old code sends of it is a value that new code does not know", valueName(old, v)),
		Mend:    fmt.Sprintf("keep it for as long as a sender may send it, then write `reserved %d; reserved %q;`", v.Number, v.Name),
	}, next.Name)
}

// addedValue is about a value that comes of no old one.
func (c *comparison) addedValue(old, next *model.Enum, v *model.EnumValue) {
	name := valueName(next, v)
	c.reservedValue(old, next, v)
	if other := ofNumber(old, v.Number); other != nil {
		c.note(Finding{
			Rule: EnumValueNumberReused, Pos: v.Pos, Element: name, Backward: Protobuf, Forward: Protobuf,
			Message: fmt.Sprintf("enum value %q has number %d, which version %d gave to %q", name, v.Number, c.old.Version, other.Name),
			Mend:    "give it a new number",
		}, next.Name)
	}
	if other := reads(old, v.Wire); other != nil {
		c.note(c.misnamed(next, v, other), next.Name)
		return
	}
	c.sinceMissing(next.File, "enum value", "value", name, v.Since, v.Pos)
	c.note(Finding{
		Rule: EnumValueAdded, Pos: v.Pos, Element: name,
		Message: fmt.Sprintf("enum value %q is new; old code keeps it as a value that it does not know", name),
		Mend:    "upgrade the subscribers first, if they are to act on it",
	}, next.Name)
}

func valueName(e *model.Enum, v *model.EnumValue) string {
	return e.Name + "." + v.Name
}
