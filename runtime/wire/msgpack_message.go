package wire

// The methods that generated code calls take the rest of the input and return what
// is left of it, nothing after a failure. What is common they read at once, with the
// rest in registers. For all else they set r.pos, and the methods with small letters
// read what it is at.

// A MsgpackMessage is a reader's place in a message.
type MsgpackMessage struct{ place place }

// Message begins to read a message with the fields f.
func (r *MsgpackReader) Message(m *MsgpackMessage, b []byte, f *Fields) []byte {
	r.at(b)
	if m.place.fields = f; !r.begin(f) {
		return nil
	}
	if len(b) > 0 && b[0]&0xf0 == 0x80 && r.depth < r.levels() {
		r.depth++
		m.place.left = int(b[0] & 0x0f)
		return b[1:]
	}
	m.place.left = r.enter(mpMap, "a map")
	return r.rest()
}

// At moves to the value of the field with the index i, which begins n bytes ahead if
// the field's key comes next. Field is the index of the one at whose value b is, or of
// the last one. At returns the index of the one at whose value it is then.
func (m *MsgpackMessage) At(field int, b []byte, i, n int, next bool) (int, []byte) {
	o := &m.place
	if next && field < i && b[n] != 0xc0 && o.left > 0 && o.seen>>i&1 == 0 {
		o.left--
		o.seen |= 1 << i
		return i, b[n:]
	}
	return field, b
}

// Next moves to the value of the next field, whatever its key is like, and returns
// its index. That is -1 at the message's end and after a failure. Next passes over
// nil, which stands for an absent field, and adds to u what the schema does not know,
// or drops it when u is nil.
func (r *MsgpackReader) Next(m *MsgpackMessage, field int, b []byte, u *Unknown) (int, []byte) {
	r.at(b)
	o := &m.place
	if o.left == 0 && !r.failed() && len(o.fields.Required) == 0 {
		r.depth--
		return -1, b
	}
	o.field = field
	for r.nextField(o) {
		switch {
		case o.field >= 0:
			return o.field, r.rest()
		case u != nil:
			r.keep(o, u)
		default:
			r.skip()
		}
	}
	return -1, r.rest()
}

// Array begins to read a list, and moves to its first element.
func (r *MsgpackReader) Array(l *List, b []byte) []byte {
	if len(b) > 0 && b[0]&0xf0 == 0x90 && r.depth < r.levels() {
		if n := int(b[0] & 0x0f); n > 0 && n < len(b)-r.owed {
			r.depth++
			r.owed += n - 1
			*l = List{left: n - 1, More: true}
			return b[1:]
		}
	}
	r.at(b)
	*l = r.array()
	return r.After(l, r.rest())
}

// After moves to the next element, if l.More says that there is one.
func (r *MsgpackReader) After(l *List, b []byte) []byte {
	if l.left > 0 && len(b) > 0 {
		l.left--
		l.index++
		r.owed--
		l.More = true
		return b
	}
	r.at(b)
	if l.left == 0 && !r.failed() {
		r.ahead -= l.claimed
		r.depth--
		l.More = false
		return b
	}
	l.More = r.more(l)
	return r.rest()
}

// Map begins to read a map, and moves to its first entry.
func (r *MsgpackReader) Map(m *Map, b []byte) []byte {
	r.at(b)
	*m = r.entries()
	return r.Entry(m, r.rest())
}

// Entry moves to the next entry, if m.More says that there is one. Its key and its
// value must be read, in this order, before the next call.
func (r *MsgpackReader) Entry(m *Map, b []byte) []byte {
	if m.left > 0 && len(b) > 0 {
		m.left--
		r.owed -= 2
		m.key = b
		m.More = true
		return b
	}
	r.at(b)
	m.More = r.nextEntry(m)
	return r.rest()
}
