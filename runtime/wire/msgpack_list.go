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

// duplicate fails because the current entry's key was there before.
func (r *MsgpackReader) duplicate(m *Map) {
	r.failf(len(r.data)-len(m.key), ErrDuplicate, "%q", mpKeyText(m.key))
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

// stringKey reads the current entry's key.
func (r *MsgpackReader) stringKey(*Map) string { return r.asString(r.text("a string as key")) }

// int32Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) int32Key(m *Map) int32 {
	if text, ok := r.keyText(); ok {
		v, err := keyInt(text, 32)
		r.checkKey(m, text, err)
		return int32(v)
	}
	return r.int32()
}

// int64Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) int64Key(m *Map) int64 {
	if text, ok := r.keyText(); ok {
		v, err := keyInt(text, 64)
		r.checkKey(m, text, err)
		return v
	}
	return r.int64()
}

// uint32Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) uint32Key(m *Map) uint32 {
	if text, ok := r.keyText(); ok {
		v, err := keyUint(text, 32)
		r.checkKey(m, text, err)
		return uint32(v)
	}
	return r.uint32()
}

// uint64Key reads the current entry's key, an integer or its digits as a string.
func (r *MsgpackReader) uint64Key(m *Map) uint64 {
	if text, ok := r.keyText(); ok {
		v, err := keyUint(text, 64)
		r.checkKey(m, text, err)
		return v
	}
	return r.uint64()
}

// boolKey reads the current entry's key, a boolean or "true" or "false".
func (r *MsgpackReader) boolKey(m *Map) bool {
	text, ok := r.keyText()
	if !ok {
		return r.bool()
	}
	if text != "true" && text != "false" {
		r.failf(len(r.data)-len(m.key), ErrType, "found the key %q, want true or false", clip([]byte(text)))
	}
	return text == "true"
}

// keyText reads a key that is a string. It says false, and reads nothing, when
// the key is something else.
func (r *MsgpackReader) keyText() (string, bool) {
	if h, ok := r.header("a key"); ok && (h.kind == mpString || h.kind == mpBytes) {
		return string(r.take(h)), true
	}
	return "", false
}

// checkKey fails when the text of a key could not be read as an integer.
func (r *MsgpackReader) checkKey(m *Map, text string, err error) {
	if err == nil {
		return
	}
	cause := ErrType
	if errors.Is(err, strconv.ErrRange) {
		cause = ErrRange
	}
	r.failf(len(r.data)-len(m.key), cause, "found the key %q, want an integer", clip([]byte(text)))
}
