package wire

import (
	"math"
	"slices"
	"strconv"
)

// Float32 appends a number, as [JSONWriter.Float64] does.
func (w *JSONWriter) Float32(b []byte, v float32) []byte { return w.float(b, float64(v), 32) }

// Float64 appends a number in the fewest digits that read back the same. It has
// a point or an exponent, so that a reader without the schema takes it for a
// float. NaN and the infinities are refused.
func (w *JSONWriter) Float64(b []byte, v float64) []byte {
	if n, ok := millionths(v); ok {
		return appendMillionths(b, v < 0, n)
	}
	return w.float(b, v, 64)
}

func (w *JSONWriter) float(b []byte, v float64, size int) []byte {
	switch abs := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return w.failf(b, ErrRange, "JSON has no %v", v)
	case abs == 0 || abs >= 1e-4 && abs < 1e16:
		start := len(b)
		b = strconv.AppendFloat(b, v, 'f', -1, size)
		if slices.Contains(b[start:], '.') {
			return b
		}
		return append(b, '.', '0')
	}
	return strconv.AppendFloat(b, v, 'e', -1, size)
}

// millionths returns what v is in units of 0.000001 if v is the float nearest to a
// whole number of them, which most that people measure are. Two decimals of at most
// 15 digits are never nearest to the same float, so that no fewer digits denote v.
func millionths(v float64) (uint64, bool) {
	abs := math.Abs(v)
	if !(abs >= 1e-4 && abs < 1e9) { // NaN is neither
		return 0, false
	}
	n := int64(abs*1e6 + 0.5)
	return uint64(n), float64(n)/1e6 == abs
}

// appendMillionths appends n times 0.000001, with one to six digits behind the point.
func appendMillionths(b []byte, negative bool, n uint64) []byte {
	if negative {
		b = append(b, '-')
	}
	b = appendDigits(b, n/1e6)
	at := len(b)
	b = append(b, ".000000"...)
	text := (*[7]byte)(b[at:])
	rest := uint(n % 1e6)
	putPair(text[1:], rest/10_000)
	end := 3
	if rest %= 10_000; rest != 0 {
		putPair(text[3:], rest/100)
		end = 5
		if rest %= 100; rest != 0 {
			putPair(text[5:], rest)
			end = 7
		}
	}
	if text[end-1] == '0' && end > 2 {
		end--
	}
	return b[:at+end]
}
