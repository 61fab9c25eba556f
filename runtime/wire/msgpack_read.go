package wire

import (
	"encoding/binary"
	"math"
	"time"
)

// shortText returns the text of the short string with which b begins, or nil.
func shortText(b []byte) []byte {
	if len(b) > 0 {
		if n := int(b[0] ^ 0xa0); n < 32 && n < len(b) {
			return b[1 : 1+n]
		}
	}
	return nil
}

// String reads a string, or bytes that are valid UTF-8.
func (r *MsgpackReader) String(b []byte) (string, []byte) {
	if text := shortText(b); text != nil && (isASCII(text) || invalidRune(text) < 0) {
		if r.alias {
			return aliasOf(text), b[1+len(text):]
		}
		return r.copied(text, len(b)/2), b[1+len(text):]
	}
	r.at(b)
	return r.string(), r.rest()
}

// StringPointer reads a string and returns a pointer to it.
func (r *MsgpackReader) StringPointer(b []byte) (*string, []byte) {
	s, b := r.String(b)
	return r.pointer(s), b
}

// Strings reads a list of strings into list, which is empty.
func (r *MsgpackReader) Strings(list []string, b []byte) ([]string, []byte) {
	if short, rest := r.shortStrings(list, b); rest != nil {
		return short, rest
	}
	var l List
	for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
		*Add(&r.Input, &l, &list), b = r.String(b)
	}
	return list, b
}

// shortStrings is Strings for a list of few and short strings. Of any other it returns
// no rest.
func (r *MsgpackReader) shortStrings(list []string, b []byte) (short []string, rest []byte) {
	if len(b) == 0 || b[0]&0xf0 != 0x90 || r.depth >= r.levels() {
		return nil, nil
	}
	n := int(b[0] & 0x0f)
	if n >= len(b)-r.owed {
		return nil, nil
	}
	used := cap(list) >= n
	if !used {
		list = r.roomForStrings(n)
	}
	list = list[:n]
	b = b[1:]
	for i := range list {
		text := shortText(b)
		if text == nil || !isASCII(text) && invalidRune(text) >= 0 {
			return nil, nil
		}
		b = b[1+len(text):]
		if r.alias {
			list[i] = aliasOf(text)
		} else {
			list[i] = r.copied(text, len(b)/2)
		}
	}
	if !used {
		list = r.asList(list)
	}
	return list, b
}

// Enum reads the name of a value of e, or its number.
func (r *MsgpackReader) Enum(b []byte, e *Enum) (string, []byte) {
	if text := shortText(b); text != nil {
		if v := e.named(text); v != nil && !v.Alias {
			return v.Name, b[1+len(text):]
		}
	}
	r.at(b)
	return r.enum(e), r.rest()
}

// Bytes reads bytes, or a string that holds them in base64. No bytes are nil.
func (r *MsgpackReader) Bytes(b []byte) ([]byte, []byte) {
	r.at(b)
	return r.bytes(), r.rest()
}

// Bool reads a boolean.
func (r *MsgpackReader) Bool(b []byte) (bool, []byte) {
	if len(b) > 0 && b[0]|1 == 0xc3 {
		return b[0] == 0xc3, b[1:]
	}
	r.at(b)
	return r.bool(), r.rest()
}

// integer returns the integer with which b begins, and its length. That is 0 when it
// is not one of the common ones.
func integer(b []byte) (v int64, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	if v := int8(b[0]); v >= -32 {
		return int64(v), 1
	}
	if len(b) > 8 {
		switch b[0] {
		case 0xcc:
			return int64(b[1]), 2
		case 0xcd:
			return int64(binary.BigEndian.Uint16(b[1:])), 3
		case 0xce:
			return int64(binary.BigEndian.Uint32(b[1:])), 5
		case 0xd0:
			return int64(int8(b[1])), 2
		case 0xd1:
			return int64(int16(binary.BigEndian.Uint16(b[1:]))), 3
		case 0xd2:
			return int64(int32(binary.BigEndian.Uint32(b[1:]))), 5
		case 0xd3:
			return int64(binary.BigEndian.Uint64(b[1:])), 9
		case 0xcf:
			if v := binary.BigEndian.Uint64(b[1:]); v <= math.MaxInt64 {
				return int64(v), 9
			}
		}
	}
	return 0, 0
}

// Int32 reads an integer that fits 32 bits.
func (r *MsgpackReader) Int32(b []byte) (int32, []byte) {
	if v, n := integer(b); n > 0 && v == int64(int32(v)) {
		return int32(v), b[n:]
	}
	r.at(b)
	return r.int32(), r.rest()
}

// Int64 reads an integer.
func (r *MsgpackReader) Int64(b []byte) (int64, []byte) {
	if v, n := integer(b); n > 0 {
		return v, b[n:]
	}
	r.at(b)
	return r.int64(), r.rest()
}

// Uint32 reads an integer that fits 32 bits and is not negative.
func (r *MsgpackReader) Uint32(b []byte) (uint32, []byte) {
	if v, n := integer(b); n > 0 && v == int64(uint32(v)) {
		return uint32(v), b[n:]
	}
	r.at(b)
	return r.uint32(), r.rest()
}

// Uint64 reads an integer that is not negative.
func (r *MsgpackReader) Uint64(b []byte) (uint64, []byte) {
	if v, n := integer(b); n > 0 && v >= 0 {
		return uint64(v), b[n:]
	}
	r.at(b)
	return r.uint64(), r.rest()
}

// Float64 reads a number. An integer above 2^53 is rounded to the nearest float.
func (r *MsgpackReader) Float64(b []byte) (float64, []byte) {
	if len(b) > 8 && b[0] == 0xcb {
		return math.Float64frombits(binary.BigEndian.Uint64(b[1:])), b[9:]
	}
	r.at(b)
	return r.float64(), r.rest()
}

// Float32 reads a number and rounds it to the nearest 32-bit float.
func (r *MsgpackReader) Float32(b []byte) (float32, []byte) {
	if len(b) > 4 && b[0] == 0xca {
		return math.Float32frombits(binary.BigEndian.Uint32(b[1:])), b[5:]
	}
	r.at(b)
	return r.float32(), r.rest()
}

// Time reads a timestamp, or a time in RFC 3339 as a string, in UTC.
func (r *MsgpackReader) Time(b []byte) (time.Time, []byte) {
	if len(b) > 9 && b[0] == 0xd7 && b[1] == 0xff {
		both := binary.BigEndian.Uint64(b[2:])
		if nsec := int64(both >> 34); nsec <= 999_999_999 {
			return time.Unix(int64(both&(1<<34-1)), nsec).UTC(), b[10:]
		}
	}
	r.at(b)
	return r.time(), r.rest()
}

// Duration reads a duration as a string, such as "1.5s".
func (r *MsgpackReader) Duration(b []byte) (time.Duration, []byte) {
	r.at(b)
	return r.duration(), r.rest()
}
