package vectors

import (
	"cmp"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// Settle gives a file that a lock restored what locks lack, as far as the files of
// today tell it: types that have no lock, such as protobuf's own, the order of
// elements, and which lists are packed. It returns the full names of the fields that it
// drops, since nothing knows their type.
func Settle(f *model.File, today []*model.File) (dropped []string) {
	s := settler{messages: map[string]*model.Message{}, enums: map[string]*model.Enum{}, seen: map[*model.Message]bool{}}
	for _, file := range today {
		for _, m := range file.Messages {
			s.messages[m.Name] = m
			s.seen[m] = true // it is settled
		}
		for _, e := range file.Enums {
			s.enums[e.Name] = e
		}
	}
	for _, m := range f.Messages {
		s.message(m)
	}
	for _, service := range f.Services {
		for _, c := range service.Callbacks {
			if s.typ(&c.Input) && c.Input.Message != nil {
				s.message(c.Input.Message)
			}
		}
	}
	slices.Sort(s.dropped)
	return s.dropped
}

type settler struct {
	messages map[string]*model.Message
	enums    map[string]*model.Enum
	seen     map[*model.Message]bool
	dropped  []string
}

// typ finds the type that a lock only has the name of, and says whether it is known.
func (s *settler) typ(t *model.Type) bool {
	if m := t.Message; m != nil && m.File == nil && s.messages[m.Name] != nil {
		t.Message = s.messages[m.Name]
	}
	if e := t.Enum; e != nil && e.File == nil && s.enums[e.Name] != nil {
		t.Enum = s.enums[e.Name]
	}
	return known(*t)
}

func known(t model.Type) bool {
	return (t.Message == nil || t.Message.File != nil) && (t.Enum == nil || t.Enum.File != nil)
}

// message settles a message and what it holds.
func (s *settler) message(m *model.Message) {
	if s.seen[m] {
		return
	}
	s.seen[m] = true
	now := s.messages[m.Name]
	for _, f := range m.Fields {
		if !s.typ(&f.Type) {
			s.dropped = append(s.dropped, m.Name+"."+f.Name)
			if f.Required { // nor can a message be made that has to have it
				f.Type = model.Type{Kind: model.KindMessage, Message: m}
			}
			continue
		}
		f.Packed = f.Packable() && packed(now, f)
		if e := f.Type.Enum; e != nil && e != s.enums[e.Name] {
			slices.SortStableFunc(e.Values, func(a, b *model.EnumValue) int { return cmp.Compare(a.Number, b.Number) })
		}
		if f.Type.Message != nil {
			s.message(f.Type.Message)
		}
	}
	m.Fields = slices.DeleteFunc(m.Fields, func(f *model.Field) bool { return !known(f.Type) })
	slices.SortFunc(m.Fields, compareNumbers)
	for _, o := range m.Oneofs {
		o.Fields = slices.DeleteFunc(o.Fields, func(f *model.OneofMember) bool { return !known(f.Field.Type) })
		slices.SortFunc(o.Fields, func(a, b *model.OneofMember) int { return compareNumbers(a.Field, b.Field) })
	}
	m.Oneofs = slices.DeleteFunc(m.Oneofs, func(o *model.Oneof) bool { return len(o.Fields) == 0 })
	slices.SortFunc(m.Oneofs, func(a, b *model.Oneof) int { return compareNumbers(a.Fields[0].Field, b.Fields[0].Field) })
}

// packed says whether a list is packed: as it is today, or else as it is by default.
func packed(now *model.Message, f *model.Field) bool {
	if now == nil {
		return true
	}
	for _, n := range now.Fields {
		if n.Number == f.Number && n.Packable() {
			return n.Packed
		}
	}
	return true
}

// reached are the full names of the messages and enums in a message, its own among
// them.
func reached(m *model.Message, names map[string]bool) {
	if names[m.Name] {
		return
	}
	names[m.Name] = true
	for _, f := range m.Fields {
		if f.Type.Enum != nil {
			names[f.Type.Enum.Name] = true
		}
		if f.Type.Message != nil {
			reached(f.Type.Message, names)
		}
	}
}

// about says whether a name is that of one of the elements, or of a part of one.
func about(name string, names map[string]bool) bool {
	return name == "" || names[name] || names[name[:max(0, strings.LastIndex(name, "."))]]
}
