package wire

import (
	"encoding/binary"
	"slices"
)

// appendInteger appends an integer in decimal digits.
func appendInteger(b []byte, v int64) []byte {
	if v < 0 {
		return appendDigits(append(b, '-'), -uint64(v))
	}
	return appendDigits(b, uint64(v))
}

// appendDigits appends an integer in decimal digits. It branches on how many they
// are, which the processor can guess, and goes on before it has them.
func appendDigits(b []byte, v uint64) []byte {
	if v < 10 {
		return append(b, '0'+byte(v))
	}
	at := len(b)
	b = slices.Grow(b, 20)
	text := (*[20]byte)(b[at : at+20])
	if v >= 1e8 {
		b = appendDigits(b, v/1e8)
		return binary.LittleEndian.AppendUint64(b, eightDigits(uint32(v%1e8))+'0'*eachByte)
	}
	n := uint(v)
	switch {
	case n < 100:
		putPair(text[:], n)
		return b[:at+2]
	case n < 1000:
		text[0] = '0' + byte(n/100)
		putPair(text[1:], n%100)
		return b[:at+3]
	case n < 10_000:
		putPair(text[0:], n/100)
		putPair(text[2:], n%100)
		return b[:at+4]
	case n < 100_000:
		text[0] = '0' + byte(n/10_000)
		putPair(text[1:], n/100%100)
		putPair(text[3:], n%100)
		return b[:at+5]
	case n < 1_000_000:
		putPair(text[0:], n/10_000)
		putPair(text[2:], n/100%100)
		putPair(text[4:], n%100)
		return b[:at+6]
	case n < 10_000_000:
		text[0] = '0' + byte(n/1_000_000)
		putPair(text[1:], n/10_000%100)
		putPair(text[3:], n/100%100)
		putPair(text[5:], n%100)
		return b[:at+7]
	}
	putPair(text[0:], n/1_000_000)
	putPair(text[2:], n/10_000%100)
	putPair(text[4:], n/100%100)
	putPair(text[6:], n%100)
	return b[:at+8]
}

// putPair puts n, which is below 100, into text in two digits.
func putPair(text []byte, n uint) {
	binary.LittleEndian.PutUint16(text, uint16(twoDigits[2*n])|uint16(twoDigits[2*n+1])<<8)
}

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
