package wire

import "strings"

// A JSONReader reads a message from JSON. After the first failure it yields zero
// values only; Close reports the failure.
type JSONReader struct {
	failure

	data  []byte
	pos   int
	depth int
	// spent is what the messages so far take in memory.
	spent int
}

// NewJSONReader returns a reader of data, which must not change until Close. What
// the reader yields does not share its memory.
func NewJSONReader(data []byte) JSONReader { return JSONReader{data: data} }

// Close ends the reading and returns the first failure as an [*Error]. Anything
// but white space behind the message is one.
func (r *JSONReader) Close() error {
	if !r.failed() {
		if r.peek(); r.pos < len(r.data) {
			r.failf(r.pos, ErrTrailing, "%d more", len(r.data)-r.pos)
		}
	}
	return r.report()
}

// failf records the first failure and hides the rest of the input, so that
// whatever is called afterwards finds nothing to read.
func (r *JSONReader) failf(offset int, cause error, format string, args ...any) {
	r.failure.failf(offset, cause, format, args...)
	r.data, r.pos = nil, 0
}

// fail is failf for an error that says all.
func (r *JSONReader) fail(offset int, err error) {
	r.failure.fail(offset, err)
	r.data, r.pos = nil, 0
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
	case r.pos >= len(r.data):
		r.failf(r.pos, ErrTruncated, "want %s", want)
		return
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
		r.failf(r.pos, ErrSyntax, "found %q, want %s", r.data[r.pos:r.pos+1], want)
		return
	}
	r.failf(r.pos, ErrType, "found %s, want %s", found, want)
}

// open enters the object or the list that comes next.
func (r *JSONReader) open(bracket byte, want string) {
	switch {
	case r.failed():
	case r.peek() != bracket:
		r.mismatch(want)
	case r.depth >= MaxDepth:
		r.failf(r.pos, ErrDepth, "more than %d levels", MaxDepth)
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
	case r.pos >= len(r.data):
		r.failf(r.pos, ErrTruncated, "want %q or a comma", string(bracket))
	default:
		r.failf(r.pos, ErrSyntax, "found %q, want %q or a comma", r.data[r.pos:r.pos+1], string(bracket))
	}
	return false
}

// key reads a key and the colon behind it. The key may be a part of the input.
func (r *JSONReader) key() ([]byte, bool) {
	if r.peek() != '"' {
		if r.pos < len(r.data) {
			r.failf(r.pos, ErrSyntax, "found %q, want a key", r.data[r.pos:r.pos+1])
		} else {
			r.failf(r.pos, ErrTruncated, "want a key")
		}
		return nil, false
	}
	key, ok := r.text("a key")
	if !ok {
		return nil, false
	}
	if r.peek() != ':' {
		r.mismatchColon()
		return nil, false
	}
	r.pos++
	r.peek()
	return key, true
}

func (r *JSONReader) mismatchColon() {
	if r.pos >= len(r.data) {
		r.failf(r.pos, ErrTruncated, "want a colon")
		return
	}
	r.failf(r.pos, ErrSyntax, "found %q, want a colon", r.data[r.pos:r.pos+1])
}

// Object begins to read a message with the fields f.
func (r *JSONReader) Object(f *Fields) Object {
	if r.message == "" {
		r.message = f.Message
	}
	r.open('{', "an object")
	if r.spent += f.Size; !affordable(r.spent, len(r.data)) && !r.failed() {
		r.failf(r.pos, ErrTooLarge, "more than %d times the input's bytes", memoryFactor)
	}
	return Object{Field: -1, fields: f, first: true}
}

// Next moves to the next field and sets o.Field. The field's value must be read,
// kept or skipped before the next call. Next is false at the message's end and
// after a failure. It passes over null, which stands for an absent field.
func (r *JSONReader) Next(o *Object) bool {
	if r.failed() {
		o.key = clip(o.key)
		r.within(o.step())
		return false
	}
	for r.another(o.first, '}') {
		o.first = false
		r.peek()
		at := r.pos
		key, ok := r.key()
		if !ok {
			return false
		}
		if !o.enter(key) {
			o.key = clip(key)
			r.failf(at, ErrDuplicate, "%q", o.key)
			r.within(o.step())
			return false
		}
		if o.Field < 0 {
			return true
		}
		if !r.IsNull() || !o.nullIsAbsent() {
			return true
		}
		r.pos += len("null")
	}
	if r.failed() {
		return false
	}
	if name, missing := o.missing(); missing {
		r.fail(r.pos, ErrMissing)
		r.within("." + name)
	}
	return false
}

// Keep reads the value of an unknown field and adds it to u.
func (r *JSONReader) Keep(o *Object, u *Unknown) {
	start := r.pos
	if r.skip(); r.failed() {
		return
	}
	raw := append([]byte(nil), r.data[start:r.pos]...)
	*u = append(*u, UnknownField{Key: string(o.key), Format: JSON, Raw: raw})
}

// Skip reads the value of an unknown field and drops it.
func (r *JSONReader) Skip(*Object) { r.skip() }

// Conflict fails because the current field is a member of the oneof of that
// name, and another member was there before.
func (r *JSONReader) Conflict(_ *Object, oneof string) {
	r.failf(r.pos, ErrDuplicate, "another member of the oneof %q was there", oneof)
}

// IsNull says whether the next value is null. It does not read it.
func (r *JSONReader) IsNull() bool {
	return r.peek() == 'n' && len(r.data)-r.pos >= 4 && string(r.data[r.pos:r.pos+4]) == "null"
}

// skip passes over one value of any kind.
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
		r.Bool()
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
