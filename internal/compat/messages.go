package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// A fieldPair is a field of the old message and what became of it.
type fieldPair struct{ old, next *model.Field }

// message compares two messages.
func (c *comparison) message(old, next *model.Message) {
	if old.Role != next.Role {
		c.note(Finding{
			Rule: MessageRoleChanged, Pos: next.Pos, Element: next.Name, Backward: All, Forward: All,
			Message: fmt.Sprintf("message %q had %s and has %s", next.Name, roleText(old.Role.String()), roleText(next.Role.String())),
			Mend:    "give the role to a new message, and send both until all instances know it",
		}, old.Name, next.Name)
	}
	c.form(old, next)
	pairs, gone, added := pairFields(old, next, c.between)
	for _, p := range pairs {
		c.field(next, p)
	}
	for _, f := range gone {
		c.removedField(old, next, f)
	}
	for _, f := range added {
		c.addedField(old, next, f)
	}
	c.swapped(next, pairs, gone)
	c.misread(old, next, pairs)
	c.oneofs(next, pairs)
	c.relayed(old, next, pairs)
	c.migrations(old, next)
}

func roleText(role string) string {
	if role == "" {
		return "no role"
	}
	return "role " + role
}

// pairFields finds what became of each field: the one of its name, else the one of its
// number, else the one that reads its key.
func pairFields(old, next *model.Message, between []*model.File) (pairs []fieldPair, gone, added []*model.Field) {
	gone, added = slices.Clone(old.Fields), slices.Clone(next.Fields)
	for _, same := range []func(o, n *model.Field) bool{
		func(o, n *model.Field) bool { return o.Name == n.Name },
		func(o, n *model.Field) bool { return o.Number == n.Number && lasted(between, old.Name, o.Number) },
		func(o, n *model.Field) bool { return readsKey(n, o.Wire) },
	} {
		var left []*model.Field
		for _, o := range gone {
			i := slices.IndexFunc(added, func(n *model.Field) bool { return same(o, n) })
			if i < 0 {
				left = append(left, o)
				continue
			}
			pairs = append(pairs, fieldPair{o, added[i]})
			added = slices.Delete(added, i, i+1)
		}
		gone = left
	}
	return pairs, gone, added
}

// lasted says whether the message or enum of that name had the number in all versions
// between, so that what has it now is what had it.
func lasted(between []*model.File, in string, number int) bool {
	for _, f := range between {
		if m := messageOf(f, in); m != nil && !slices.ContainsFunc(m.Fields, func(f *model.Field) bool { return f.Number == number }) {
			return false
		}
		if e := enumOf(f, in); e != nil && !slices.ContainsFunc(e.Values, func(v *model.EnumValue) bool { return int(v.Number) == number }) {
			return false
		}
	}
	return true
}

func readsKey(f *model.Field, key string) bool {
	return f.Wire == key || slices.Contains(f.Aliases, key)
}

// removedField is about a field that nothing became of.
func (c *comparison) removedField(old, next *model.Message, f *model.Field) {
	name := fieldName(old, f)
	if f.Required {
		c.note(Finding{
			Rule: FieldRemoved, Pos: next.Pos, Element: name, Forward: keyed | when(f.Presence, Protobuf),
			Message: fmt.Sprintf("field %q is gone, which old code requires", name),
			Mend:    "keep it, no longer required, until no instance requires it",
		}, old.Name, next.Name)
	}
	if !next.Reserved.Has(f.Number) || !slices.Contains(next.Reserved.Names, f.Name) {
		c.note(Finding{
			Rule: FieldNotReserved, Pos: next.Pos, Element: name,
			Message: fmt.Sprintf("field %q is gone, and its number and name are free", name),
			Mend:    fmt.Sprintf("write `reserved %d; reserved %q;`", f.Number, f.Name),
		}, old.Name, next.Name)
	}
}

// addedField is about a field that comes of no old one.
func (c *comparison) addedField(old, next *model.Message, f *model.Field) {
	name := fieldName(next, f)
	if f.Required {
		c.note(Finding{
			Rule: FieldAddedRequired, Pos: f.Pos, Element: name, Backward: keyed | when(f.Presence, Protobuf),
			Message: fmt.Sprintf("field %q is new and required", name),
			Mend:    "drop required, or require it when no sender of the old version is left",
		}, old.Name, next.Name)
	}
	if back := old.Reserved.Has(f.Number) && slices.Contains(old.Reserved.Names, f.Wire); !back {
		c.sinceMissing(next.File, "field", "field", name, f.Since, f.Pos)
	}
	c.reservedField(old, next, f)
}

// swapped finds fields that took the number of another one, or of one that is gone.
func (c *comparison) swapped(next *model.Message, pairs []fieldPair, gone []*model.Field) {
	for _, f := range gone {
		pairs = append(pairs, fieldPair{old: f})
	}
	for _, p := range pairs {
		for _, f := range next.Fields {
			if f == p.next || f.Number != p.old.Number {
				continue
			}
			text := fmt.Sprintf("field %q has number %d, which was that of %q", fieldName(next, f), f.Number, p.old.Name)
			if p.next == nil {
				text = fmt.Sprintf("field %q has number %d, which version %d gave to %q", fieldName(next, f), f.Number, c.old.Version, p.old.Name)
			}
			c.note(Finding{
				Rule: FieldNumberReused, Pos: f.Pos, Element: fieldName(next, f), Backward: Protobuf, Forward: Protobuf,
				Message: text, Mend: "give it a new number",
			}, next.Name)
		}
	}
}

// misread finds fields that are read by the key of what is another one on the other
// side, which may be an alias there.
func (c *comparison) misread(old, next *model.Message, pairs []fieldPair) {
	is := func(o, n *model.Field) bool { return slices.Contains(pairs, fieldPair{o, n}) }
	for _, n := range next.Fields {
		for _, o := range old.Fields {
			backward, forward := when(readsKey(n, o.Wire), keyed), when(readsKey(o, n.Wire), keyed)
			if backward|forward == 0 || is(o, n) {
				continue
			}
			c.note(Finding{
				Rule: FieldKeyReused, Pos: n.Pos, Element: fieldName(next, n), Backward: backward, Forward: forward,
				Message: fmt.Sprintf("field %q has or reads a key that in version %d is one of %q", fieldName(next, n), c.old.Version, o.Name),
				Mend:    "give it a key of its own",
			}, next.Name)
		}
	}
}

func fieldName(m *model.Message, f *model.Field) string {
	return m.Name + "." + f.Name
}

// sinceMissing is about what is new, of which the schema says that the old version had it.
func (c *comparison) sinceMissing(in *model.File, what, option, name string, since int, at model.Pos) {
	if in.Path != c.old.Path || in.Version <= c.old.Version || since > c.old.Version {
		return
	}
	c.note(Finding{
		Rule: SinceMissing, Pos: at, Element: name,
		Message: fmt.Sprintf("%s %q is new and says no since, so that publishers at version %d write it, too", what, name, c.old.Version),
		Mend:    fmt.Sprintf("say (coordgen.%s).since = %d", option, in.Version),
	})
}
