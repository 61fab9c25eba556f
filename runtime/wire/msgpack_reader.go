package wire

// A MsgpackReader reads a message from msgpack. After the first failure it
// yields zero values only; Close reports the failure.
type MsgpackReader struct {
	Input
	// owed is how many values are to come in the lists and maps that are open, but
	// for messages, for whose entries no room is made.
	owed int
}

// NewMsgpackReader returns a reader of data, which must not change until Close.
// What the reader yields does not share its memory, unless AliasInput is called.
func NewMsgpackReader(data []byte) MsgpackReader { return MsgpackReader{Input: Input{data: data}} }

// Close ends the reading, which left b of the input, and returns the first failure as
// an [*Error]. Any byte in b is one.
func (r *MsgpackReader) Close(b []byte) error {
	r.at(b)
	return r.close()
}

// close is Close where the position is set.
func (r *MsgpackReader) close() error {
	if r.pos < len(r.data) {
		r.failf(r.pos, ErrTrailing, "%d more", len(r.data)-r.pos)
	}
	return r.report()
}

// mismatch fails because the value that comes next is not what is wanted.
func (r *MsgpackReader) mismatch(want string) {
	h, ok := r.header(want)
	switch {
	case !ok:
	case h.kind == mpExt:
		r.failf(r.pos, ErrType, "found an extension of type %d, want %s", r.extension(h), want)
	default:
		r.failf(r.pos, ErrType, "found %s, want %s", h.kind, want)
	}
}

// enter enters the list or the map that comes next and returns its length.
func (r *MsgpackReader) enter(kind mpKind, want string) int {
	if rest := r.data[r.pos:]; len(rest) >= 32 && r.depth < r.levels() { // room for each short one
		if c := rest[0]; kind == mpList && c&0xf0 == 0x90 || kind == mpMap && c&0xf0 == 0x80 {
			r.depth++
			r.pos++
			return int(c & 0x0f)
		}
	}
	h, ok := r.header(want)
	switch {
	case !ok:
		return 0
	case h.kind != kind:
		r.mismatch(want)
		return 0
	case r.tooDeep():
		return 0
	}
	r.depth++
	r.pos += h.head
	return h.size
}

// open is enter for a list, or a map whose entries are made room for. The input
// holds that much, and what the lists and maps around it claim as well. So it is
// safe to make room for as much, however deep it lies.
func (r *MsgpackReader) open(kind mpKind, want string) int {
	at := r.pos
	size := r.enter(kind, want)
	values := size
	if kind == mpMap {
		values *= 2
	}
	if values > len(r.data)-r.pos-r.owed {
		r.failf(at, ErrTruncated, "%s claims %d values, and what it lies in %d more, %d bytes are left",
			kind, values, r.owed, len(r.data)-r.pos)
		return 0
	}
	r.owed += values
	return size
}

// nextField moves to the next field and sets o.field. The field's value must be read,
// kept or skipped before the next call. It is false at the message's end and after a
// failure. It passes over nil, which stands for an absent field.
func (r *MsgpackReader) nextField(o *place) bool {
	if r.failed() {
		r.within(o.step())
		return false
	}
	for o.left > 0 {
		o.left--
		at := r.pos
		key, ok := r.rawText("a string as key")
		if !ok {
			return false
		}
		if !o.enter(key) {
			r.twice(o, at, key)
			return false
		}
		if o.field < 0 {
			return r.valid(key) // a known one was compared
		}
		if !r.isNull() || !o.nullIsAbsent() {
			return true
		}
		r.pos++
	}
	r.depth--
	r.end(o)
	return false
}

// rawText reads a string, or bytes in its place, and leaves open whether it is
// valid UTF-8. The result is a part of the input.
func (r *MsgpackReader) rawText(want string) ([]byte, bool) {
	if text := shortText(r.rest()); text != nil { // as most are
		r.pos += 1 + len(text)
		return text, true
	}
	h, ok := r.header(want)
	if !ok {
		return nil, false
	}
	if h.kind != mpString && h.kind != mpBytes {
		r.mismatch(want)
		return nil, false
	}
	return r.take(h), true
}

// take passes over the value with the header h and returns its payload.
func (r *MsgpackReader) take(h mpHeader) []byte {
	start := r.pos + h.head
	r.pos = start + h.size
	return r.data[start:r.pos]
}

// valid fails when text, which was passed over last, is not UTF-8.
func (r *MsgpackReader) valid(text []byte) bool {
	bad := invalidText(text)
	if bad >= 0 {
		r.failf(r.pos-len(text)+bad, ErrUTF8, "byte 0x%02x in a string", text[bad])
		return false
	}
	return true
}

// keep reads the value of an unknown field and adds it to u.
func (r *MsgpackReader) keep(o *place, u *Unknown) {
	start := r.pos
	if r.skip(); r.failed() {
		return
	}
	raw := append([]byte(nil), r.data[start:r.pos]...)
	*u = append(*u, UnknownField{Key: string(o.rare.key), Format: Msgpack, Raw: raw})
}

// isNull says whether the next value is nil. It does not read it.
func (r *MsgpackReader) isNull() bool { return r.pos < len(r.data) && r.data[r.pos] == 0xc0 }
