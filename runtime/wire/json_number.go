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

// A decimal is a short JSON number without an exponent: digits / 10^fraction, negated
// if negative. The digits are below 2^53 where there is a fraction, and so a division
// of floats rounds as it should.
type decimal struct {
	digits   uint64
	fraction int
	negative bool
}

// simple returns the number with which text begins, and its length. That is 0 for
// one that is no decimal, or whose end is not there.
func simple(text []byte) (d decimal, n int) {
	if len(text) > 0 && text[0] == '-' {
		d.negative = true
		n++
	}
	first, point := n, -1
	for ; n < len(text); n++ {
		c := text[n] - '0'
		if c <= 9 {
			d.digits = d.digits*10 + uint64(c)
			continue
		}
		if text[n] != '.' || point >= 0 {
			break
		}
		point = n
	}
	const long = 16 // characters
	whole := n - first
	if point >= 0 {
		d.fraction = n - point - 1
		whole = point - first
	}
	switch {
	case n == len(text) || text[n]|0x20 == 'e' || text[n] == '.' || n-first > long,
		whole == 0 || whole > 1 && text[first] == '0', point >= 0 && d.fraction == 0:
		return d, 0
	}
	return d, n
}

// simpleInteger reads an integer that is simple and has so many bits. It says false, and
// reads nothing, for any other value.
func (r *JSONReader) simpleInteger(size int) (int64, bool) {
	d, n := simple(r.data[r.pos:])
	v := int64(d.digits)
	if d.negative {
		v = -v
	}
	if n == 0 || d.fraction > 0 || size == 32 && v != int64(int32(v)) {
		return 0, false
	}
	r.pos += n
	return v, true
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

// Int32 reads an integer.
func (r *JSONReader) Int32() int32 { return int32(r.signed(32)) }

// Int64 reads an integer.
func (r *JSONReader) Int64() int64 { return r.signed(64) }

// Uint32 reads an integer that is not negative.
func (r *JSONReader) Uint32() uint32 { return uint32(r.unsigned(32)) }

// Uint64 reads an integer that is not negative.
func (r *JSONReader) Uint64() uint64 { return r.unsigned(64) }

func (r *JSONReader) signed(size int) int64 {
	if v, ok := r.simpleInteger(size); ok {
		return v
	}
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
	if d, n := simple(r.data[r.pos:]); n > 0 && d.fraction == 0 && !d.negative && (size == 64 || d.digits <= math.MaxUint32) {
		r.pos += n
		return d.digits
	}
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

// Float64 reads a number.
func (r *JSONReader) Float64() float64 {
	if v, n := simpleFloat(r.data[r.pos:]); n > 0 {
		r.pos += n
		return v
	}
	return r.float(64)
}

// simpleFloat is simple for a float.
func simpleFloat(text []byte) (float64, int) {
	d, n := simple(text)
	if n == 0 {
		return 0, 0
	}
	v := float64(d.digits) / powersOf10[d.fraction]
	if d.negative {
		v = -v
	}
	return v, n
}

var powersOf10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// Float32 reads a number, rounded to 32 bits.
func (r *JSONReader) Float32() float32 { return float32(r.float(32)) }

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
		switch {
		case string(text) == "-0":
			return math.Copysign(0, -1)
		case len(text) > len("-9223372036854775808"):
			return json.Number(text)
		}
		if v, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return v
		}
		if v, err := strconv.ParseUint(string(text), 10, 64); err == nil {
			return v
		}
		return json.Number(text)
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
