package wire

import "math/bits"

// String appends a string, which must be valid UTF-8.
func (w *JSONWriter) String(b []byte, s string) []byte {
	n, at := len(s), len(b)
	if n > cap(b)-at-2 {
		return w.longString(b, s)
	}
	// Most strings are copied and looked at in eights at once, the last of which may
	// overlap the one before it.
	b = b[:at+n+2]
	b[at], b[at+n+1] = '"', '"'
	text := b[at+1:][:n]
	var found uint64
	switch {
	case n >= 8:
		last := load64(s, n-8)
		found = marked(last)
		for i := 0; i < n-8; i += 8 {
			eight := load64(s, i)
			found |= marked(eight)
			store64(text, i, eight)
		}
		store64(text, n-8, last)
	case n >= 4:
		first, last := load32(s, 0), load32(s, n-4)
		found = marked(uint64(first) | uint64(last)<<32)
		store32(text, 0, first)
		store32(text, n-4, last)
	case n > 0:
		const spaces = 0x2020202020000000
		first, middle, last := s[0], s[n/2], s[n-1]
		found = marked(uint64(first) | uint64(middle)<<8 | uint64(last)<<16 | spaces)
		text[0], text[n/2], text[n-1] = first, middle, last
	}
	if found&highBits == 0 {
		return b
	}
	if !validString(s) {
		return w.longString(b[:at], s)
	}
	if plain := unescaped(s); plain < n {
		return appendEscaped(b[:at+1+plain], s[plain:])
	}
	return b
}

// longString is String for strings for which the buffer may have no room.
func (w *JSONWriter) longString(b []byte, s string) []byte {
	if !validString(s) {
		return w.failf(b, ErrUTF8, "found the string %.64q", s)
	}
	plain := unescaped(s)
	return appendEscaped(append(append(b, '"'), s[:plain]...), s[plain:])
}

// marked has the high bit of a byte set if one of eight bytes is a control character,
// a quote, a backslash or not ASCII. A quote with its second bit flipped is a space,
// the first character behind those of control, which stay what they are.
func marked(eight uint64) uint64 {
	return eight | ((eight ^ 2*eachByte) - (' '+1)*eachByte) | ((eight ^ '\\'*eachByte) - eachByte)
}

// appendEscaped appends the rest of a string, from the first byte that has to be
// escaped, and the quote that ends it.
func appendEscaped(b []byte, s string) []byte {
	for s != "" {
		b = appendEscape(b, s[0])
		plain := 1 + unescaped(s[1:])
		b = append(b, s[1:plain]...)
		s = s[plain:]
	}
	return append(b, '"')
}

// unescaped returns the index of the first byte of s that has to be escaped, or the
// length of s.
func unescaped(s string) int {
	const low = ^uint64(highBits)
	i := 0
	for ; i+8 <= len(s); i += 8 {
		eight := load64(s, i)
		ascii := eight & low
		// The high bit of each byte says that it is none of those. No sum of low
		// bits carries into the next byte.
		fine := eight | (ascii+0x60*eachByte)&((ascii^'"'*eachByte)+low)&((ascii^'\\'*eachByte)+low)
		if bad := ^fine & highBits; bad != 0 {
			return i + bits.TrailingZeros64(bad)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

func appendEscape(b []byte, c byte) []byte {
	const hexDigits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, '\\', 'b')
	case '\f':
		return append(b, '\\', 'f')
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
}
