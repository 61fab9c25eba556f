package wire

import (
	"encoding/binary"
	"math/bits"
	"time"
)

// plainText returns the text of the string without escapes with which b begins, or
// nil, and whether it is ASCII. There is none in the last bytes of an input.
func plainText(b []byte) (text []byte, ascii bool) {
	if len(b) == 0 || b[0] != '"' {
		return nil, false
	}
	var all uint64
	for i := 1; i+8 <= len(b); i += 8 {
		word := binary.LittleEndian.Uint64(b[i:])
		marks := ends(word)
		if marks == 0 {
			all |= word
			continue
		}
		n := bits.TrailingZeros64(marks) / 8
		if b[i+n] != '"' {
			return nil, false
		}
		return b[1 : i+n], (all|word<<(64-8*n))&highBits == 0 // a shift by 64 leaves nothing
	}
	return nil, false
}

// String reads a string.
func (r *JSONReader) String(b []byte) (string, []byte) {
	if text, ascii := plainText(b); text != nil && (ascii || invalidRune(text) < 0) {
		if r.alias {
			return aliasOf(text), b[len(text)+2:]
		}
		return r.copied(text, len(b)/2), b[len(text)+2:]
	}
	r.at(b)
	return r.string(), r.rest()
}

// StringPointer reads a string and returns a pointer to it.
func (r *JSONReader) StringPointer(b []byte) (*string, []byte) {
	s, b := r.String(b)
	return r.pointer(s), b
}

// Strings reads a list of strings into list, which is empty.
func (r *JSONReader) Strings(list []string, b []byte) ([]string, []byte) {
	if short, rest, ok := r.shortTexts(list, b); ok {
		return short, rest
	}
	var l List
	for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
		*Add(&r.Input, &l, &list), b = r.String(b)
	}
	return list, b
}

// shortTexts is Strings for a list of few and short strings that is written as writers
// mostly do. Of any other it says false.
func (r *JSONReader) shortTexts(list []string, b []byte) (short []string, rest []byte, ok bool) {
	if len(b) < 2 || b[0] != '[' || r.depth >= r.levels() {
		return list, b, false
	}
	used := cap(list) > 0
	if !used {
		n := 1
		if len(r.strings) == cap(r.strings) {
			r.at(b[1:])
			n += r.commas()
		}
		list = r.roomForStrings(min(n, shareStrings))
	}
	for {
		text, ascii := plainText(b[1:])
		end := len(text) + 3
		if text == nil || end >= len(b) || !isShort(len(text)) || !ascii && invalidRune(text) >= 0 {
			return nil, b, false
		}
		s := aliasOf(text)
		if !r.alias {
			s = r.copied(text, len(b)/2)
		}
		if len(list) == cap(list) {
			if used || len(list) > shareStrings/2 {
				return nil, b, false
			}
			list = append(r.roomForStrings(len(list)+1), list...)
		}
		list = append(list, s)
		switch b = b[end:]; b[0] {
		case ',':
		case ']':
			if !used {
				list = r.asList(list)
			}
			return list, b[1:], true
		default:
			return nil, b, false
		}
	}
}

// Enum reads the name of a value of e, or its number.
func (r *JSONReader) Enum(b []byte, e *Enum) (string, []byte) {
	if text, _ := plainText(b); text != nil {
		if v := e.named(text); v != nil && !v.Alias {
			return v.Name, b[len(text)+2:]
		}
	}
	r.at(b)
	return r.enum(e), r.rest()
}

// Bytes reads a string that holds bytes in base64. No bytes are nil.
func (r *JSONReader) Bytes(b []byte) ([]byte, []byte) {
	r.at(b)
	return r.bytes(), r.rest()
}

// Bool reads a boolean.
func (r *JSONReader) Bool(b []byte) (bool, []byte) {
	switch {
	case len(b) > 4 && string(b[:4]) == "true":
		return true, b[4:]
	case len(b) > 5 && string(b[:5]) == "false":
		return false, b[5:]
	}
	r.at(b)
	return r.bool(), r.rest()
}

// Int32 reads an integer.
func (r *JSONReader) Int32(b []byte) (int32, []byte) {
	if v, n := simpleInteger(b); n > 0 && v == int64(int32(v)) {
		return int32(v), b[n:]
	}
	r.at(b)
	return r.int32(), r.rest()
}

// Int64 reads an integer.
func (r *JSONReader) Int64(b []byte) (int64, []byte) {
	if v, n := simpleInteger(b); n > 0 {
		return v, b[n:]
	}
	r.at(b)
	return r.int64(), r.rest()
}

// Uint32 reads an integer that is not negative.
func (r *JSONReader) Uint32(b []byte) (uint32, []byte) {
	if v, n := simpleInteger(b); n > 0 && v == int64(uint32(v)) {
		return uint32(v), b[n:]
	}
	r.at(b)
	return r.uint32(), r.rest()
}

// Uint64 reads an integer that is not negative.
func (r *JSONReader) Uint64(b []byte) (uint64, []byte) {
	if v, n := simpleInteger(b); n > 0 && v >= 0 {
		return uint64(v), b[n:]
	}
	r.at(b)
	return r.uint64(), r.rest()
}

// Float64 reads a number.
func (r *JSONReader) Float64(b []byte) (float64, []byte) {
	if v, n := simpleFloat(b); n > 0 {
		return v, b[n:]
	}
	r.at(b)
	return r.float64(), r.rest()
}

// Float32 reads a number, rounded to 32 bits.
func (r *JSONReader) Float32(b []byte) (float32, []byte) {
	r.at(b)
	return r.float32(), r.rest()
}

// Time reads a time in RFC 3339 and returns it in UTC.
func (r *JSONReader) Time(b []byte) (time.Time, []byte) {
	if text, _ := plainText(b); text != nil {
		if t, err := parseTime(text); err == nil {
			return t, b[len(text)+2:]
		}
	}
	r.at(b)
	return r.time(), r.rest()
}

// Duration reads a duration, such as "1.5s".
func (r *JSONReader) Duration(b []byte) (time.Duration, []byte) {
	r.at(b)
	return r.duration(), r.rest()
}
