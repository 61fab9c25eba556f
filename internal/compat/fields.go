package compat

import (
	"fmt"
	"strconv"

	"github.com/coordgen/coordgen/internal/model"
)

// A noter notes a finding about one field, if it breaks anybody.
type noter func(rule string, backward, forward Codecs, mend, format string, args ...any)

// field compares a field with what it was.
func (c *comparison) field(in *model.Message, p fieldPair) {
	o, n := p.old, p.next
	name := fieldName(in, n)
	note := func(rule string, backward, forward Codecs, mend, format string, args ...any) {
		if backward|forward != 0 {
			c.note(Finding{
				Rule: rule, Pos: n.Pos, Element: name, Backward: backward, Forward: forward,
				Message: fmt.Sprintf("field %q "+format, append([]any{name}, args...)...), Mend: mend,
				AtVersion: backward == 0 && c.atVersion(rule, p),
			}, in.Name)
		}
	}
	c.key(in, p, note)
	if o.Number != n.Number {
		note(FieldNumberChanged, Protobuf, Protobuf, fmt.Sprintf("give it number %d again, or a new name, and reserve the old one", o.Number),
			"had number %d and has %d", o.Number, n.Number)
	}
	c.typeOf(p, note)
	if o.Card != n.Card {
		note(FieldCardinalityChanged, uncounted(o, n), uncounted(n, o), "add a field with a new number and name instead",
			"was %s and is %s", o.TypeText(), n.TypeText())
	}
	if o.Delimited != n.Delimited {
		note(FieldEncodingChanged, Protobuf, Protobuf, "encode it as before", "is %s, and was not", delimited(n))
	}
	note(FieldMadeRequired, missing(o, n), 0, "drop required until no sender of the old version is left", "is required, and was not")
	note(FieldMadeOptional, 0, missing(n, o), "keep it required until no instance requires it", "is no longer required, as old code has it")
	switch codecs := c.unlike(o, n); {
	case codecs&keyed != 0:
		note(FieldDefaultChanged, codecs, codecs, "keep the default, and set the new value where the field is written",
			"had %s and has %s", defaultText(o), defaultText(n))
	default:
		note(FieldPresenceChanged, codecs, codecs, "drop the default, or keep the field as it was",
			"tells zero from absent in protobuf in one version only, and has a default")
	}
	if n.File.Retired(n.Until) && !o.File.Retired(o.Until) && !o.Required {
		c.note(Finding{
			Rule: FieldRetired, Pos: n.Pos, Element: name,
			Message: fmt.Sprintf("field %q is there until version %d: where new code no longer sets it, old code sees its zero or default", name, n.Until),
			Mend:    "upgrade the subscribers first, or write at the fleet's lowest version",
		}, in.Name)
	}
	if o.Role != n.Role {
		note(FieldRoleChanged, All, All, "give the role to a new field, and send both until all instances know it",
			"had %s and has %s", roleText(o.Role.String()), roleText(n.Role.String()))
	}
}

// key compares by what fields go in JSON and msgpack.
func (c *comparison) key(in *model.Message, p fieldPair, note noter) {
	o, n := p.old, p.next
	backward, forward := when(!readsKey(n, o.Wire), keyed), when(!readsKey(o, n.Wire), keyed)
	mend := fmt.Sprintf("write the former key for one release more, and read both, with (coordgen.field).former = { name: %q, until: %d }", o.Wire, c.until(in.File))
	if o.Name != n.Name {
		note(FieldRenamed, backward, forward, mend, "was called %q", o.Name)
	} else {
		note(FieldKeyChanged, backward, forward, mend, "had the key %q and has %q", o.Wire, n.Wire)
	}
}

// until is the version until which what is to be renamed has its former name.
func (c *comparison) until(next *model.File) int { return max(next.Version, c.old.Version+1) }

// atVersion says whether new code writes what the rule is about as old code reads it,
// if it writes at the old version.
func (c *comparison) atVersion(rule string, p fieldPair) bool {
	switch rule {
	case FieldRenamed, FieldKeyChanged:
		return readsKey(p.old, writtenAt(p.next.Wire, p.next.Former, c.old.Version))
	case FieldMadeOptional:
		return p.next.WasRequired && c.old.Version <= p.next.Until
	}
	return false
}

// writtenAt is the name that the version writes of what is called wire by now.
func writtenAt(wire string, former []model.Former, version int) string {
	for _, f := range former {
		if version <= f.Until {
			return f.Name
		}
	}
	return wire
}

// typeOf compares the types of a field's values, and of the keys of a map.
func (c *comparison) typeOf(p fieldPair, note noter) {
	o, n := p.old.Type, p.next.Type
	backward, forward := unreadable(o, n), unreadable(n, o)
	if p.old.Card == model.Mapped && p.next.Card == model.Mapped {
		backward |= unreadableKeys(p.old.KeyType(), p.next.KeyType())
		forward |= unreadableKeys(p.next.KeyType(), p.old.KeyType())
	}
	if (o.Message != nil && n.Message != nil || o.Enum != nil && n.Enum != nil) && !c.sameType(o, n) {
		backward, forward = All, All
	}
	note(FieldTypeChanged, backward, forward, "add a field of the new type with a new number and name, and write both for a time",
		"was %s and is %s", p.old.TypeText(), p.next.TypeText())
}

// missing are the codecs in which a writer may leave out what the reader requires.
func missing(writer, reader *model.Field) Codecs {
	if !reader.Required {
		return 0
	}
	return when(!writer.Required, keyed) | when(reader.Presence && !(writer.Required && writer.Presence), Protobuf)
}

// unlike are the codecs in which a field that may be absent has different values where
// it is. In protobuf, a field without presence that is absent is zero.
func (c *comparison) unlike(a, b *model.Field) Codecs {
	same := func(x, y string) bool { return x == y || x != "" && y != "" && c.sameValue(a, x, b, y) }
	must := func(f *model.Field) bool { return f.Required && f.Presence }
	absent := func(f *model.Field) string {
		if f.Presence {
			return defaultOf(f)
		}
		return ""
	}
	if lists(a) || lists(b) || must(a) || must(b) {
		return 0
	}
	return when(!a.Required && !b.Required && !same(defaultOf(a), defaultOf(b)), keyed) | when(!same(absent(a), absent(b)), Protobuf)
}

// defaultOf is the field's default, or "" if that is zero.
func defaultOf(f *model.Field) string {
	switch f.Default {
	case "0", "0.0", "false", `""`:
		return ""
	}
	if v := valueOf(f, f.Default); v != nil && v.Number == 0 {
		return ""
	}
	return f.Default
}

// valueOf is the value of an enum that is the default of a field, or nil.
func valueOf(f *model.Field, text string) *model.EnumValue {
	name, err := strconv.Unquote(text)
	if f.Type.Enum == nil || err != nil {
		return nil
	}
	return reads(f.Type.Enum, name)
}

// sameValue says whether two defaults are names of one value.
func (c *comparison) sameValue(o *model.Field, was string, n *model.Field, is string) bool {
	v, w := valueOf(o, was), valueOf(n, is)
	if v == nil || w == nil {
		return false
	}
	after := became(v, o.Type.Enum, n.Type.Enum, c.between)
	return after != nil && after.Number == w.Number
}

func delimited(f *model.Field) string {
	if f.Delimited {
		return "delimited"
	}
	return "length-prefixed"
}

func defaultText(f *model.Field) string {
	if f.Default == "" {
		return "no default"
	}
	return "the default " + f.Default
}
