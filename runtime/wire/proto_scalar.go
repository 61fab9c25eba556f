package wire

import (
	"encoding/binary"
	"math"
)

// varint reads an integer of up to ten bytes, each of which has seven bits of it.
func (r *ProtoReader) varint() uint64 {
	if r.pos < len(r.data) && r.data[r.pos] < 0x80 {
		r.pos++
		return uint64(r.data[r.pos-1])
	}
	return r.longVarint()
}

func (r *ProtoReader) longVarint() uint64 {
	rest := r.data[r.pos:]
	if len(rest) > 1 && rest[1] < 0x80 {
		r.pos += 2
		return uint64(rest[0]&0x7f) | uint64(rest[1])<<7
	}
	v, n := binary.Uvarint(rest)
	switch {
	case n > 0:
		r.pos += n
		return v
	case n == 0:
		r.fail(r.pos, ErrTruncated)
	default:
		r.failf(r.pos, ErrSyntax, "an integer of more than 64 bits")
	}
	return 0
}

// length reads how many bytes come next, which are there.
func (r *ProtoReader) length() int {
	if short, ok := r.short(); ok {
		r.pos++
		return len(short)
	}
	at := r.pos
	n := r.varint()
	if n > uint64(len(r.data)-r.pos) {
		r.failf(at, ErrTruncated, "a value claims %d bytes, %d are left", n, len(r.data)-r.pos)
		return 0
	}
	return int(n)
}

// bytes passes over bytes with their length before them and returns them.
func (r *ProtoReader) bytes() []byte {
	if short, ok := r.short(); ok {
		r.pos += 1 + len(short)
		return short
	}
	return r.take(r.length())
}

// short returns the bytes that come next, if they are there and their length takes
// one byte, as most lengths do.
func (r *ProtoReader) short() ([]byte, bool) {
	if rest := r.data[r.pos:]; len(rest) > 0 {
		if n := int(rest[0]); n < 0x80 && n < len(rest) {
			return rest[1 : 1+n], true
		}
	}
	return nil, false
}

// content returns what is in the message that comes next, if its length takes one byte.
func (r *ProtoReader) content() []byte {
	if r.tag&7 != pbBytes {
		return nil
	}
	content, _ := r.short()
	return content
}

// take passes over n bytes and returns them, or nil if they are not there.
func (r *ProtoReader) take(n int) []byte {
	if n > len(r.data)-r.pos {
		r.fail(r.pos, ErrTruncated)
		return nil
	}
	r.pos += n
	return r.data[r.pos-n : r.pos]
}

// Bool reads a varint as a boolean.
func (r *ProtoReader) Bool() bool { return r.varint() != 0 }

// Int32 reads a varint, of which the lower 32 bits count.
func (r *ProtoReader) Int32() int32 { return int32(r.varint()) }

// Int64 reads a varint.
func (r *ProtoReader) Int64() int64 { return int64(r.varint()) }

// Uint32 reads a varint, of which the lower 32 bits count.
func (r *ProtoReader) Uint32() uint32 { return uint32(r.varint()) }

// Uint64 reads a varint.
func (r *ProtoReader) Uint64() uint64 { return r.varint() }

// Sint32 reads a varint whose lowest bit is the sign.
func (r *ProtoReader) Sint32() int32 {
	v := uint32(r.varint())
	return int32(v>>1) ^ -int32(v&1)
}

// Sint64 reads a varint whose lowest bit is the sign.
func (r *ProtoReader) Sint64() int64 {
	v := r.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// Fixed32 reads four bytes.
func (r *ProtoReader) Fixed32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// Fixed64 reads eight bytes.
func (r *ProtoReader) Fixed64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// Sfixed32 reads four bytes.
func (r *ProtoReader) Sfixed32() int32 { return int32(r.Fixed32()) }

// Sfixed64 reads eight bytes.
func (r *ProtoReader) Sfixed64() int64 { return int64(r.Fixed64()) }

// Float32 reads a 32-bit float.
func (r *ProtoReader) Float32() float32 { return math.Float32frombits(r.Fixed32()) }

// Float64 reads a 64-bit float.
func (r *ProtoReader) Float64() float64 { return math.Float64frombits(r.Fixed64()) }

// String reads a string, which must be valid UTF-8.
func (r *ProtoReader) String() string {
	text, ok := r.short() // as in bytes, without a call
	if ok {
		r.pos += 1 + len(text)
	} else {
		text = r.take(r.length())
	}
	if !isASCII(text) {
		if bad := invalidRune(text); bad >= 0 {
			r.failf(r.pos-len(text)+bad, ErrUTF8, "byte 0x%02x in a string", text[bad])
			return ""
		}
	}
	if r.alias {
		return aliasOf(text)
	}
	return r.copied(text, 3*(len(r.whole)-r.pos)/4) // less stands between texts than in the other codecs
}

// StringPointer reads a string and returns a pointer to it.
func (r *ProtoReader) StringPointer() *string { return r.pointer(r.String()) }

// Bytes reads bytes. None are nil.
func (r *ProtoReader) Bytes() []byte {
	if b := r.bytes(); len(b) > 0 {
		return append([]byte(nil), b...)
	}
	return nil
}

// Enum reads the number of a value of e and returns the value's name.
func (r *ProtoReader) Enum(e *Enum) string {
	number := int32(r.varint())
	if r.failed() {
		return ""
	}
	return e.ByNumber(number)
}
