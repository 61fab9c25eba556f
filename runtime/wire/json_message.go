package wire

// A JSONMessage is a reader's place in a message.
type JSONMessage struct {
	object Object
	// before is what stands before the next key: the brace or a comma.
	before byte
}

// Message begins to read a message with the fields f.
func (r *JSONReader) Message(m *JSONMessage, b []byte, f *Fields) []byte {
	r.at(b)
	r.begin(f)
	r.open('{', "an object")
	m.object = Object{Field: -1, fields: f, left: 1}
	m.before = '{'
	if r.failed() {
		return nil
	}
	return r.data[r.pos-1:]
}

// At moves to the value of the field with the index i if it comes next under that
// key, which is JSON with the colon. Field is the index of the one at whose value b
// is, or of the last one. At returns the index of the one at whose value it is then.
func (m *JSONMessage) At(field int, b []byte, i int, key string) (int, []byte) {
	end := len(key) + 1
	if field < i && len(b) > end && b[0] == m.before && string(b[1:end]) == key &&
		b[end] != 'n' && b[end] > ' ' && m.object.seen>>i&1 == 0 {
		m.before = ','
		m.object.seen |= 1 << i
		return i, b[end:]
	}
	return field, b
}

// Next moves to the value of the next field, whatever its key is like, and returns
// its index. That is -1 at the message's end and after a failure. Next passes over
// null, which stands for an absent field, and adds to u what the schema does not
// know, or drops it when u is nil.
func (r *JSONReader) Next(m *JSONMessage, field int, b []byte, u *Unknown) (int, []byte) {
	r.at(b)
	o := &m.object
	o.Field = field
	o.left = 0
	if m.before == '{' && !r.failed() {
		o.left = 1
		r.pos++
	}
	m.before = ','
	for r.nextField(o) {
		switch {
		case o.Field >= 0:
			return o.Field, r.rest()
		case u != nil:
			r.keep(o, u)
		default:
			r.skip()
		}
	}
	return -1, r.rest()
}

// Conflict fails because the current field is a member of the oneof of that name,
// and another member was there before.
func (r *JSONReader) Conflict(b []byte, oneof string) []byte {
	r.at(b)
	r.conflict(oneof)
	return nil
}

// Array begins to read a list, and moves to its first element.
func (r *JSONReader) Array(l *List, b []byte) []byte {
	r.at(b)
	*l = r.array()
	l.More = r.more(l)
	return r.rest()
}

// After moves to the next element, if l.More says that there is one.
func (r *JSONReader) After(l *List, b []byte) []byte {
	r.at(b)
	if len(b) > 1 && b[0] == ',' && b[1] > ' ' && b[1] != ']' {
		r.pos++
		l.index++
		return b[1:]
	}
	l.More = r.more(l)
	return r.rest()
}

// Map begins to read a map, and moves to its first entry.
func (r *JSONReader) Map(m *Map, b []byte) []byte {
	r.at(b)
	*m = r.entries()
	return r.Entry(m, r.rest())
}

// Entry moves to the next entry, if m.More says that there is one. Its key and its
// value must be read, in this order, before the next call.
func (r *JSONReader) Entry(m *Map, b []byte) []byte {
	r.at(b)
	m.More = r.nextEntry(m)
	return r.rest()
}

// Duplicate fails because the current entry's key was there before.
func (r *JSONReader) Duplicate(m *Map) []byte {
	r.duplicate(m)
	return nil
}

// StringKey returns the current entry's key.
func (r *JSONReader) StringKey(m *Map, b []byte) (string, []byte) { return r.copied(m.key), b }

// Int32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Int32Key(m *Map, b []byte) (int32, []byte) {
	r.at(b)
	return r.int32Key(m), r.rest()
}

// Int64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Int64Key(m *Map, b []byte) (int64, []byte) {
	r.at(b)
	return r.int64Key(m), r.rest()
}

// Uint32Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Uint32Key(m *Map, b []byte) (uint32, []byte) {
	r.at(b)
	return r.uint32Key(m), r.rest()
}

// Uint64Key returns the current entry's key, the digits of an integer.
func (r *JSONReader) Uint64Key(m *Map, b []byte) (uint64, []byte) {
	r.at(b)
	return r.uint64Key(m), r.rest()
}

// BoolKey returns the current entry's key, "true" or "false".
func (r *JSONReader) BoolKey(m *Map, b []byte) (bool, []byte) {
	r.at(b)
	return r.boolKey(m), r.rest()
}
