package vectortest

import (
	"reflect"
	"time"

	"github.com/coordgen/coordgen/runtime/wire"
)

// level takes from what a message holds that in which formats differ: fields that the
// schema lacks, which protobuf has by number and the others by key, and the zeros that
// protobuf leaves out of a message whose schema cannot tell them from absence, while
// that of a later version can.
func level(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if level(v.Elem()); v.CanSet() && v.Elem().Kind() != reflect.Struct && isZero(v.Elem()) {
			v.SetZero()
		}
	case reflect.Struct:
		if _, is := reflect.TypeAssert[time.Time](v); is {
			return
		}
		for _, field := range v.Fields() {
			level(field)
		}
	case reflect.Slice:
		if _, unknown := reflect.TypeAssert[wire.Unknown](v); unknown || v.Len() == 0 {
			v.SetZero()
			return
		}
		for i := range v.Len() {
			level(v.Index(i))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			level(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		levelMember(v)
	default: // nothing in it
	}
}

// levelMember levels the member of a oneof that is set. A free value is none.
func levelMember(v reflect.Value) {
	if v.IsNil() || v.Elem().Kind() != reflect.Struct || v.Elem().NumField() != 1 || !v.Elem().Field(0).CanInterface() {
		return
	}
	member := reflect.New(v.Elem().Type()).Elem()
	member.Set(v.Elem())
	if level(member); isZero(member.Field(0)) {
		v.SetZero()
	} else {
		v.Set(member)
	}
}

// isZero says whether a value, or that of an enum, is zero.
func isZero(v reflect.Value) bool {
	e, isEnum := reflect.TypeAssert[interface {
		Known() bool
		Number() int32
	}](v)
	return v.IsZero() || isEnum && e.Known() && e.Number() == 0
}
