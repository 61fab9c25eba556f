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

// Duplicate fails because the current entry's key was there before.
func (r *JSONReader) Duplicate(m *Map) []byte {
	r.failf(m.left, ErrDuplicate, "%q", clip(m.key))
	return nil
}

// StringKey returns the current entry's key.
func (r *JSONReader) StringKey(m *Map, b []byte) (string, []byte) { return r.asString(m.key), b }

// Int32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Int32Key(m *Map, b []byte) (int32, []byte) {
	v, err := keyInt(string(m.key), 32)
	return int32(v), r.checkKey(m, b, err)
}

// Int64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Int64Key(m *Map, b []byte) (int64, []byte) {
	v, err := keyInt(string(m.key), 64)
	return v, r.checkKey(m, b, err)
}

// Uint32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Uint32Key(m *Map, b []byte) (uint32, []byte) {
	v, err := keyUint(string(m.key), 32)
	return uint32(v), r.checkKey(m, b, err)
}

// Uint64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Uint64Key(m *Map, b []byte) (uint64, []byte) {
	v, err := keyUint(string(m.key), 64)
	return v, r.checkKey(m, b, err)
}

// BoolKey returns the current entry's key, "true" or "false".
func (r *JSONReader) BoolKey(m *Map, b []byte) (bool, []byte) {
	text := string(m.key)
	if text != "true" && text != "false" {
		r.failf(m.left, ErrType, "found the key %q, want true or false", clip(m.key))
		return false, nil
	}
	return text == "true", b
}

// checkKey returns b, or fails when the key could not be read as an integer.
func (r *JSONReader) checkKey(m *Map, b []byte, err error) []byte {
	if err == nil {
		return b
	}
	cause := ErrType
	if errors.Is(err, strconv.ErrRange) {
		cause = ErrRange
	}
	r.failf(m.left, cause, "found the key %q, want an integer", clip(m.key))
	return nil
}
