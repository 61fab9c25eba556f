package compat

import "github.com/coordgen/coordgen/internal/model"

// The rule of types
//
// A type can be read as another in a codec if every value of the first one, written
// in it, is the same value when it is read as the second. What that comes to is
// measured: a test writes the values of each type and reads them as each other one.

// unreadable are the codecs in which values that were written as the one type are lost
// when they are read as the other. Messages and enums are compared by themselves, and
// count as readable here.
func unreadable(from, to model.Type) Codecs {
	if from.Kind == to.Kind && from.Encoding == to.Encoding {
		return 0
	}
	return when(!asJSON(from, to), JSON) | when(!asMsgpack(from.Kind, to.Kind), Msgpack) | when(!asProto(from, to), Protobuf)
}

// unreadableKeys is the same for the keys of maps, which are text in JSON.
func unreadableKeys(from, to model.Type) Codecs {
	codecs := unreadable(from, to)
	if to.Kind == model.KindString {
		codecs &^= JSON
	}
	return codecs
}

func asJSON(from, to model.Type) bool {
	switch {
	case from.Kind == to.Kind, widens(from.Kind, to.Kind):
		return true
	case to.Kind == model.KindValue:
		return true
	case from.IsPaths():
		return to.Kind == model.KindString
	case from.Kind == model.KindMessage:
		return to.Kind == model.KindStruct
	case from.Kind == model.KindEnum && from.Protojson:
		return false // a value without a name is a number
	case from.Quoted, from.Kind == model.KindEnum, from.Kind == model.KindTime, from.Kind == model.KindDuration:
		return to.Kind == model.KindString
	}
	return from.Kind == model.KindInt32 && to.Kind == model.KindEnum
}

func asMsgpack(from, to model.Kind) bool {
	switch {
	case from == to, widens(from, to):
		return true
	case to == model.KindValue:
		return true
	case from == model.KindMessage:
		return to == model.KindStruct
	case from == model.KindEnum, from == model.KindDuration:
		return to == model.KindString
	}
	return from == model.KindInt32 && to == model.KindEnum
}

// widens says whether the numbers of a kind are all among those of another.
func widens(from, to model.Kind) bool {
	switch from {
	case model.KindInt32:
		return to == model.KindInt64 || to == model.KindFloat64
	case model.KindUint32:
		return to == model.KindInt64 || to == model.KindUint64 || to == model.KindFloat64
	case model.KindFloat32:
		return to == model.KindFloat64
	}
	return false
}

func asProto(from, to model.Type) bool {
	if from.WireType() != to.WireType() || from.Encoding != to.Encoding {
		return false
	}
	if from.Kind == to.Kind {
		return true
	}
	switch from.Kind {
	case model.KindString:
		return to.Kind == model.KindBytes
	case model.KindInt32, model.KindEnum:
		return from.Encoding != model.Fixed && (to.Kind == model.KindInt64 || to.Kind == model.KindInt32 || to.Kind == model.KindEnum)
	case model.KindUint32:
		return to.Kind == model.KindInt64 || to.Kind == model.KindUint64
	case model.KindBool:
		return true // an integer of 0 or 1
	}
	return false
}

// lists says whether the field holds any number of values.
func lists(f *model.Field) bool { return f.Card == model.Repeated || f.Card == model.Mapped }

// uncounted are the codecs in which the values of a field are lost because another
// number of them is expected where they are read.
func uncounted(from, to *model.Field) Codecs {
	switch {
	case lists(from) == lists(to) && (!lists(from) || from.Card == to.Card):
		return 0
	case !lists(from) && to.Card == model.Repeated && from.Presence && from.Default == "":
		return keyed // protobuf's wire has a list of one like a single value
	}
	return All
}
