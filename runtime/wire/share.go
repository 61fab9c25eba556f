package wire

import "slices"

// Short strings, lists of them and pointers to them are cut from pieces of memory of
// at most so many bytes, and so many strings.
const (
	shareText    = 512
	shareStrings = 32
)

// isShort says whether a string of that many bytes shares memory with others.
func isShort(n int) bool { return n <= shareText/4 }

// asString returns the text, a part of the input, as a string.
func (in *Input) asString(text []byte) string {
	if in.alias {
		return aliasOf(text)
	}
	return in.copied(text, (len(in.data)-in.pos)/2)
}

// copied returns a copy of the text, in memory that has room for more bytes of others.
func (in *Input) copied(text []byte, more int) string {
	if len(text) <= 1 { // one byte costs nothing
		return string(text)
	}
	return aliasOf(in.copiedText(text, more))
}

// copiedText is copied that returns bytes, which must not change.
func (in *Input) copiedText(text []byte, more int) []byte {
	start := len(in.texts)
	if len(text) > cap(in.texts)-start {
		if !isShort(len(text)) {
			return append([]byte(nil), text...)
		}
		start = 0
		in.texts = make([]byte, 0, max(len(text), min(len(text)+more, shareText)))
	}
	in.texts = append(in.texts, text...)
	return in.texts[start:]
}

// pointer returns a pointer to s.
func (in *Input) pointer(s string) *string {
	if !isShort(len(s)) {
		return new(s)
	}
	list := in.asList(append(in.roomForStrings(1), s))
	return &list[0]
}

// roomForStrings returns an empty list with room for at least n short strings. Those
// that are put there become a list by asList.
func (in *Input) roomForStrings(n int) []string {
	at := len(in.strings)
	if n > cap(in.strings)-at {
		at = 0
		in.strings = make([]string, 0, max(n, min(4*cap(in.strings), shareStrings)))
	}
	return in.strings[at:at:cap(in.strings)]
}

// asList makes a list of what stands in the room for strings.
func (in *Input) asList(list []string) []string {
	in.strings = in.strings[:len(in.strings)+len(list)]
	return slices.Clip(list)
}
