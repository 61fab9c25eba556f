package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"
)

// number reads a number and returns its text, a part of the input.
func (r *JSONReader) number(want string) ([]byte, bool) {
	r.peek()
	if r.pos >= len(r.data) || r.data[r.pos] != '-' && (r.data[r.pos] < '0' || r.data[r.pos] > '9') {
		r.mismatch(want)
		return nil, false
	}
	n, ok := scanNumber(r.data[r.pos:])
	switch {
	case ok:
	case r.pos+n == len(r.data):
		r.failf(len(r.data), ErrTruncated, "in a number")
		return nil, false
	default:
		r.failf(r.pos, ErrSyntax, "found a number that JSON does not have, %q", clip(r.data[r.pos:r.pos+n+1]))
		return nil, false
	}
	text := r.data[r.pos : r.pos+n]
	r.pos += n
	return text, true
}

// isNumber says whether text is a JSON number.
func isNumber(text []byte) bool {
	n, ok := scanNumber(text)
	return ok && n == len(text)
}

// scanNumber returns the length of the JSON number with which text begins. When
// it begins with none, it says false and where the fault is.
func scanNumber(text []byte) (n int, ok bool) {
	i := 0
	if i < len(text) && text[i] == '-' {
		i++
	}
	whole := countDigits(text[i:])
	switch {
	case whole == 0:
		return i, false
	case whole > 1 && text[i] == '0':
		return i + 1, false
	}
	i += whole
	if i < len(text) && text[i] == '.' {
		i++
		digits := countDigits(text[i:])
		if digits == 0 {
			return i, false
		}
		i += digits
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		digits := countDigits(text[i:])
		if digits == 0 {
			return i, false
		}
		i += digits
	}
	return i, true
}

func countDigits(text []byte) int {
	for i, c := range text {
		if c < '0' || c > '9' {
			return i
		}
	}
	return len(text)
}

// numeral reads a number, or a string that holds one, and says where it began.
func (r *JSONReader) numeral(want string) (text []byte, at int, ok bool) {
	quoted := r.peek() == '"'
	at = r.pos
	if !quoted {
		text, ok = r.number(want)
		return text, at, ok
	}
	if text, ok = r.text(want); !ok {
		return nil, at, false
	}
	if !isNumber(text) {
		r.failf(at, ErrType, "found the string %q, want %s", clip(text), want)
		return nil, at, false
	}
	return text, at, true
}

// int32 reads an integer.
func (r *JSONReader) int32() int32 { return int32(r.signed(32)) }

// int64 reads an integer.
func (r *JSONReader) int64() int64 { return r.signed(64) }

// uint32 reads an integer that is not negative.
func (r *JSONReader) uint32() uint32 { return uint32(r.unsigned(32)) }

// uint64 reads an integer that is not negative.
func (r *JSONReader) uint64() uint64 { return r.unsigned(64) }

func (r *JSONReader) signed(size int) int64 {
	const want = "an integer"
	text, at, ok := r.numeral(want)
	if !ok {
		return 0
	}
	v, err := strconv.ParseInt(string(text), 10, size)
	if err != nil {
		if whole, isWhole := wholeNumber(string(text)); isWhole {
			v, err = strconv.ParseInt(whole, 10, size)
		}
	}
	r.checkInteger(at, text, size, err)
	return v
}

func (r *JSONReader) unsigned(size int) uint64 {
	const want = "an integer that is not negative"
	text, at, ok := r.numeral(want)
	if !ok {
		return 0
	}
	v, err := strconv.ParseUint(string(text), 10, size)
	if err != nil {
		if whole, isWhole := wholeNumber(string(text)); isWhole {
			if strings.HasPrefix(whole, "-") && whole != "-0" {
				r.failf(at, ErrRange, "found %s, want %s", clip(text), want)
				return 0
			}
			v, err = strconv.ParseUint(strings.TrimPrefix(whole, "-"), 10, size)
		}
	}
	r.checkInteger(at, text, size, err)
	return v
}

func (r *JSONReader) checkInteger(at int, text []byte, size int, err error) {
	switch {
	case err == nil:
	case errors.Is(err, strconv.ErrRange):
		r.failf(at, ErrRange, "found %s, want an integer of %d bits", clip(text), size)
	default:
		r.failf(at, ErrType, "found %s, want an integer", clip(text))
	}
}

// wholeNumber returns the digits of a JSON number that is an integer, whatever
// form it has. An integer that is beyond all types keeps some digits only.
func wholeNumber(text string) (string, bool) {
	digits, power, ok := significant(text)
	if !ok || power < len(digits) {
		return "", false
	}
	whole := digits + strings.Repeat("0", min(power-len(digits), 30))
	if whole == "" {
		whole = "0"
	}
	if text[0] == '-' {
		whole = "-" + whole
	}
	return whole, true
}

// float64 reads a number.
func (r *JSONReader) float64() float64 { return r.float(64) }

// float32 reads a number, rounded to 32 bits.
func (r *JSONReader) float32() float32 { return float32(r.float(32)) }

func (r *JSONReader) float(size int) float64 {
	text, at, ok := r.numeral("a number")
	if !ok {
		return 0
	}
	v, err := strconv.ParseFloat(string(text), size)
	if err != nil {
		r.failf(at, ErrRange, "found %s, want a float of %d bits", clip(text), size)
		return 0
	}
	return v
}

// freeNumber returns the Go value that holds exactly the number that text is.
func freeNumber(text []byte) any {
	if !bytes.ContainsAny(text, ".eE") {
		if string(text) == "-0" {
			return math.Copysign(0, -1)
		}
		if len(text) <= len("-9223372036854775808") {
			if v, err := strconv.ParseInt(string(text), 10, 64); err == nil {
				return v
			}
			if v, err := strconv.ParseUint(string(text), 10, 64); err == nil {
				return v
			}
		}
	}
	v, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return json.Number(text)
	}
	const exact = 15 // as many digits of a decimal survive in any float of ordinary size
	if size := math.Abs(v); len(text) <= exact && size > 1e-290 && size < 1e290 {
		return v
	}
	digits, power, _ := significant(string(text))
	if d, p, _ := significant(strconv.FormatFloat(v, 'e', -1, 64)); d != digits || p != power {
		return json.Number(text)
	}
	return v
}
