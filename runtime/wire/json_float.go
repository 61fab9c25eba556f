package wire

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
)

// Float32 appends a number, as [JSONWriter.Float64] does.
func (w *JSONWriter) Float32(b []byte, v float32) []byte { return w.float(b, float64(v), 32) }

// Float64 appends a number in the fewest digits that read back the same. It has
// a point or an exponent, so that a reader without the schema takes it for a
// float. NaN and the infinities are refused.
func (w *JSONWriter) Float64(b []byte, v float64) []byte {
	if digits, ok := tenThousandths(v); ok {
		return appendTenThousandths(b, v < 0, digits)
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

// tenThousandths returns what v is in units of 0.0001 if v is the float nearest to
// a whole number of them, which most that people measure are. Two decimals of at
// most 15 digits are never nearest to the same float, so that no fewer digits
// denote v.
func tenThousandths(v float64) (uint64, bool) {
	abs := math.Abs(v)
	if !(abs >= 1e-4 && abs < 1e11) { // NaN is neither
		return 0, false
	}
	n := int64(abs*1e4 + 0.5)
	return uint64(n), float64(n)/1e4 == abs
}

// appendTenThousandths appends n times 0.0001, with one to four digits behind the
// point.
func appendTenThousandths(b []byte, negative bool, n uint64) []byte {
	if negative {
		b = append(b, '-')
	}
	b = appendDigits(b, n/10_000)
	part := uint32(n % 10_000)
	high, low := part/100, part%100
	b = append(b, '.', twoDigits[2*high], twoDigits[2*high+1], twoDigits[2*low], twoDigits[2*low+1])
	switch {
	case low%10 != 0:
		return b
	case low != 0:
		return b[:len(b)-1]
	case high%10 != 0:
		return b[:len(b)-2]
	}
	return b[:len(b)-3]
}

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
	}
	n := digitsOf(v)
	b = slices.Grow(b, n)
	b = b[:len(b)+n]
	i := len(b)
	for v >= 100 {
		i -= 2
		copy(b[i:], digits2(int(v%100)))
		v /= 100
	}
	if v >= 10 {
		copy(b[i-2:], digits2(int(v)))
	} else {
		b[i-1] = '0' + byte(v)
	}
	return b
}

// digitsOf returns how many digits an integer above zero has.
func digitsOf(v uint64) int {
	n := bits.Len64(v) * 1233 >> 12 // this many or one more
	if v >= powersOfTen[n] {
		n++
	}
	return n
}

var powersOfTen = [...]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19}
