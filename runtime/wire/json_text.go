package wire

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	eachByte = 0x0101010101010101
	highBits = 0x8080808080808080
)

// specials marks those of eight bytes that are a quote, a backslash, a control
// character or not ASCII. The lowest mark is sure; one above it need not be right.
func specials(word uint64) uint64 {
	quote, slash := word^'"'*eachByte, word^'\\'*eachByte
	return (word | (word - ' '*eachByte) | (quote - eachByte) | (slash - eachByte)) & highBits
}

// ends marks those of eight bytes that are a quote, a backslash or a control
// character. The lowest mark is sure; one above it need not be right.
func ends(word uint64) uint64 {
	quote, slash := word^'"'*eachByte, word^'\\'*eachByte
	return ((word-' '*eachByte)&^word | (quote-eachByte)&^quote | (slash-eachByte)&^slash) & highBits
}

// Escapes says whether JSON has an escape for a character of the text.
func Escapes(text string) bool {
	end, _ := plain([]byte(text), 0)
	return end < len(text)
}

// text reads a string. The result is a part of the input, unless it had escapes.
func (r *JSONReader) text(want string) ([]byte, bool) { return r.textIn(nil, want) }

// textIn is text that appends a string with escapes to buffer.
func (r *JSONReader) textIn(buffer []byte, want string) ([]byte, bool) {
	if r.peek() != '"' {
		r.mismatch(want)
		return nil, false
	}
	start := r.pos + 1
	end, ascii := plain(r.data, start)
	switch {
	case end >= len(r.data):
		r.failf(len(r.data), ErrTruncated, "in a string")
		return nil, false
	case r.data[end] == '"':
		text := r.data[start:end]
		if !ascii && !r.valid(text, start) {
			return nil, false
		}
		r.pos = end + 1
		return text, true
	case r.data[end] == '\\':
		return r.escaped(buffer, start, end)
	}
	r.failf(end, ErrSyntax, "found the control character 0x%02x in a string", r.data[end])
	return nil, false
}

// plain returns the index of the first quote, backslash or control character from
// start on, or the length of data, and whether all before it is ASCII.
func plain(data []byte, start int) (end int, ascii bool) {
	i := start
	for ; i+8 <= len(data); i += 8 {
		if marks := specials(binary.LittleEndian.Uint64(data[i:])); marks != 0 {
			if i += bits.TrailingZeros64(marks) / 8; data[i] < utf8.RuneSelf {
				return i, true
			}
			break
		}
	}
	ascii = true
	for ; i < len(data); i++ {
		c := data[i]
		if c == '"' || c == '\\' || c < ' ' {
			break
		}
		if c >= utf8.RuneSelf {
			ascii = false
		}
	}
	return i, ascii
}

// valid fails when text, which begins at the offset, is not UTF-8.
func (r *JSONReader) valid(text []byte, at int) bool {
	if bad := invalidText(text); bad >= 0 {
		r.failf(at+bad, ErrUTF8, "byte 0x%02x in a string", text[bad])
		return false
	}
	return true
}

// escaped is textIn for a string that has its first backslash at the given index.
func (r *JSONReader) escaped(buffer []byte, start, slash int) ([]byte, bool) {
	if !r.valid(r.data[start:slash], start) {
		return nil, false
	}
	text := append(slices.Grow(buffer, slash-start+32), r.data[start:slash]...)
	for i := slash; ; {
		if i >= len(r.data) {
			r.failf(len(r.data), ErrTruncated, "in a string")
			return nil, false
		}
		switch r.data[i] {
		case '"':
			r.pos = i + 1
			return text, true
		case '\\':
			c, n := r.escape(i)
			if n == 0 {
				return nil, false
			}
			text = utf8.AppendRune(text, c)
			i += n
		default:
			end, ascii := plain(r.data, i)
			switch {
			case end == len(r.data):
				i = end // what was cut off may be the rest of a character
				continue
			case r.data[end] < ' ':
				r.failf(end, ErrSyntax, "found the control character 0x%02x in a string", r.data[end])
				return nil, false
			case !ascii && !r.valid(r.data[i:end], i):
				return nil, false
			}
			text = append(text, r.data[i:end]...)
			i = end
		}
	}
}

// escape reads the escape at index i and returns its character and its length,
// which is 0 after a failure.
func (r *JSONReader) escape(i int) (rune, int) {
	if i+1 >= len(r.data) {
		r.failf(len(r.data), ErrTruncated, "in a string")
		return 0, 0
	}
	switch c := r.data[i+1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return r.unicodeEscape(i)
	default:
		r.failf(i, ErrSyntax, "found the escape %q", clip(r.data[i:i+2]))
		return 0, 0
	}
}

func (r *JSONReader) unicodeEscape(i int) (rune, int) {
	high, n := hex4(r.data[i:])
	if n == 6 && !utf16.IsSurrogate(high) {
		return high, n
	}
	var low rune
	if n == 6 {
		var more int
		low, more = hex4(r.data[i+n:])
		n += more
	}
	c := utf16.DecodeRune(high, low)
	switch {
	case n == 12 && c != utf8.RuneError:
		return c, n
	case i+n == len(r.data):
		r.failf(len(r.data), ErrTruncated, "in a string")
	case n < 6:
		r.failf(i, ErrSyntax, "want four hexadecimal digits behind \\u")
	default:
		r.failf(i, ErrUTF8, "found the half of a surrogate pair, \\u%04x", high)
	}
	return 0, 0
}

// hex4 reads \uXXXX and returns how much of it is there: 6 if all is.
func hex4(text []byte) (c rune, n int) {
	for n = range 6 {
		if n >= len(text) {
			return c, n
		}
		digit := text[n]
		switch {
		case n < 2:
			if digit != `\u`[n] {
				return c, n
			}
			continue
		case digit >= '0' && digit <= '9':
			digit -= '0'
		case digit >= 'a' && digit <= 'f':
			digit -= 'a' - 10
		case digit >= 'A' && digit <= 'F':
			digit -= 'A' - 10
		default:
			return c, n
		}
		c = c<<4 | rune(digit)
	}
	return c, 6
}

// string reads a string.
func (r *JSONReader) string() string {
	if r.alias {
		text, _ := r.text("a string")
		return aliasOf(text)
	}
	var buffer [128]byte // for one with escapes, which is copied out of it
	text, _ := r.textIn(buffer[:0], "a string")
	return r.copied(text, (len(r.data)-r.pos)/2)
}

// bool reads a boolean.
func (r *JSONReader) bool() bool {
	switch r.peek() {
	case 't':
		return r.word("true")
	case 'f':
		r.word("false")
	default:
		r.mismatch("a boolean")
	}
	return false
}

// bytes reads a string that holds bytes in base64. No bytes are nil.
func (r *JSONReader) bytes() []byte {
	const want = "bytes in base64"
	r.peek()
	at := r.pos
	text, ok := r.text(want)
	if !ok {
		return nil
	}
	b, err := decodeBase64(text)
	if err != nil {
		r.failf(at, ErrValue, "found a string that is no base64, want %s", want)
		return nil
	}
	return b
}

// time reads a time in RFC 3339 and returns it in UTC.
func (r *JSONReader) time() time.Time {
	r.peek()
	at := r.pos
	text, ok := r.text(wantTime)
	if !ok {
		return time.Time{}
	}
	t, err := parseTime(text)
	if err != nil {
		r.fail(at, err)
	}
	return t
}

// duration reads a duration, such as "1.5s".
func (r *JSONReader) duration() time.Duration {
	r.peek()
	at := r.pos
	text, ok := r.text(`a duration such as "1.5s"`)
	if !ok {
		return 0
	}
	d, err := parseDuration(text)
	if err != nil {
		r.fail(at, err)
	}
	return d
}

// enum reads the name of a value of e, or its number.
func (r *JSONReader) enum(e *Enum) string {
	if c := r.peek(); c == '-' || c >= '0' && c <= '9' {
		n := r.int32()
		if r.failed() {
			return ""
		}
		return e.ByNumber(n)
	}
	const want = "the name of an enum's value, or its number"
	at := r.pos
	text, ok := r.text(want)
	if !ok {
		return ""
	}
	if len(text) == 0 {
		r.failf(at, ErrValue, "found an empty string, want %s", want)
		return ""
	}
	return e.ByName(text)
}
