package wire

import (
	"encoding/binary"
	"slices"
	"time"
)

// The readers of protobuf's own messages take the value so far, since a message may
// come in parts.

// Time reads a google.protobuf.Timestamp. One that begins does so at 1970.
func (r *ProtoReader) Time(base time.Time) time.Time {
	return r.time(base.Unix(), int64(base.Nanosecond()))
}

// TimeField reads a google.protobuf.Timestamp into the current field of m, in which
// zero stands for an absent one too.
func (r *ProtoReader) TimeField(m *ProtoMessage, base time.Time) time.Time {
	var seconds, nanos int64
	if !base.IsZero() || m.rare != nil && slices.Contains(m.rare.zeroTimes, m.Tag) {
		seconds, nanos = base.Unix(), int64(base.Nanosecond())
	}
	t := r.time(seconds, nanos)
	if t.IsZero() {
		m.sawZeroTime()
	}
	return t
}

func (r *ProtoReader) time(seconds, nanos int64) time.Time {
	at := r.pos
	seconds, nanos = r.secondsAndNanos(seconds, nanos)
	switch {
	case r.failed():
		return time.Time{}
	case nanos < 0 || nanos >= 1e9:
		r.failf(at, ErrValue, "found a Timestamp with %d nanoseconds, want 0 to 999999999", nanos)
		return time.Time{}
	case seconds < firstSecond || seconds > lastSecond:
		r.failf(at, ErrRange, "found a Timestamp %d seconds after 1970, want one in the years 1 to 9999", seconds)
		return time.Time{}
	}
	return time.Unix(seconds, nanos).UTC()
}

// Duration reads a google.protobuf.Duration.
func (r *ProtoReader) Duration(base time.Duration) time.Duration {
	at := r.pos
	seconds, nanos := r.secondsAndNanos(int64(base/time.Second), int64(base%time.Second))
	if r.failed() {
		return 0
	}
	if nanos <= -1e9 || nanos >= 1e9 || seconds < 0 && nanos > 0 || seconds > 0 && nanos < 0 {
		r.failf(at, ErrValue, "found a Duration of %d seconds and %d nanoseconds, want less than a second of nanoseconds, of the same sign", seconds, nanos)
		return 0
	}
	d := time.Duration(seconds)*time.Second + time.Duration(nanos)
	if int64(d/time.Second) != seconds || int64(d%time.Second) != nanos {
		r.failf(at, ErrRange, "found a Duration of %d seconds, want one of at most 292 years", seconds)
		return 0
	}
	return d
}

func (r *ProtoReader) secondsAndNanos(seconds, nanos int64) (s, n int64) {
	if content := r.content(); len(content) > 0 { // most have both in this order, or just one
		s, content = numbered(content, 1<<3+pbVarint, seconds)
		n, content = numbered(content, 2<<3+pbVarint, nanos)
		if len(content) == 0 {
			r.pos += 1 + int(r.data[r.pos])
			return s, int64(int32(n))
		}
	}
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		switch m.Tag {
		case 1<<3 + pbVarint:
			seconds = r.Int64()
		case 2<<3 + pbVarint:
			nanos = int64(r.Int32())
		default:
			r.Skip()
		}
	}
	return seconds, nanos
}

// numbered reads the field with the tag, a varint, if the content begins with it, and
// returns what comes behind it.
func numbered(content []byte, tag byte, absent int64) (value int64, rest []byte) {
	if len(content) == 0 || content[0] != tag {
		return absent, content
	}
	v, n := binary.Uvarint(content[1:])
	if n <= 0 {
		return absent, content
	}
	return int64(v), content[1+n:]
}

// wrapper reads one of protobuf's wrappers, messages whose field 1 is the value.
func wrapper[T any](r *ProtoReader, value T, kind uint32, read func(*ProtoReader) T) T {
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+kind {
			value = read(r)
		} else {
			r.Skip()
		}
	}
	return value
}

// BoolValue reads a google.protobuf.BoolValue.
func (r *ProtoReader) BoolValue(base bool) bool {
	return wrapper(r, base, pbVarint, (*ProtoReader).Bool)
}

// Int32Value reads a google.protobuf.Int32Value.
func (r *ProtoReader) Int32Value(base int32) int32 {
	return wrapper(r, base, pbVarint, (*ProtoReader).Int32)
}

// Int64Value reads a google.protobuf.Int64Value.
func (r *ProtoReader) Int64Value(base int64) int64 {
	return wrapper(r, base, pbVarint, (*ProtoReader).Int64)
}

// Uint32Value reads a google.protobuf.UInt32Value.
func (r *ProtoReader) Uint32Value(base uint32) uint32 {
	return wrapper(r, base, pbVarint, (*ProtoReader).Uint32)
}

// Uint64Value reads a google.protobuf.UInt64Value.
func (r *ProtoReader) Uint64Value(base uint64) uint64 {
	return wrapper(r, base, pbVarint, (*ProtoReader).Uint64)
}

// Float32Value reads a google.protobuf.FloatValue.
func (r *ProtoReader) Float32Value(base float32) float32 {
	return wrapper(r, base, pbFixed32, (*ProtoReader).Float32)
}

// Float64Value reads a google.protobuf.DoubleValue.
func (r *ProtoReader) Float64Value(base float64) float64 {
	return wrapper(r, base, pbFixed64, (*ProtoReader).Float64)
}

// StringValue reads a google.protobuf.StringValue.
func (r *ProtoReader) StringValue(base string) string {
	return wrapper(r, base, pbBytes, (*ProtoReader).String)
}

// BytesValue reads a google.protobuf.BytesValue.
func (r *ProtoReader) BytesValue(base []byte) []byte {
	return wrapper(r, base, pbBytes, (*ProtoReader).Bytes)
}
