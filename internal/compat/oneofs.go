package compat

import (
	"fmt"

	"github.com/coordgen/coordgen/internal/model"
)

// A oneof's reader takes one member. That is too few if a writer can set two.
func (c *comparison) oneofs(next *model.Message, pairs []fieldPair) {
	crowded := func(reader, writer func(fieldPair) *model.Field) map[*model.Oneof]bool {
		groups := map[*model.Oneof]map[any]bool{}
		for _, p := range pairs {
			o := reader(p).Oneof
			if o == nil {
				continue
			}
			if groups[o] == nil {
				groups[o] = map[any]bool{}
			}
			if w := writer(p); w.Oneof != nil {
				groups[o][w.Oneof] = true
			} else {
				groups[o][w] = true
			}
		}
		over := map[*model.Oneof]bool{}
		for o, of := range groups {
			over[o] = len(of) > 1
		}
		return over
	}
	wasOld := func(p fieldPair) *model.Field { return p.old }
	isNew := func(p fieldPair) *model.Field { return p.next }
	backward, forward := crowded(isNew, wasOld), crowded(wasOld, isNew)
	told := map[*model.Oneof]bool{}
	for _, p := range pairs {
		if o := p.next.Oneof; backward[o] && !told[o] {
			told[o] = true
			c.note(Finding{
				Rule: OneofChanged, Pos: p.next.Pos, Element: next.Name + "." + o.Name, Backward: All,
				Message: fmt.Sprintf("oneof %q has fields that old code sets at once", next.Name+"."+o.Name),
				Mend:    "leave the fields as they were, and put new ones into the oneof",
			}, next.Name)
		}
		if o := p.old.Oneof; forward[o] && !told[o] {
			told[o] = true
			c.note(Finding{
				Rule: OneofChanged, Pos: p.next.Pos, Element: next.Name + "." + o.Name, Forward: All,
				Message: fmt.Sprintf("oneof %q has lost fields, so that new code sets at once what old code takes one of", next.Name+"."+o.Name),
				Mend:    "leave the fields in the oneof, and add new ones beside it",
			}, next.Name)
		}
	}
}

// relayed finds oneofs of which a relay, which reads messages and passes them on with
// the fields that it does not know, makes two members: one that it keeps, and one that
// is an ordinary field to it, which it writes where it is absent, too.
func (c *comparison) relayed(old, next *model.Message, pairs []fieldPair) {
	was, is := map[*model.Field]*model.Field{}, map[*model.Field]*model.Field{}
	for _, p := range pairs {
		was[p.next], is[p.old] = p.old, p.next
	}
	note := func(o *model.Oneof, pos model.Pos, backward, forward Codecs, format string) {
		name := next.Name + "." + o.Name
		if backward|forward != 0 {
			c.note(Finding{
				Rule: OneofChanged, Pos: pos, Element: name, Backward: backward, Forward: forward,
				Message: fmt.Sprintf(format, name),
				Mend:    "leave the fields as they were, and put new ones beside them",
			}, next.Name)
		}
	}
	for _, o := range next.Oneofs {
		codecs, known := doubled(o, was, old.File)
		if known != nil {
			note(o, known.Pos, 0, codecs, "oneof %q has a field that was outside of it, and one that old code does not know: where old code passes a message on, both are set")
		}
	}
	for _, o := range old.Oneofs {
		codecs, known := doubled(o, is, next.File)
		if known != nil {
			note(o, is[known].Pos, codecs, 0, "oneof %q has lost a field to the message, and one that is gone: where new code passes an old message on, both are set")
		}
	}
}

// doubled are the codecs in which a relay sets two members of a oneof, and the one that
// it knows. The others are what the fields are to the relay, whose file is in.
func doubled(o *model.Oneof, to map[*model.Field]*model.Field, in *model.File) (codecs Codecs, known *model.Field) {
	unknown := false
	for _, member := range o.Fields {
		f := to[member.Field]
		if f == nil {
			unknown = true
			continue
		}
		written := whenAbsent(f, in)
		if f.Type.Enum != nil {
			written &^= unreadable(f.Type, member.Field.Type) // its zero is a name, of which another finding tells
		}
		if f.Oneof == nil && written != 0 && known == nil {
			codecs, known = written, member.Field
		}
	}
	if !unknown || !in.KeepUnknown {
		return 0, nil
	}
	return codecs, known
}

// whenAbsent are the codecs in which code writes a field that was absent when it read
// the message, so that what it passes on has the field. In protobuf what it keeps comes
// behind that, and is what counts.
func whenAbsent(f *model.Field, in *model.File) Codecs {
	switch {
	case f.Default != "":
		return keyed
	case f.Card != model.Single || f.Type.Kind >= model.KindMessage:
		return 0
	case in.Protojson:
		return Msgpack // JSON leaves out a zero
	}
	return keyed
}
