package wire

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"unicode/utf8"
)

// invalidText returns the index of the first byte that is not UTF-8, or -1.
// Most text is short and ASCII, which is looked at in eights.
func invalidText(text []byte) int {
	i := 0
	for ; i+8 <= len(text); i += 8 {
		if binary.LittleEndian.Uint64(text[i:])&0x8080808080808080 != 0 {
			break
		}
	}
	for ; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return invalidRune(text, i)
		}
	}
	return -1
}

// invalidRune is invalidText for text that is ASCII up to from.
func invalidRune(text []byte, from int) int {
	if utf8.Valid(text[from:]) {
		return -1
	}
	for {
		c, n := utf8.DecodeRune(text[from:])
		if c == utf8.RuneError && n <= 1 {
			return from
		}
		from += n
	}
}

// validString says whether s is UTF-8.
func validString(s string) bool {
	for ; len(s) >= 8; s = s[8:] {
		if (s[0]|s[1]|s[2]|s[3]|s[4]|s[5]|s[6]|s[7])&0x80 != 0 {
			return utf8.ValidString(s)
		}
	}
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return utf8.ValidString(s)
		}
	}
	return true
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

// decodeBase64 decodes both alphabets, padded or not. No bytes are nil.
func decodeBase64(text []byte) ([]byte, error) {
	if len(text) == 0 {
		return nil, nil
	}
	text = bytes.TrimRight(text, "=")
	encoding := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		encoding = base64.RawURLEncoding
	}
	return encoding.AppendDecode(make([]byte, 0, encoding.DecodedLen(len(text))), text)
}

// Present returns bytes that are not nil, for a field whose nil means absence.
func Present(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
