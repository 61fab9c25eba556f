package wire

import (
	"encoding/binary"
	"math"
	"strconv"
)

// An mpNumber is a msgpack number of any width.
type mpNumber struct {
	kind mpNumberKind
	bits uint64
}

type mpNumberKind uint8

const (
	mpUnsigned mpNumberKind = iota // bits are the number
	mpNegative                     // bits are its two's complement
	mpReal                         // bits are a float64
)

func (n mpNumber) float() float64 {
	switch n.kind {
	case mpUnsigned:
		return float64(n.bits)
	case mpNegative:
		return float64(int64(n.bits))
	}
	return math.Float64frombits(n.bits)
}

// integer returns the number as an integer, which a float is when it has no
// fraction. It says false for one that has a fraction or needs more than 64 bits.
func (n mpNumber) integer() (mpNumber, bool) {
	if n.kind != mpReal {
		return n, true
	}
	switch f := n.float(); {
	case f != math.Trunc(f):
		return n, false
	case f >= 0 && f < 1<<64:
		return mpNumber{kind: mpUnsigned, bits: uint64(f)}, true
	case f < 0 && f >= -1<<63:
		return mpNumber{kind: mpNegative, bits: uint64(int64(f))}, true
	}
	return n, false
}

// String returns the number's digits, for errors.
func (n mpNumber) String() string {
	switch n.kind {
	case mpUnsigned:
		return strconv.FormatUint(n.bits, 10)
	case mpNegative:
		return strconv.FormatInt(int64(n.bits), 10)
	}
	return strconv.FormatFloat(n.float(), 'g', -1, 64)
}

// number reads a number.
func (r *MsgpackReader) number(want string) (mpNumber, bool) {
	h, ok := r.header(want)
	switch {
	case !ok:
		return mpNumber{}, false
	case h.kind != mpInt && h.kind != mpFloat:
		r.mismatch(want)
		return mpNumber{}, false
	}
	code := r.data[r.pos]
	return mpNumberOf(code, r.take(h)), true
}

// mpNumberOf returns the number with that code and payload.
func mpNumberOf(code byte, payload []byte) mpNumber {
	var bits uint64
	switch len(payload) {
	case 0:
		return signed(int64(int8(code)))
	case 1:
		bits = uint64(payload[0])
	case 2:
		bits = uint64(binary.BigEndian.Uint16(payload))
	case 4:
		bits = uint64(binary.BigEndian.Uint32(payload))
	case 8:
		bits = binary.BigEndian.Uint64(payload)
	}
	switch code {
	case 0xca:
		return mpNumber{kind: mpReal, bits: math.Float64bits(float64(math.Float32frombits(uint32(bits))))}
	case 0xcb:
		return mpNumber{kind: mpReal, bits: bits}
	case 0xd0:
		return signed(int64(int8(bits)))
	case 0xd1:
		return signed(int64(int16(bits)))
	case 0xd2:
		return signed(int64(int32(bits)))
	case 0xd3:
		return signed(int64(bits))
	}
	return mpNumber{bits: bits}
}

func signed(v int64) mpNumber {
	if v < 0 {
		return mpNumber{kind: mpNegative, bits: uint64(v)}
	}
	return mpNumber{bits: uint64(v)}
}

// int32 reads an integer that fits 32 bits.
func (r *MsgpackReader) int32() int32 { return int32(r.signed(math.MinInt32, math.MaxInt32)) }

// int64 reads an integer.
func (r *MsgpackReader) int64() int64 { return r.signed(math.MinInt64, math.MaxInt64) }

// uint32 reads an integer that fits 32 bits and is not negative.
func (r *MsgpackReader) uint32() uint32 { return uint32(r.unsigned(math.MaxUint32)) }

// uint64 reads an integer that is not negative.
func (r *MsgpackReader) uint64() uint64 { return r.unsigned(math.MaxUint64) }

// signed reads an integer from low to high.
func (r *MsgpackReader) signed(low, high int64) int64 {
	at := r.pos
	n, ok := r.integer()
	if !ok {
		return 0
	}
	v := int64(n.bits)
	if (v < 0) != (n.kind == mpNegative) || v < low || v > high {
		r.failf(at, ErrRange, "found %s, want an integer from %d to %d", n, low, high)
		return 0
	}
	return v
}

// unsigned reads an integer from 0 to high.
func (r *MsgpackReader) unsigned(high uint64) uint64 {
	at := r.pos
	n, ok := r.integer()
	if !ok {
		return 0
	}
	if n.kind == mpNegative || n.bits > high {
		r.failf(at, ErrRange, "found %s, want an integer from 0 to %d", n, high)
		return 0
	}
	return n.bits
}

func (r *MsgpackReader) integer() (mpNumber, bool) {
	at := r.pos
	n, ok := r.number("an integer")
	if !ok {
		return n, false
	}
	if i, ok := n.integer(); ok {
		return i, true
	}
	cause := ErrType
	if f := n.float(); f == math.Trunc(f) && !math.IsInf(f, 0) {
		cause = ErrRange
	}
	r.failf(at, cause, "found %s, want an integer of 64 bits", n)
	return n, false
}

// float64 reads a number. An integer above 2^53 is rounded to the nearest float.
func (r *MsgpackReader) float64() float64 {
	n, _ := r.number("a number")
	return n.float()
}

// float32 reads a number and rounds it to the nearest 32-bit float.
func (r *MsgpackReader) float32() float32 {
	at := r.pos
	n, _ := r.number("a number")
	f := n.float()
	v := float32(f)
	if math.IsInf(float64(v), 0) && !math.IsInf(f, 0) {
		r.failf(at, ErrRange, "found %s, want a number that fits a 32-bit float", n)
		return 0
	}
	return v
}
