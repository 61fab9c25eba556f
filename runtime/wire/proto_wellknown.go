package wire

import (
	"math"
	"time"
)

// The readers of protobuf's own messages take the value so far, since a message may
// come in parts.

// Time reads a google.protobuf.Timestamp.
func (r *ProtoReader) Time(base time.Time) time.Time {
	var seconds, nanos int64
	if !base.IsZero() {
		seconds, nanos = base.Unix(), int64(base.Nanosecond())
	}
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

// BoolValue reads a google.protobuf.BoolValue.
func (r *ProtoReader) BoolValue(base bool) bool {
	var v uint64
	if base {
		v = 1
	}
	return r.varintValue(v) != 0
}

// Int32Value reads a google.protobuf.Int32Value.
func (r *ProtoReader) Int32Value(base int32) int32 { return int32(r.varintValue(uint64(base))) }

// Int64Value reads a google.protobuf.Int64Value.
func (r *ProtoReader) Int64Value(base int64) int64 { return int64(r.varintValue(uint64(base))) }

// Uint32Value reads a google.protobuf.UInt32Value.
func (r *ProtoReader) Uint32Value(base uint32) uint32 { return uint32(r.varintValue(uint64(base))) }

// Uint64Value reads a google.protobuf.UInt64Value.
func (r *ProtoReader) Uint64Value(base uint64) uint64 { return r.varintValue(base) }

func (r *ProtoReader) varintValue(v uint64) uint64 {
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+pbVarint {
			v = r.varint()
		} else {
			r.Skip()
		}
	}
	return v
}

// Float32Value reads a google.protobuf.FloatValue.
func (r *ProtoReader) Float32Value(base float32) float32 {
	bits := math.Float32bits(base)
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+pbFixed32 {
			bits = r.Fixed32()
		} else {
			r.Skip()
		}
	}
	return math.Float32frombits(bits)
}

// Float64Value reads a google.protobuf.DoubleValue.
func (r *ProtoReader) Float64Value(base float64) float64 {
	bits := math.Float64bits(base)
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+pbFixed64 {
			bits = r.Fixed64()
		} else {
			r.Skip()
		}
	}
	return math.Float64frombits(bits)
}

// StringValue reads a google.protobuf.StringValue.
func (r *ProtoReader) StringValue(base string) string {
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+pbBytes {
			base = r.String()
		} else {
			r.Skip()
		}
	}
	return base
}

// BytesValue reads a google.protobuf.BytesValue.
func (r *ProtoReader) BytesValue(base []byte) []byte {
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		if m.Tag == 1<<3+pbBytes {
			base = r.Bytes()
		} else {
			r.Skip()
		}
	}
	return base
}
