package wire

import "math"

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

// simpleInteger is simple for an integer.
func simpleInteger(text []byte) (int64, int) {
	d, n := simple(text)
	if d.fraction > 0 {
		return 0, 0
	}
	if d.negative {
		return -int64(d.digits), n
	}
	return int64(d.digits), n
}

// simpleFloat is simple for a float.
func simpleFloat(text []byte) (float64, int) {
	d, n := simple(text)
	if n == 0 {
		return 0, 0
	}
	v := float64(d.digits) / math.Pow10(d.fraction)
	if d.negative {
		v = -v
	}
	return v, n
}
