package wire

// Value reads a value of any type: nil, bool, int64, uint64 above int64's range,
// float64, json.Number for a number that none of these holds exactly, string,
// []any or map[string]any.
func (r *JSONReader) Value() any {
	switch c := r.peek(); {
	case r.failed():
		return nil
	case c == '{':
		return r.Struct()
	case c == '[':
		return r.ListValue()
	case c == '"':
		return r.String()
	case c == 't' || c == 'f':
		return r.Bool()
	case c == 'n':
		r.word("null")
		return nil
	}
	if d, n := simple(r.data[r.pos:]); n > 0 && d.fraction == 0 && d.digits != 0 {
		v, _ := r.simpleInteger(64)
		return v
	}
	text, ok := r.number("a value")
	if !ok {
		return nil
	}
	return freeNumber(text)
}

// ListValue reads a list of values.
func (r *JSONReader) ListValue() []any {
	list := []any{}
	l := r.Array()
	for r.More(&l) {
		*Add(&l, &list) = r.Value()
	}
	return list
}

// Struct reads an object of values.
func (r *JSONReader) Struct() map[string]any {
	entries := map[string]any{}
	m := r.Map()
	for r.NextEntry(&m) {
		key := string(m.key)
		if !Put(&entries, key, r.Value()) {
			r.Duplicate(&m)
		}
	}
	return entries
}
