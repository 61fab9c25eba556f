package wire

// A JSONMessage is a reader's place in a message.
type JSONMessage struct {
	place place
	// before is what stands before the next key: the brace or a comma.
	before byte
}

// Message begins to read a message with the fields f.
func (r *JSONReader) Message(m *JSONMessage, b []byte, f *Fields) []byte {
	r.at(b)
	if m.place.fields = f; !r.begin(f) {
		return nil
	}
	m.before = '{'
	if len(b) > 0 && b[0] == '{' && r.depth < r.levels() {
		r.depth++
		return b
	}
	r.open('{', "an object")
	if r.failed() {
		return nil
	}
	return r.data[r.pos-1:]
}

// At moves to the value of the field with the index i, which begins n bytes ahead if
// the field's key comes next, as writers mostly have it. Field is the index of the one
// at whose value b is, or of the last one. At returns the index of the one at whose
// value it is then.
func (m *JSONMessage) At(field int, b []byte, i, n int, next bool) (int, []byte) {
	if next && field < i && b[0] == m.before && b[n] != 'n' && b[n] > ' ' && m.place.seen>>i&1 == 0 {
		m.before = ','
		m.place.seen |= 1 << i
		return i, b[n:]
	}
	return field, b
}

// Next moves to the value of the next field, whatever its key is like, and returns
// its index. That is -1 at the message's end and after a failure. Next passes over
// null, which stands for an absent field, and adds to u what the schema does not
// know, or drops it when u is nil.
func (r *JSONReader) Next(m *JSONMessage, field int, b []byte, u *Unknown) (int, []byte) {
	o := &m.place
	if len(b) > 0 && b[0] == '}' && m.before == ',' && len(o.fields.Required) == 0 {
		r.depth--
		return -1, b[1:]
	}
	r.at(b)
	o.field = field
	o.left = 0
	if m.before == '{' && !r.failed() {
		o.left = 1
		r.pos++
	}
	m.before = ','
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
func (r *JSONReader) Array(l *List, b []byte) []byte {
	r.at(b)
	if len(b) > 1 && b[0] == '[' && b[1] > ' ' && b[1] != ']' && r.depth < r.levels() {
		r.depth++
		r.pos++
		*l = List{left: -1, More: true}
		return b[1:]
	}
	*l = r.array()
	l.More = r.more(l)
	return r.rest()
}

// After moves to the next element, if l.More says that there is one.
func (r *JSONReader) After(l *List, b []byte) []byte {
	r.at(b)
	if len(b) > 1 {
		switch {
		case b[0] == ',' && b[1] > ' ' && b[1] != ']':
			r.pos++
			l.index++
			return b[1:]
		case b[0] == ']':
			r.depth--
			l.More = false
			return b[1:]
		}
	}
	l.More = r.more(l)
	return r.rest()
}

// Map begins to read a map, and moves to its first entry.
func (r *JSONReader) Map(m *Map, b []byte) []byte {
	if len(b) > 0 && b[0] == '{' && r.depth < r.levels() {
		if rest := r.plainKey(m, b); rest != nil {
			r.depth++
			return rest
		}
	}
	r.at(b)
	*m = r.entries()
	m.More = r.nextEntry(m)
	return r.rest()
}

// Entry moves to the next entry, if m.More says that there is one. Its key and its
// value must be read, in this order, before the next call.
func (r *JSONReader) Entry(m *Map, b []byte) []byte {
	if len(b) > 0 && b[0] == ',' {
		if rest := r.plainKey(m, b); rest != nil {
			return rest
		}
	}
	r.at(b)
	m.More = r.nextEntry(m)
	return r.rest()
}

// plainKey moves to the value behind the key of ASCII that follows the first byte of
// b, if it is written as writers mostly do.
func (r *JSONReader) plainKey(m *Map, b []byte) []byte {
	key, ascii := plainText(b[1:])
	value := len(key) + 4
	if !ascii || len(b) <= value || b[value-1] != ':' || b[value] <= ' ' {
		return nil
	}
	*m = Map{More: true, key: key, left: len(r.data) - len(b) + 1}
	return b[value:]
}
