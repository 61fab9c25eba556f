package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// enum compares two enums.
func (c *comparison) enum(old, next *model.Enum) {
	kept := map[*model.EnumValue]bool{}
	for _, v := range old.Values {
		n := c.became(v, old, next)
		if n == nil {
			c.removedValue(old, next, v)
			continue
		}
		kept[n] = true
		c.value(old, next, v, n)
	}
	for _, n := range next.Values {
		if !kept[n] {
			c.addedValue(old, next, n)
		}
	}
}

// became is what became of a value: that of its name, else the first of its number.
func (c *comparison) became(v *model.EnumValue, of, in *model.Enum) *model.EnumValue {
	i := slices.IndexFunc(in.Values, func(n *model.EnumValue) bool { return n.Name == v.Name })
	if i < 0 && c.lasted(of.Name, int(v.Number)) {
		i = slices.IndexFunc(in.Values, func(n *model.EnumValue) bool { return n.Number == v.Number })
	}
	if i < 0 {
		return nil
	}
	return in.Values[i]
}

// reads is the value of the enum that is read for a name, or nil.
func reads(e *model.Enum, name string) *model.EnumValue {
	for _, v := range e.Values {
		if v.Wire == name || slices.Contains(v.Aliases, name) {
			return v
		}
	}
	return nil
}

// means says whether the name is read as the number.
func means(e *model.Enum, name string, number int32) bool {
	v := reads(e, name)
	return v != nil && v.Number == number
}

func (c *comparison) value(old, next *model.Enum, o, n *model.EnumValue) {
	name := valueName(next, n)
	if o.Number != n.Number {
		c.note(Finding{
			Rule: EnumValueNumberChanged, Pos: n.Pos, Backward: Protobuf, Forward: Protobuf,
			Message: fmt.Sprintf("%s had number %d and has %d", name, o.Number, n.Number),
			Mend:    fmt.Sprintf("give it number %d again", o.Number),
		}, next.Name)
	}
	backward, forward := when(!means(next, o.Wire, n.Number), keyed), when(!means(old, n.Wire, o.Number), keyed)
	if backward|forward == 0 {
		return
	}
	mend := fmt.Sprintf("keep the name with (coordgen.value).name = %q", o.Wire)
	if backward != 0 {
		mend += fmt.Sprintf(", or read it too with aliases: %q", o.Wire)
	}
	c.note(Finding{
		Rule: EnumValueRenamed, Pos: n.Pos, Backward: backward, Forward: forward,
		Message: fmt.Sprintf("%s was %q on the wire and is %q", name, o.Wire, n.Wire), Mend: mend,
	}, next.Name)
}

func (c *comparison) removedValue(old, next *model.Enum, v *model.EnumValue) {
	c.note(Finding{
		Rule: EnumValueRemoved, Pos: next.Pos, Backward: Protobuf | when(reads(next, v.Wire) == nil, keyed),
		Message: fmt.Sprintf("%s is gone; what old code sends of it is a value that new code does not know", valueName(old, v)),
		Mend:    fmt.Sprintf("keep it for as long as a sender may send it, then write `reserved %d; reserved %q;`", v.Number, v.Name),
	}, next.Name)
}

func (c *comparison) addedValue(old, next *model.Enum, v *model.EnumValue) {
	name := valueName(next, v)
	if old.Reserved.Has(int(v.Number)) && !slices.Contains(old.Reserved.Names, v.Name) {
		c.note(Finding{
			Rule: EnumValueNumberReused, Pos: v.Pos, Backward: Protobuf, Forward: Protobuf,
			Message: fmt.Sprintf("%s has number %d, which version %d reserves", name, v.Number, c.old.Version),
			Mend:    "give it a new number",
		}, next.Name)
	}
	if reads(old, v.Wire) == nil {
		c.note(Finding{
			Rule: EnumValueAdded, Pos: v.Pos,
			Message: name + " is new; old code keeps it as a value that it does not know",
			Mend:    "upgrade the subscribers first, if they are to act on it",
		}, next.Name)
	}
}

func valueName(e *model.Enum, v *model.EnumValue) string {
	return fmt.Sprintf("enum value %q", e.Name+"."+v.Name)
}
