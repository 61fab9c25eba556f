package wire

import (
	"errors"
	"strconv"
	"strings"
)

// decimal appends the number that text, a JSON number, denotes, if msgpack has
// one that is the same.
func (w *MsgpackWriter) decimal(b []byte, text string) []byte {
	digits, power, ok := significant(text)
	if !ok {
		return w.failf(b, ErrValue, "found %.64q, want a number", text)
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return w.Int64(b, i)
	}
	if u, err := strconv.ParseUint(text, 10, 64); err == nil {
		return w.Uint64(b, u)
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		d, p, _ := significant(strconv.FormatFloat(f, 'e', -1, 64))
		if d == digits && p == power {
			return w.Float64(b, f)
		}
	}
	return w.failf(b, ErrRange, "msgpack has no number that is exactly %.64s", text)
}

// significant returns the digits of a JSON number without zeros around them, and
// the power of ten by which 0.digits is to be multiplied. It says false when text
// is no JSON number.
func significant(text string) (digits string, power int, ok bool) {
	mantissa := strings.TrimPrefix(text, "-")
	if i := strings.IndexAny(mantissa, "eE"); i >= 0 {
		if power, ok = exponentOf(mantissa[i+1:]); !ok {
			return "", 0, false
		}
		mantissa = mantissa[:i]
	}
	whole, fraction, point := strings.Cut(mantissa, ".")
	if !allDigits(whole) || len(whole) > 1 && whole[0] == '0' || point && !allDigits(fraction) {
		return "", 0, false
	}
	digits = strings.TrimLeft(whole+fraction, "0")
	power += len(whole) - (len(whole) + len(fraction) - len(digits))
	digits = strings.TrimRight(digits, "0")
	if digits == "" {
		power = 0
	}
	return digits, power, true
}

// exponentOf reads digits with or without a sign. One that is too large to count
// stays so large that no float has it.
func exponentOf(text string) (int, bool) {
	unsigned := strings.TrimPrefix(text, "-")
	if unsigned == text {
		unsigned = strings.TrimPrefix(text, "+")
	}
	if !allDigits(unsigned) {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 32)
	return int(n), err == nil || errors.Is(err, strconv.ErrRange)
}

func allDigits(text string) bool {
	for _, c := range []byte(text) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return text != ""
}
