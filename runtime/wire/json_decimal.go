package wire

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
	first := n
	for ; n < len(text) && text[n]-'0' <= 9; n++ {
		d.digits = d.digits*10 + uint64(text[n]-'0')
	}
	if whole := n - first; whole == 0 || whole > 1 && text[first] == '0' {
		return decimal{}, 0
	}
	if n < len(text) && text[n] == '.' {
		n++
		point := n
		for ; n < len(text) && text[n]-'0' <= 9; n++ {
			d.digits = d.digits*10 + uint64(text[n]-'0')
		}
		if d.fraction = n - point; d.fraction == 0 {
			return decimal{}, 0
		}
	}
	const long = 16 // characters
	if n == len(text) || text[n]|0x20 == 'e' || text[n] == '.' || n-first > long {
		return decimal{}, 0
	}
	return d, n
}

// integer is the integer that d is when it has no fraction.
func (d decimal) integer() int64 {
	if d.negative {
		return -int64(d.digits)
	}
	return int64(d.digits)
}

// float is the float nearest to d.
func (d decimal) float() float64 {
	v := float64(d.digits) / powers[d.fraction]
	if d.negative {
		return -v
	}
	return v
}

// powers are those of ten by which a decimal may be divided.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// simpleInteger is simple for an integer.
func simpleInteger(text []byte) (int64, int) {
	d, n := simple(text)
	if d.fraction > 0 {
		return 0, 0
	}
	return d.integer(), n
}

// simpleFloat is simple for a float.
func simpleFloat(text []byte) (float64, int) {
	d, n := simple(text)
	return d.float(), n
}
