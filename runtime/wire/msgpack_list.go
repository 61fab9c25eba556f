package wire

import (
	"errors"
	"strconv"
)

// array begins to read a list.
func (r *MsgpackReader) array() List {
	return List{index: -1, left: r.open(mpList, "a list")}
}

// more moves to the next element, which must be read before the next call. It is
// false at the list's end and after a failure.
func (r *MsgpackReader) more(l *List) bool {
	if r.failed() {
		if l.index >= 0 {
			r.within(l.step())
		}
		return false
	}
	if l.left == 0 {
		r.ahead -= l.claimed
		r.depth--
		return false
	}
	l.left--
	l.index++
	r.owed--
	return true
}

// entries begins to read a map.
func (r *MsgpackReader) entries() Map { return Map{left: r.open(mpMap, "a map")} }

// nextEntry moves to the next entry. Its key, by one of the methods below, and
// its value must be read, in this order, before the next call. It is false at
// the map's end and after a failure.
func (r *MsgpackReader) nextEntry(m *Map) bool {
	if r.failed() {
		if m.key = mpKeyText(m.key); m.key != nil {
			r.within(m.step())
		}
		return false
	}
	if m.left == 0 {
		r.depth--
		return false
	}
	m.left--
	r.owed -= 2
	m.key = r.data[r.pos:]
	return true
}

// Duplicate fails because the current entry's key was there before.
func (r *MsgpackReader) Duplicate(m *Map) []byte {
	r.failf(len(r.data)-len(m.key), ErrDuplicate, "%q", mpKeyText(m.key))
	return nil
}

// mpKeyText returns the key with which input begins as the text that an error's
// path shows, or nil when it is none.
func mpKeyText(input []byte) []byte {
	r := NewMsgpackReader(input)
	h, ok := r.header("a key")
	if !ok {
		return nil
	}
	switch h.kind {
	case mpString, mpBytes:
		return clip(r.take(h))
	case mpInt, mpFloat:
		code := r.data[r.pos]
		return []byte(mpNumberOf(code, r.take(h)).String())
	case mpBool:
		return strconv.AppendBool(nil, r.bool())
	}
	return nil
}

// StringKey reads the current entry's key.
func (r *MsgpackReader) StringKey(_ *Map, b []byte) (string, []byte) {
	if shortText(b) != nil {
		return r.String(b)
	}
	r.at(b)
	return r.asString(r.text("a string as key")), r.rest()
}

// Int32Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) Int32Key(m *Map, b []byte) (int32, []byte) {
	text, b, ok := r.keyText(b)
	if !ok {
		return r.Int32(b)
	}
	v, err := keyInt(text, 32)
	return int32(v), r.checkKey(m, b, text, err)
}

// Int64Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) Int64Key(m *Map, b []byte) (int64, []byte) {
	text, b, ok := r.keyText(b)
	if !ok {
		return r.Int64(b)
	}
	v, err := keyInt(text, 64)
	return v, r.checkKey(m, b, text, err)
}

// Uint32Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) Uint32Key(m *Map, b []byte) (uint32, []byte) {
	text, b, ok := r.keyText(b)
	if !ok {
		return r.Uint32(b)
	}
	v, err := keyUint(text, 32)
	return uint32(v), r.checkKey(m, b, text, err)
}

// Uint64Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) Uint64Key(m *Map, b []byte) (uint64, []byte) {
	text, b, ok := r.keyText(b)
	if !ok {
		return r.Uint64(b)
	}
	v, err := keyUint(text, 64)
	return v, r.checkKey(m, b, text, err)
}

// BoolKey reads the current entry's key, a boolean or "true" or "false".
func (r *MsgpackReader) BoolKey(m *Map, b []byte) (bool, []byte) {
	text, b, ok := r.keyText(b)
	switch {
	case !ok:
		return r.Bool(b)
	case text != "true" && text != "false":
		r.failf(len(r.data)-len(m.key), ErrType, "found the key %q, want true or false", clip([]byte(text)))
		return false, nil
	}
	return text == "true", b
}

// keyText reads a key that is a string. It says false, and reads nothing, when
// the key is something else.
func (r *MsgpackReader) keyText(b []byte) (text string, rest []byte, ok bool) {
	r.at(b)
	if h, ok := r.header("a key"); ok && (h.kind == mpString || h.kind == mpBytes) {
		text := string(r.take(h))
		return text, r.rest(), true
	}
	return "", r.rest(), false
}

// checkKey returns b, or fails when the text of a key could not be read as an integer.
func (r *MsgpackReader) checkKey(m *Map, b []byte, text string, err error) []byte {
	if err == nil {
		return b
	}
	cause := ErrType
	if errors.Is(err, strconv.ErrRange) {
		cause = ErrRange
	}
	r.failf(len(r.data)-len(m.key), cause, "found the key %q, want an integer", clip([]byte(text)))
	return nil
}
