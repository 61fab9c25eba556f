package wire

import (
	"encoding/binary"
	"math"
	"math/bits"
	"time"
	"unicode/utf8"
)

// appendVarint appends seven bits a byte.
func appendVarint(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// sizeVarint is how many bytes appendVarint appends.
func sizeVarint(v uint64) int { return int(9*uint32(bits.Len64(v))+64) / 64 }

// sizeBytes is the size of n bytes and their length.
func sizeBytes(n int) int { return sizeVarint(uint64(n)) + n }

// Bool appends a boolean.
func (w *ProtoWriter) Bool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// Int32 appends a varint, of ten bytes for a negative number.
func (w *ProtoWriter) Int32(b []byte, v int32) []byte { return appendVarint(b, uint64(v)) }

// Int64 appends a varint, of ten bytes for a negative number.
func (w *ProtoWriter) Int64(b []byte, v int64) []byte { return appendVarint(b, uint64(v)) }

// Uint32 appends a varint.
func (w *ProtoWriter) Uint32(b []byte, v uint32) []byte { return appendVarint(b, uint64(v)) }

// Uint64 appends a varint.
func (w *ProtoWriter) Uint64(b []byte, v uint64) []byte { return appendVarint(b, v) }

// Sint32 appends a varint whose lowest bit is the sign.
func (w *ProtoWriter) Sint32(b []byte, v int32) []byte {
	return appendVarint(b, uint64(uint32(v)<<1^uint32(v>>31)))
}

// Sint64 appends a varint whose lowest bit is the sign.
func (w *ProtoWriter) Sint64(b []byte, v int64) []byte {
	return appendVarint(b, uint64(v)<<1^uint64(v>>63))
}

// Fixed32 appends four bytes.
func (w *ProtoWriter) Fixed32(b []byte, v uint32) []byte {
	return binary.LittleEndian.AppendUint32(b, v)
}

// Fixed64 appends eight bytes.
func (w *ProtoWriter) Fixed64(b []byte, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(b, v)
}

// Sfixed32 appends four bytes.
func (w *ProtoWriter) Sfixed32(b []byte, v int32) []byte { return w.Fixed32(b, uint32(v)) }

// Sfixed64 appends eight bytes.
func (w *ProtoWriter) Sfixed64(b []byte, v int64) []byte { return w.Fixed64(b, uint64(v)) }

// Float32 appends a 32-bit float.
func (w *ProtoWriter) Float32(b []byte, v float32) []byte { return w.Fixed32(b, math.Float32bits(v)) }

// Float64 appends a 64-bit float.
func (w *ProtoWriter) Float64(b []byte, v float64) []byte { return w.Fixed64(b, math.Float64bits(v)) }

// String appends a string, which must be valid UTF-8.
func (w *ProtoWriter) String(b []byte, s string) []byte {
	n, at := len(s), len(b)
	if n >= 0x80 || n >= cap(b)-at {
		return w.longString(b, s)
	}
	// Most strings are copied and looked at in eights at once, the last of which may
	// overlap the one before it.
	b = b[:at+1+n]
	b[at] = byte(n)
	text := b[at+1:][:n]
	var all uint64
	switch {
	case n >= 8:
		last := load64(s, n-8)
		all = last
		for i := 0; i < n-8; i += 8 {
			eight := load64(s, i)
			all |= eight
			store64(text, i, eight)
		}
		store64(text, n-8, last)
	case n >= 4:
		first, last := load32(s, 0), load32(s, n-4)
		all = uint64(first | last)
		store32(text, 0, first)
		store32(text, n-4, last)
	case n > 0:
		first, middle, last := s[0], s[n/2], s[n-1]
		all = uint64(first | middle | last)
		text[0], text[n/2], text[n-1] = first, middle, last
	}
	if all&highBits != 0 && !utf8.ValidString(s) {
		return w.longString(b[:at], s)
	}
	return b
}

// longString is String for strings of any length.
func (w *ProtoWriter) longString(b []byte, s string) []byte {
	if !validString(s) {
		return w.failf(b, ErrUTF8, "found the string %.64q", s)
	}
	return append(appendVarint(b, uint64(len(s))), s...)
}

// Bytes appends bytes.
func (w *ProtoWriter) Bytes(b, v []byte) []byte {
	return append(appendVarint(b, uint64(len(v))), v...)
}

// Enum appends the number of a value of e.
func (w *ProtoWriter) Enum(b []byte, e *Enum, name string) []byte {
	number, ok := e.number(name)
	w.enumName(b, e, name)
	if !ok {
		return w.failf(b, ErrValue, "%s has no value %.64q, and so no number for it", e.Name, name)
	}
	return w.Int32(b, number)
}

// Time appends a google.protobuf.Timestamp. Its year must be 1 to 9999.
func (w *ProtoWriter) Time(b []byte, t time.Time) []byte {
	seconds := t.Unix()
	if seconds < firstSecond || seconds > lastSecond {
		return w.failf(b, ErrRange, "found a time in year %d, want one in the years 1 to 9999", t.UTC().Year())
	}
	return w.secondsAndNanos(b, seconds, int64(t.Nanosecond()))
}

// Duration appends a google.protobuf.Duration.
func (w *ProtoWriter) Duration(b []byte, d time.Duration) []byte {
	return w.secondsAndNanos(b, int64(d/time.Second), int64(d%time.Second))
}

func (*ProtoWriter) secondsAndNanos(b []byte, seconds, nanos int64) []byte {
	b = append(b, 0)
	start := len(b)
	if seconds != 0 {
		b = appendNumber(b, 1<<3+pbVarint, uint64(seconds))
	}
	if nanos != 0 {
		b = appendNumber(b, 2<<3+pbVarint, uint64(nanos))
	}
	b[start-1] = byte(len(b) - start) // never more than 22
	return b
}

// appendNumber appends a tag and a varint. Most seconds and nanoseconds have five
// bytes, which are appended at once.
func appendNumber(b []byte, tag byte, v uint64) []byte {
	const more = 0x80
	if v>>28 != 0 && v>>35 == 0 {
		return append(b, tag, byte(v)|more, byte(v>>7)|more, byte(v>>14)|more, byte(v>>21)|more, byte(v>>28))
	}
	return appendVarint(append(b, tag), v)
}

// BoolValue appends a google.protobuf.BoolValue.
func (w *ProtoWriter) BoolValue(b []byte, v bool) []byte {
	if !v {
		return append(b, 0)
	}
	return append(b, 2, 1<<3+pbVarint, 1)
}

// Int32Value appends a google.protobuf.Int32Value.
func (w *ProtoWriter) Int32Value(b []byte, v int32) []byte { return varintValue(b, uint64(v)) }

// Int64Value appends a google.protobuf.Int64Value.
func (w *ProtoWriter) Int64Value(b []byte, v int64) []byte { return varintValue(b, uint64(v)) }

// Uint32Value appends a google.protobuf.UInt32Value.
func (w *ProtoWriter) Uint32Value(b []byte, v uint32) []byte { return varintValue(b, uint64(v)) }

// Uint64Value appends a google.protobuf.UInt64Value.
func (w *ProtoWriter) Uint64Value(b []byte, v uint64) []byte { return varintValue(b, v) }

func varintValue(b []byte, v uint64) []byte {
	if v == 0 {
		return append(b, 0)
	}
	return appendVarint(append(b, byte(1+sizeVarint(v)), 1<<3+pbVarint), v)
}

// Float32Value appends a google.protobuf.FloatValue.
func (w *ProtoWriter) Float32Value(b []byte, v float32) []byte {
	if math.Float32bits(v) == 0 {
		return append(b, 0)
	}
	return w.Float32(append(b, 5, 1<<3+pbFixed32), v)
}

// Float64Value appends a google.protobuf.DoubleValue.
func (w *ProtoWriter) Float64Value(b []byte, v float64) []byte {
	if math.Float64bits(v) == 0 {
		return append(b, 0)
	}
	return w.Float64(append(b, 9, 1<<3+pbFixed64), v)
}

// StringValue appends a google.protobuf.StringValue.
func (w *ProtoWriter) StringValue(b []byte, v string) []byte {
	if v == "" {
		return append(b, 0)
	}
	return w.String(append(appendVarint(b, uint64(1+sizeBytes(len(v)))), 1<<3+pbBytes), v)
}

// BytesValue appends a google.protobuf.BytesValue.
func (w *ProtoWriter) BytesValue(b, v []byte) []byte {
	if len(v) == 0 {
		return append(b, 0)
	}
	return w.Bytes(append(appendVarint(b, uint64(1+sizeBytes(len(v)))), 1<<3+pbBytes), v)
}
