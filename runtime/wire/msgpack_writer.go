package wire

import (
	"encoding/binary"
	"math"
	"time"
	"unicode/utf8"
)

// A MsgpackWriter appends a message to a buffer as msgpack. Its methods take the
// buffer and return it with the value appended. After the first failure they
// append nothing that matters; Close reports the failure.
type MsgpackWriter struct {
	output
	// free is where the free value began that failed, or -1.
	free int
}

// NewMsgpackWriter returns a writer that appends to b.
func NewMsgpackWriter(b []byte) MsgpackWriter {
	return MsgpackWriter{output: output{start: len(b)}, free: -1}
}

// Close ends the writing of the message of that name. After a failure it returns
// the buffer as it was before the message, and an [*Error].
func (w *MsgpackWriter) Close(b []byte, message string) ([]byte, error) {
	if w.err == nil {
		return w.result(b), nil
	}
	err := &Error{Message: message, Field: w.path(b[w.start:w.at]), Offset: -1, Err: w.err}
	return w.result(b[:w.start]), err
}

// MapHeader begins a message or a map with n entries.
func (w *MsgpackWriter) MapHeader(b []byte, n int) []byte {
	if n < 16 {
		return append(b, 0x80|byte(n))
	}
	return w.header(b, 0xde, n)
}

// ArrayHeader begins a list of n elements.
func (w *MsgpackWriter) ArrayHeader(b []byte, n int) []byte {
	if n < 16 {
		return append(b, 0x90|byte(n))
	}
	return w.header(b, 0xdc, n)
}

// header appends the length n behind code, if 16 bits hold it, or behind the next
// code, as long as msgpack can hold it.
func (w *MsgpackWriter) header(b []byte, code byte, n int) []byte {
	switch {
	case n <= math.MaxUint16:
		return append(b, code, byte(n>>8), byte(n))
	case uint64(n) <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, code+1), uint32(n))
	}
	return w.failf(b, ErrRange, "%d bytes or elements, msgpack holds at most %d", n, uint32(math.MaxUint32))
}

// String appends a string, which must be valid UTF-8.
func (w *MsgpackWriter) String(b []byte, s string) []byte {
	n, at := len(s), len(b)
	if n >= 32 || n >= cap(b)-at {
		return w.longString(b, s)
	}
	// Short strings are copied and looked at in eights at once, which may overlap.
	b = b[:at+1+n]
	b[at] = 0xa0 | byte(n)
	text := b[at+1:][:n]
	var all uint64
	switch {
	case n >= 16:
		first, second, third, last := load64(s, 0), load64(s, 8), load64(s, n-16), load64(s, n-8)
		all = first | second | third | last
		store64(text, 0, first)
		store64(text, 8, second)
		store64(text, n-16, third)
		store64(text, n-8, last)
	case n >= 8:
		first, last := load64(s, 0), load64(s, n-8)
		all = first | last
		store64(text, 0, first)
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
func (w *MsgpackWriter) longString(b []byte, s string) []byte {
	if !validString(s) {
		return w.failf(b, ErrUTF8, "found the string %.64q", s)
	}
	switch n := len(s); {
	case n < 32:
		b = append(b, 0xa0|byte(n))
	case n <= math.MaxUint8:
		b = append(b, 0xd9, byte(n))
	default:
		if b = w.header(b, 0xda, n); w.err != nil {
			return b
		}
	}
	return append(b, s...)
}

// Bytes appends bytes.
func (w *MsgpackWriter) Bytes(b []byte, v []byte) []byte {
	if n := len(v); n <= math.MaxUint8 {
		b = append(b, 0xc4, byte(n))
	} else if b = w.header(b, 0xc5, n); w.err != nil {
		return b
	}
	return append(b, v...)
}

// Bool appends a boolean.
func (w *MsgpackWriter) Bool(b []byte, v bool) []byte {
	if v {
		return append(b, 0xc3)
	}
	return append(b, 0xc2)
}

// Int32 appends an integer in its shortest form.
func (w *MsgpackWriter) Int32(b []byte, v int32) []byte {
	if v >= -32 && v < 0x80 {
		return append(b, byte(v))
	}
	return appendInt(b, int64(v))
}

// Uint32 appends an integer in its shortest form.
func (w *MsgpackWriter) Uint32(b []byte, v uint32) []byte { return w.Uint64(b, uint64(v)) }

// Int64 appends an integer in its shortest form.
func (w *MsgpackWriter) Int64(b []byte, v int64) []byte {
	if v >= -32 && v < 0x80 {
		return append(b, byte(v))
	}
	return appendInt(b, v)
}

// Uint64 appends an integer in its shortest form.
func (w *MsgpackWriter) Uint64(b []byte, v uint64) []byte {
	if v < 0x80 {
		return append(b, byte(v))
	}
	return appendUint(b, v)
}

// appendInt appends an integer that one byte does not hold.
func appendInt(b []byte, v int64) []byte {
	switch {
	case v >= 0:
		return appendUint(b, uint64(v))
	case v >= math.MinInt8:
		return append(b, 0xd0, byte(v))
	case v >= math.MinInt16:
		return append(b, 0xd1, byte(v>>8), byte(v))
	case v >= math.MinInt32:
		return append(b, 0xd2, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd3), uint64(v))
}

// appendUint appends an integer that one byte does not hold.
func appendUint(b []byte, v uint64) []byte {
	switch {
	case v <= math.MaxUint8:
		return append(b, 0xcc, byte(v))
	case v <= math.MaxUint16:
		return append(b, 0xcd, byte(v>>8), byte(v))
	case v <= math.MaxUint32:
		return append(b, 0xce, byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xcf), v)
}

// Float32 appends a 32-bit float.
func (w *MsgpackWriter) Float32(b []byte, v float32) []byte {
	return binary.BigEndian.AppendUint32(append(b, 0xca), math.Float32bits(v))
}

// Float64 appends a 64-bit float.
func (w *MsgpackWriter) Float64(b []byte, v float64) []byte {
	return binary.BigEndian.AppendUint64(append(b, 0xcb), math.Float64bits(v))
}

// Time appends a timestamp in its shortest form. Its year must be 1 to 9999.
func (w *MsgpackWriter) Time(b []byte, t time.Time) []byte {
	sec, nsec := t.Unix(), uint64(t.Nanosecond())
	switch {
	case sec < firstSecond || sec > lastSecond:
		return w.failf(b, ErrRange, "found a time in year %d, want one in the years 1 to 9999", t.UTC().Year())
	case sec < 0 || sec >= 1<<34:
		b = binary.BigEndian.AppendUint32(append(b, 0xc7, 12, 0xff), uint32(nsec))
		return binary.BigEndian.AppendUint64(b, uint64(sec))
	case nsec == 0 && sec <= math.MaxUint32:
		return binary.BigEndian.AppendUint32(append(b, 0xd6, 0xff), uint32(sec))
	}
	return binary.BigEndian.AppendUint64(append(b, 0xd7, 0xff), nsec<<34|uint64(sec))
}

// Duration appends a duration as a string, such as "1.5s".
func (w *MsgpackWriter) Duration(b []byte, d time.Duration) []byte {
	b = append(b, 0xa0)
	start := len(b)
	b = appendDuration(b, d) // never more than 31 bytes
	b[start-1] |= byte(len(b) - start)
	return b
}

// Enum appends the name of a value of e.
func (w *MsgpackWriter) Enum(b []byte, e *Enum, name string) []byte {
	return w.String(b, w.enumName(b, e, name))
}

// Unknown appends the keys and values of the unknown fields of a message with the
// fields f.
func (w *MsgpackWriter) Unknown(b []byte, u Unknown, f *Fields) []byte {
	if len(u) == 0 {
		return b
	}
	return w.unknown(b, u, f)
}

func (w *MsgpackWriter) unknown(b []byte, u Unknown, f *Fields) []byte {
	if w.stopped() || w.clashes(b, u, f) {
		return b
	}
	for i := range u {
		if u[i].Format == Proto {
			continue
		}
		b = w.String(b, u[i].Key)
		switch {
		case w.err != nil:
			return b
		case u[i].Format == Msgpack:
			b = w.raw(b, u[i].Raw)
		default:
			b = u[i].appendMsgpack(w, b)
		}
	}
	return b
}

// raw appends a value that is msgpack already. A program may have set it, so it
// is looked at: a broken one would break the whole message.
func (w *MsgpackWriter) raw(b, value []byte) []byte {
	r := MsgpackReader{Input: rawValue(value)}
	r.skip()
	if err := r.close(); err != nil {
		return w.failf(b, r.fault.Err, "in the raw value of an unknown field, at byte %d", r.fault.Offset)
	}
	return append(b, value...)
}
