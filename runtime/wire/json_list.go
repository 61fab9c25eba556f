package wire

import (
	"errors"
	"strconv"
)

// array begins to read a list.
func (r *JSONReader) array() List {
	r.open('[', "a list")
	return List{index: -1, left: -1}
}

// more moves to the next element, which must be read before the next call. It is
// false at the list's end and after a failure.
func (r *JSONReader) more(l *List) bool {
	if r.failed() {
		if l.index >= 0 {
			r.within(l.step())
		}
		return false
	}
	if !r.another(l.index < 0, ']') {
		return false
	}
	l.index++
	return true
}

// entries begins to read a map.
func (r *JSONReader) entries() Map {
	r.open('{', "an object")
	return Map{first: true}
}

// nextEntry moves to the next entry. Its key, by one of the methods below, and
// its value must be read, in this order, before the next call. It is false at
// the map's end and after a failure.
func (r *JSONReader) nextEntry(m *Map) bool {
	if r.failed() {
		if m.key != nil {
			m.key = clip(m.key)
			r.within(m.step())
		}
		return false
	}
	if !r.another(m.first, '}') {
		return false
	}
	m.first = false
	r.peek()
	m.left = r.pos // where the key begins
	key, ok := r.key()
	m.key = key
	return ok
}

// duplicate fails because the current entry's key was there before.
func (r *JSONReader) duplicate(m *Map) { r.failf(m.left, ErrDuplicate, "%q", clip(m.key)) }

// int32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) int32Key(m *Map) int32 {
	v, err := keyInt(string(m.key), 32)
	r.checkKey(m, err)
	return int32(v)
}

// int64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) int64Key(m *Map) int64 {
	v, err := keyInt(string(m.key), 64)
	r.checkKey(m, err)
	return v
}

// uint32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) uint32Key(m *Map) uint32 {
	v, err := keyUint(string(m.key), 32)
	r.checkKey(m, err)
	return uint32(v)
}

// uint64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) uint64Key(m *Map) uint64 {
	v, err := keyUint(string(m.key), 64)
	r.checkKey(m, err)
	return v
}

// boolKey returns the current entry's key, "true" or "false".
func (r *JSONReader) boolKey(m *Map) bool {
	if text := string(m.key); text != "true" && text != "false" {
		r.failf(m.left, ErrType, "found the key %q, want true or false", clip(m.key))
	}
	return string(m.key) == "true"
}

// checkKey fails when the key could not be read as an integer.
func (r *JSONReader) checkKey(m *Map, err error) {
	if err == nil {
		return
	}
	cause := ErrType
	if errors.Is(err, strconv.ErrRange) {
		cause = ErrRange
	}
	r.failf(m.left, cause, "found the key %q, want an integer", clip(m.key))
}
