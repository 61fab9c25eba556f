package wire

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"time"
)

// parseDuration reads seconds with up to nine digits behind the point and the
// letter s, such as "-1.5s", the form of protobuf's JSON mapping.
func parseDuration(text []byte) (time.Duration, error) {
	bad := func() (time.Duration, error) {
		return 0, fmt.Errorf(`%w: found the duration %q, want seconds such as "1.5s"`, ErrValue, clip(text))
	}
	digits, negative := text, false
	if len(digits) > 0 && digits[0] == '-' {
		digits, negative = digits[1:], true
	}
	if len(digits) < 2 || digits[len(digits)-1] != 's' {
		return bad()
	}
	digits = digits[:len(digits)-1]
	var seconds, nanos uint64
	i := 0
	for ; i < len(digits) && digits[i] != '.'; i++ {
		if digits[i] < '0' || digits[i] > '9' {
			return bad()
		}
		if seconds < math.MaxInt64/10-1 {
			seconds = seconds*10 + uint64(digits[i]-'0')
		} else {
			seconds = math.MaxInt64
		}
	}
	if i == 0 {
		return bad()
	}
	if i < len(digits) {
		fraction := digits[i+1:]
		if len(fraction) == 0 || len(fraction) > 9 {
			return bad()
		}
		scale := uint64(100_000_000)
		for _, c := range fraction {
			if c < '0' || c > '9' {
				return bad()
			}
			nanos += uint64(c-'0') * scale
			scale /= 10
		}
	}
	high, low := bits.Mul64(seconds, 1e9)
	total, carry := bits.Add64(low, nanos, 0)
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	if high+carry != 0 || total > limit {
		return 0, fmt.Errorf("%w: found the duration %q, want one of at most 292 years", ErrRange, clip(text))
	}
	if negative {
		return time.Duration(-total), nil
	}
	return time.Duration(total), nil
}

// appendDuration appends d as seconds: "3s", or with three, six or nine digits
// behind the point.
func appendDuration(b []byte, d time.Duration) []byte {
	u := uint64(d)
	if d < 0 {
		b, u = append(b, '-'), -u
	}
	b = strconv.AppendUint(b, u/1e9, 10)
	if nanos := u % 1e9; nanos != 0 {
		width := 9
		for width > 3 && nanos%1000 == 0 {
			nanos /= 1000
			width -= 3
		}
		b = append(b, '.')
		start := len(b)
		b = append(b, "000000000"[:width]...)
		for i := len(b) - 1; i >= start; i-- {
			b[i] = byte('0' + nanos%10)
			nanos /= 10
		}
	}
	return append(b, 's')
}
