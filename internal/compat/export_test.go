package compat

import "github.com/coordgen/coordgen/internal/model"

// SameFields are the fields of an old message that a new one has, too: what became of
// each.
func SameFields(old, next *model.Message, between []*model.File) map[*model.Field]*model.Field {
	pairs, _, _ := pairFields(old, next, between)
	same := map[*model.Field]*model.Field{}
	for _, p := range pairs {
		same[p.old] = p.next
	}
	return same
}

// SameValue is what became of the value of an enum, or nil.
func SameValue(v *model.EnumValue, old, next *model.Enum, between []*model.File) *model.EnumValue {
	return became(v, old, next, between)
}
