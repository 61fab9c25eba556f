package wire

import (
	"encoding/binary"
	"math/bits"
)

// appendInteger appends an integer in decimal digits.
func appendInteger(b []byte, v int64) []byte {
	if v < 0 {
		return appendDigits(append(b, '-'), -uint64(v))
	}
	return appendDigits(b, uint64(v))
}

// appendDigits appends an integer in decimal digits.
func appendDigits(b []byte, v uint64) []byte {
	switch {
	case v < 10:
		return append(b, '0'+byte(v))
	case v < 100:
		return append(b, twoDigits[2*v], twoDigits[2*v+1])
	case v < 1e8:
		n := bits.Len64(v) * 1233 >> 12 // how many digits there are, or one less
		if v >= powersOfTen[n] {
			n++
		}
		at := len(b)
		return binary.LittleEndian.AppendUint64(b, (eightDigits(uint32(v))+'0'*eachByte)>>(64-8*n))[:at+n]
	}
	b = appendDigits(b, v/1e8)
	return binary.LittleEndian.AppendUint64(b, eightDigits(uint32(v%1e8))+'0'*eachByte)
}

var powersOfTen = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// eightDigits returns the digits of a number below 1e8, each in a byte and the first
// in the lowest. It splits the number in halves, all of its parts at once; the
// fractions by which it divides are exact for numbers as small as these.
func eightDigits(v uint32) uint64 {
	parts := uint64(v/10_000) | uint64(v%10_000)<<32
	high := parts * 10_486 >> 20 & 0x7f_0000_007f // hundreds
	parts = high | (parts-high*100)<<16
	high = parts * 103 >> 10 & 0x0f_000f_000f_000f // tens
	return high | (parts-high*10)<<8
}
