package wire

import (
	"strconv"
	"strings"
)

// A JSONReader reads a message from JSON. After the first failure it yields zero
// values only; Close reports the failure.
type JSONReader struct {
	Input
}

// NewJSONReader returns a reader of data, which must not change until Close. What
// the reader yields does not share its memory, unless AliasInput is called.
func NewJSONReader(data []byte) JSONReader { return JSONReader{Input{data: data}} }

// Close ends the reading, which left b of the input, and returns the first failure as
// an [*Error]. Anything but white space in b is one.
func (r *JSONReader) Close(b []byte) error {
	r.at(b)
	return r.close()
}

// close is Close where the position is set.
func (r *JSONReader) close() error {
	if !r.failed() {
		if r.peek(); r.pos < len(r.data) {
			r.failf(r.pos, ErrTrailing, "%d more", len(r.data)-r.pos)
		}
	}
	return r.report()
}

// peek passes over white space and returns the byte that comes next, or 0 at the
// end.
func (r *JSONReader) peek() byte {
	for r.pos < len(r.data) {
		switch c := r.data[r.pos]; c {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return c
		}
	}
	return 0
}

// mismatch fails because the value that comes next is not what is wanted.
func (r *JSONReader) mismatch(want string) {
	var found string
	switch c := r.peek(); {
	case c == '{':
		found = "an object"
	case c == '[':
		found = "a list"
	case c == '"':
		found = "a string"
	case c == 't' || c == 'f':
		found = "a boolean"
	case c == 'n':
		found = "null"
	case c == '-' || c >= '0' && c <= '9':
		found = "a number"
	default:
		r.unexpected(want)
		return
	}
	r.failf(r.pos, ErrType, "found %s, want %s", found, want)
}

// unexpected fails because what comes next, if anything does, has no place there.
func (r *JSONReader) unexpected(want string) {
	if r.pos >= len(r.data) {
		r.failf(r.pos, ErrTruncated, "want %s", want)
		return
	}
	r.failf(r.pos, ErrSyntax, "found %q, want %s", r.data[r.pos:r.pos+1], want)
}

// open enters the object or the list that comes next.
func (r *JSONReader) open(bracket byte, want string) {
	switch {
	case r.failed():
	case r.peek() != bracket:
		r.mismatch(want)
	case r.tooDeep():
	default:
		r.depth++
		r.pos++
	}
}

// another moves to the next element of the object or the list that is open, past
// the comma before it. It says false, past the closing bracket, when there is
// none.
func (r *JSONReader) another(first bool, bracket byte) bool {
	c := r.peek()
	switch {
	case c == bracket && r.pos < len(r.data):
		r.pos++
		r.depth--
		return false
	case first:
		return true
	case c == ',':
		r.pos++
		if r.peek() == bracket {
			r.failf(r.pos, ErrSyntax, "found %q behind a comma", string(bracket))
			return false
		}
		return true
	}
	r.unexpected(strconv.Quote(string(bracket)) + " or a comma")
	return false
}

// key reads a key and the colon behind it. The key may be a part of the input.
func (r *JSONReader) key() ([]byte, bool) {
	if r.peek() != '"' {
		r.unexpected("a key")
		return nil, false
	}
	key, ok := r.text("a key")
	if !ok {
		return nil, false
	}
	if r.peek() != ':' {
		r.unexpected("a colon")
		return nil, false
	}
	r.pos++
	r.peek()
	return key, true
}

// nextField moves to the next field and sets o.field. The field's value must be read,
// kept or skipped before the next call. It is false at the message's end and after a
// failure. It passes over null, which stands for an absent field.
func (r *JSONReader) nextField(o *place) bool {
	if r.failed() {
		r.within(o.step())
		return false
	}
	for r.another(o.left > 0, '}') {
		o.left = 0
		if !r.expected(o) {
			r.peek()
			at := r.pos
			key, ok := r.key()
			if !ok {
				return false
			}
			if !o.enter(key) {
				r.twice(o, at, key)
				return false
			}
			if o.field < 0 {
				return true
			}
		}
		if !r.isNull() || !o.nullIsAbsent() {
			return true
		}
		r.pos += len("null")
	}
	if !r.failed() {
		r.end(o)
	}
	return false
}

// expected passes over the key of one of the two fields behind the last one, if
// it comes next and is written as writers mostly do.
func (r *JSONReader) expected(o *place) bool {
	rest, names := r.data[r.pos:], o.fields.Names
	for next := o.field + 1; next < min(len(names), o.field+3); next++ {
		name := names[next]
		n := len(name)
		if n+3 > len(rest) || rest[n+1] != '"' || rest[n+2] != ':' || rest[0] != '"' || string(rest[1:n+1]) != name {
			continue
		}
		if o.fields.Escaped || !o.see(next) {
			return false
		}
		r.pos += n + 3
		o.field = next
		return true
	}
	return false
}

// keep reads the value of an unknown field and adds it to u.
func (r *JSONReader) keep(o *place, u *Unknown) {
	start := r.pos
	if r.skip(); r.failed() {
		return
	}
	raw := append([]byte(nil), r.data[start:r.pos]...)
	*u = append(*u, UnknownField{Key: string(o.rare.key), Format: JSON, Raw: raw})
}

// isNull says whether the next value is null. It does not read it.
func (r *JSONReader) isNull() bool {
	return r.peek() == 'n' && len(r.data)-r.pos >= 4 && string(r.data[r.pos:r.pos+4]) == "null"
}

// skip passes over one value of any kind, which must be JSON.
func (r *JSONReader) skip() {
	switch c := r.peek(); {
	case c == '{':
		r.open('{', "a value")
		var keys keySet
		for first := true; r.another(first, '}'); first = false {
			r.peek()
			at := r.pos
			key, ok := r.key()
			switch {
			case !ok:
				return
			case !keys.add(key):
				r.failf(at, ErrDuplicate, "%q", clip(key))
				return
			}
			r.skip()
		}
	case c == '[':
		r.open('[', "a value")
		for first := true; r.another(first, ']'); first = false {
			r.skip()
		}
	case c == '"':
		r.text("a value")
	case c == 't' || c == 'f':
		r.bool()
	case c == 'n':
		r.word("null")
	default:
		r.number("a value")
	}
}

// word reads the word, with whose first letter the next value begins.
func (r *JSONReader) word(word string) bool {
	found := r.data[r.pos:min(r.pos+len(word), len(r.data))]
	switch {
	case string(found) == word:
		r.pos += len(word)
		return true
	case strings.HasPrefix(word, string(found)):
		r.failf(len(r.data), ErrTruncated, "in the word %s", word)
	default:
		r.failf(r.pos, ErrSyntax, "found %q, want %s", found, word)
	}
	return false
}
