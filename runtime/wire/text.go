package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"unicode/utf8"
)

// invalidText returns the index of the first byte that is not UTF-8, or -1.
func invalidText(text []byte) int {
	if isASCII(text) {
		return -1
	}
	return invalidRune(text)
}

// isASCII says whether all of the text is ASCII, as most is. It looks at words, of
// which the last may overlap the one before it.
func isASCII(text []byte) bool {
	var all uint64
	switch n := len(text); {
	case n >= 8:
		for i := 0; i < n-8; i += 8 {
			all |= binary.LittleEndian.Uint64(text[i:])
		}
		all |= binary.LittleEndian.Uint64(text[n-8:])
	case n >= 4:
		all = uint64(binary.LittleEndian.Uint32(text) | binary.LittleEndian.Uint32(text[n-4:]))
	default:
		for _, c := range text {
			all |= uint64(c)
		}
	}
	return all&highBits == 0
}

// invalidRune is invalidText for text that is not ASCII.
func invalidRune(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for from := 0; ; {
		c, n := utf8.DecodeRune(text[from:])
		if c == utf8.RuneError && n <= 1 {
			return from
		}
		from += n
	}
}

// validString says whether s is UTF-8.
func validString(s string) bool {
	if len(s) >= 8 {
		last := len(s) - 8
		for i := 0; i < last; i += 8 {
			if load64(s, i)&highBits != 0 {
				return utf8.ValidString(s)
			}
		}
		return load64(s, last)&highBits == 0 || utf8.ValidString(s)
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return utf8.ValidString(s)
		}
	}
	return true
}

// load64 is eight bytes of s, in a form that the compiler makes one load of.
func load64(s string, i int) uint64 {
	_ = s[i+7]
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// store64 is load64's counterpart.
func store64(b []byte, i int, v uint64) {
	_ = b[i+7]
	b[i], b[i+1], b[i+2], b[i+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
	b[i+4], b[i+5], b[i+6], b[i+7] = byte(v>>32), byte(v>>40), byte(v>>48), byte(v>>56)
}

// store32 is load32's counterpart.
func store32(b []byte, i int, v uint32) {
	_ = b[i+3]
	b[i], b[i+1], b[i+2], b[i+3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

// load32 is four bytes of s, in such a form.
func load32(s string, i int) uint32 {
	_ = s[i+3]
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// clip shortens text that goes into an error. Its length is the sender's choice.
func clip(text []byte) []byte {
	const limit = 64
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return append(text[:end:end], "..."...)
}

// decodeBase64 decodes both alphabets, with all padding or none, and passes over the
// bits behind the last byte, as protobuf does. No bytes are nil.
func decodeBase64(text []byte) ([]byte, error) {
	if len(text) == 0 {
		return nil, nil
	}
	if bytes.ContainsAny(text, "\r\n") { // which the standard library passes over
		return nil, base64.CorruptInputError(bytes.IndexAny(text, "\r\n"))
	}
	encoding := base64.StdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.URLEncoding
	}
	if text[len(text)-1] != '=' {
		encoding = encoding.WithPadding(base64.NoPadding)
	}
	return encoding.AppendDecode(make([]byte, 0, encoding.DecodedLen(len(text))), text)
}

// keyInt and keyUint read the digits of a map's key as they are written: with no
// plus sign and no zeros before them.
func keyInt(text string, size int) (int64, error) {
	v, err := strconv.ParseInt(text, 10, size)
	if err == nil && strconv.FormatInt(v, 10) != text {
		err = strconv.ErrSyntax
	}
	return v, err
}

func keyUint(text string, size int) (uint64, error) {
	v, err := strconv.ParseUint(text, 10, size)
	if err == nil && strconv.FormatUint(v, 10) != text {
		err = strconv.ErrSyntax
	}
	return v, err
}

// Present returns bytes that are not nil, for a field whose nil means absence.
func Present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
