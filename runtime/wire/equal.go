package wire

import (
	"bytes"
	"maps"
	"math"
	"reflect"
	"slices"
)

// Same is == as a function.
func Same[T comparable](a, b T) bool { return a == b }

// EqualFloats says whether two numbers are the same, or neither is one.
func EqualFloats[F float32 | float64](a, b F) bool {
	return a == b || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
}

// EqualPointers says whether both are nil, or what they point to is equal.
func EqualPointers[T any](a, b *T, equal func(a, b T) bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	return equal(*a, *b)
}

// EqualValues says whether two free values are written the same.
func EqualValues(a, b any) bool {
	if reflect.DeepEqual(a, b) {
		return true
	}
	w, v := NewMsgpackWriter(nil), NewMsgpackWriter(nil)
	x, y := w.Value(nil, a), v.Value(nil, b)
	return !w.stopped() && !v.stopped() && bytes.Equal(x, y)
}

// EqualStructs says whether two free objects are written the same.
func EqualStructs(a, b map[string]any) bool { return maps.EqualFunc(a, b, EqualValues) }

// EqualListValues says whether two free lists are written the same.
func EqualListValues(a, b []any) bool { return slices.EqualFunc(a, b, EqualValues) }

// An equaler is a pointer to a message.
type equaler[T any] interface {
	*T
	Equal(other *T) bool
}

// EqualMessages says whether two lists hold equal messages in the same order.
func EqualMessages[T any, P equaler[T]](a, b []T) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !P(&a[i]).Equal(&b[i]) {
			return false
		}
	}
	return true
}

// EqualEntries says whether two maps hold equal messages by the same keys.
func EqualEntries[K comparable, T any, P equaler[T]](a, b map[K]T) bool {
	return maps.EqualFunc(a, b, func(v, w T) bool { return P(&v).Equal(&w) })
}

// Equal says whether both hold the same fields in the same order, each in the
// same bytes.
func (u Unknown) Equal(other Unknown) bool {
	return slices.EqualFunc(u, other, func(a, b UnknownField) bool {
		return a.Key == b.Key && a.Format == b.Format && bytes.Equal(a.Raw, b.Raw)
	})
}
