package wire

// Value reads a value of any type: nil, bool, int64, uint64 above int64's range,
// float64, json.Number for a number that none of these holds exactly, string,
// []any or map[string]any.
func (r *JSONReader) Value(b []byte) (any, []byte) {
	if len(b) > 0 {
		switch b[0] {
		case '"':
			return r.String(b)
		case '{':
			return r.Struct(b)
		case '[':
			return r.ListValue(b)
		case 't', 'f':
			return r.Bool(b)
		}
	}
	if d, n := simple(b); n > 0 && d.digits != 0 { // there is a zero with a sign
		if d.fraction > 0 {
			return d.float(), b[n:]
		}
		return d.integer(), b[n:]
	}
	r.at(b)
	return r.value(), r.rest()
}

func (r *JSONReader) value() any {
	switch c := r.peek(); {
	case r.failed():
		return nil
	case c == '{':
		entries, b := r.Struct(r.rest())
		r.at(b)
		return entries
	case c == '[':
		list, b := r.ListValue(r.rest())
		r.at(b)
		return list
	case c == '"':
		return r.string()
	case c == 't' || c == 'f':
		return r.bool()
	case c == 'n':
		r.word("null")
		return nil
	}
	text, ok := r.number("a value")
	if !ok {
		return nil
	}
	return freeNumber(text)
}

// ListValue reads a list of values.
func (r *JSONReader) ListValue(b []byte) ([]any, []byte) {
	list := []any{}
	var l List
	for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
		*Add(&r.Input, &l, &list), b = r.Value(b)
	}
	return list, b
}

// Struct reads an object of values.
func (r *JSONReader) Struct(b []byte) (map[string]any, []byte) {
	entries := map[string]any{}
	var m Map
	for b = r.Map(&m, b); m.More; b = r.Entry(&m, b) {
		var key string
		var v any
		key, b = r.StringKey(&m, b)
		v, b = r.Value(b)
		if !Put(&entries, key, v) {
			r.fault = nil // of the value, which stands behind the key
			b = r.Duplicate(&m)
		}
	}
	return entries, b
}
