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
	if digits, ok := tenThousandths(v); ok && !w.stopped() {
		return appendTenThousandths(b, v < 0, digits)
	}
	return w.float(b, v, 64)
}

func (w *JSONWriter) float(b []byte, v float64, size int) []byte {
	switch abs := math.Abs(v); {
	case w.stopped():
		return b
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
	n := uint64(abs*1e4 + 0.5)
	return n, float64(n)/1e4 == abs
}

// appendTenThousandths appends n times 0.0001, with one to four digits behind the
// point.
func appendTenThousandths(b []byte, negative bool, n uint64) []byte {
	if negative {
		b = append(b, '-')
	}
	b = append(strconv.AppendUint(b, n/10_000, 10), '.')
	part := int(n % 10_000)
	b = append(b, digits2(part/100)...)
	b = append(b, digits2(part%100)...)
	for end := len(b) - 3; len(b) > end && b[len(b)-1] == '0'; {
		b = b[:len(b)-1]
	}
	return b
}
