package vectors

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A draft is a message as a tree of JSON, which package convert gives its bytes.
type draft struct {
	name  string
	value map[string]any
}

// Bounds of what schemas of any shape can ask for: how deep a message with all fields
// goes, how many fields one sample has, of how many values of an enum there are
// samples, and how many that are there for such a choice.
const (
	maxDepth   = 8
	maxFields  = 2000
	maxValues  = 100
	maxChoices = 300
)

// drafts are the samples of a message:
//
//   - least: only what is required;
//   - full, low and high: all fields, with usual values, with zeros and the lowest, and
//     with the highest;
//   - for each oneof and each enum in it, those of each member and value, with the
//     least of all else. They are called after the way to the field, such as
//     items.color=RED.
func drafts(m *model.Message) []draft {
	var all []draft
	add := func(name string, value map[string]any, ok bool) {
		if ok {
			all = append(all, draft{name, value})
		}
	}
	value, ok := newMaker(least).message(m, 0)
	if add("least", value, ok); !ok {
		return nil // then there is none at all
	}
	for _, f := range []form{full, low, high} {
		value, ok = newMaker(f).message(m, 0)
		add(f.String(), value, ok && len(m.Fields) > 0)
	}
	for i, c := range choices(m) {
		if i == maxChoices {
			break
		}
		value, ok = c.make(m)
		add(c.name(), value, ok)
	}
	return all
}

// A form is a kind of sample.
type form int

const (
	least form = iota
	full
	low
	high
)

func (f form) String() string { return [...]string{"least", "full", "low", "high"}[f] }

// A maker makes a message. Of a message within it all fields are set where it comes
// first, and only what is required where it comes again.
type maker struct {
	form
	seen map[*model.Message]bool
	// within are the messages, with only what is required, that are being made.
	within map[*model.Message]bool
	fields int
}

func newMaker(f form) *maker {
	return &maker{form: f, seen: map[*model.Message]bool{}, within: map[*model.Message]bool{}}
}

// message makes a message. It is not ok where one requires itself, or is too large.
func (k *maker) message(m *model.Message, depth int) (_ map[string]any, ok bool) {
	all := k.form != least && !k.seen[m] && depth < maxDepth
	if all {
		k.seen[m] = true
	} else {
		if k.within[m] {
			return nil, false
		}
		k.within[m] = true
		defer delete(k.within, m)
	}
	out := map[string]any{}
	for _, f := range byNumber(m) {
		if f.Stamp {
			out[f.Wire] = m.File.Version
			continue
		}
		if !f.Required && (!all || f.Oneof != nil && f != k.member(f.Oneof)) {
			continue
		}
		if k.fields++; k.fields > maxFields && f.Required {
			return nil, false
		}
		v, ok := k.field(f, depth)
		switch {
		case ok && k.fields <= maxFields:
			out[f.Wire] = v
		case f.Required:
			return nil, false
		}
	}
	return out, true
}

// member is that member of a oneof which is set.
func (k *maker) member(o *model.Oneof) *model.Field {
	members := make([]*model.Field, len(o.Fields))
	for i, m := range o.Fields {
		members[i] = m.Field
	}
	slices.SortFunc(members, compareNumbers)
	switch k.form {
	case low:
		return members[min(1, len(members)-1)]
	case high:
		return members[len(members)-1]
	}
	return members[0]
}

func (k *maker) field(f *model.Field, depth int) (any, bool) {
	if k.form == least || k.form == low {
		switch f.Card {
		case model.Repeated:
			return []any{}, true
		case model.Mapped:
			return map[string]any{}, true
		}
	}
	v, ok := k.value(f, f.Type, k.form, depth)
	if !ok || f.Card != model.Repeated && f.Card != model.Mapped {
		return v, ok
	}
	another, more := k.value(f, f.Type, low, depth)
	if f.Card == model.Repeated {
		if !more {
			return []any{v}, true
		}
		return []any{v, another}, true
	}
	entries := map[string]any{keyText(f, k.form): v}
	if k.form == high && more {
		entries[keyText(f, low)] = another
	}
	return entries, true
}

func (k *maker) value(f *model.Field, t model.Type, as form, depth int) (any, bool) {
	if t.Kind == model.KindMessage && !t.IsPaths() && t.Message.Name != fieldMask {
		return k.message(t.Message, depth+1)
	}
	return scalar(f, t, as), true
}

// A choice is a way to a field, and a value of it that is one of several.
type choice struct {
	way []*model.Field
	// of is what is chosen from, as it is called, and what is chosen.
	of, what string
	value    func() (any, bool)
}

func (c choice) name() string {
	var name strings.Builder
	for _, f := range c.way[:len(c.way)-1] {
		name.WriteString(f.Name + ".")
	}
	return name.String() + c.of + "=" + c.what
}

// make makes the least message that has the value.
func (c choice) make(m *model.Message) (map[string]any, bool) {
	root, ok := newMaker(least).message(m, 0)
	in := root
	for i, f := range c.way {
		if !ok {
			return nil, false
		}
		if i == len(c.way)-1 {
			v, made := c.value()
			in[f.Wire] = one(f, v)
			return root, made
		}
		var inner map[string]any
		inner, ok = newMaker(least).message(f.Type.Message, 0)
		in[f.Wire] = one(f, inner)
		in = inner
	}
	return root, ok
}

// one is a value alone in a list or a map, if the field is one.
func one(f *model.Field, v any) any {
	switch f.Card {
	case model.Repeated:
		return []any{v}
	case model.Mapped:
		return map[string]any{keyText(f, full): v}
	}
	return v
}

// choices are those that a message and what it holds have: of each message that it
// holds where it comes first, and of each enum too.
func choices(m *model.Message) []choice {
	var all []choice
	seen, enums := map[*model.Message]bool{m: true}, map[*model.Enum]bool{}
	type step struct {
		message *model.Message
		way     []*model.Field
	}
	for queue := []step{{m, nil}}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		for _, f := range byNumber(s.message) {
			way := append(slices.Clone(s.way), f)
			if f.Oneof != nil {
				all = append(all, choice{way, f.Oneof.Name, f.Name, func() (any, bool) { return newMaker(full).value(f, f.Type, full, 0) }})
			}
			if e := f.Type.Enum; e != nil && !enums[e] && !f.Type.IsNull() {
				enums[e] = true
				for _, v := range valuesOf(e) {
					all = append(all, choice{way, f.Name, v.name, func() (any, bool) { return v.json, true }})
				}
			}
			if inner := f.Type.Message; inner != nil && !seen[inner] && len(way) < maxDepth && inner.Name != fieldMask {
				seen[inner] = true
				queue = append(queue, step{inner, way})
			}
		}
	}
	return all
}

// A chosen is a value of an enum.
type chosen struct {
	name string
	json any
}

// valuesOf are the values of an enum, and one that it lacks, as a later version may
// have it.
func valuesOf(e *model.Enum) []chosen {
	const later = 1<<31 - 1
	var all []chosen
	for _, v := range sortedValues(e) {
		if len(all) < maxValues {
			all = append(all, chosen{v.Name, v.Wire})
		}
	}
	if !slices.ContainsFunc(e.Values, func(v *model.EnumValue) bool { return v.Number == later }) {
		all = append(all, chosen{strconv.Itoa(later), later})
	}
	return all
}

// sortedValues and byNumber are in an order that a lock keeps.
func sortedValues(e *model.Enum) []*model.EnumValue {
	return slices.SortedFunc(slices.Values(e.Values), func(a, b *model.EnumValue) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Name, b.Name))
	})
}

func byNumber(m *model.Message) []*model.Field {
	return slices.SortedFunc(slices.Values(m.Fields), compareNumbers)
}

func compareNumbers(a, b *model.Field) int { return cmp.Compare(a.Number, b.Number) }
