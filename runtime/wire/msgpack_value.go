package wire

import "math"

// Value reads a value of any type: nil, bool, int64, uint64 above int64's range,
// float64, string, []byte, time.Time, []any or map[string]any.
func (r *MsgpackReader) Value(b []byte) (any, []byte) {
	if len(b) > 0 {
		switch c := b[0]; {
		case c&0xe0 == 0xa0:
			return r.String(b)
		case c&0xf0 == 0x80:
			return r.Struct(b)
		case c&0xf0 == 0x90:
			return r.ListValue(b)
		case c == 0xcb:
			return r.Float64(b)
		case c|1 == 0xc3:
			return r.Bool(b)
		}
	}
	if v, n := integer(b); n > 0 {
		return v, b[n:]
	}
	r.at(b)
	return r.value(), r.rest()
}

func (r *MsgpackReader) value() any {
	h, ok := r.header("a value")
	if !ok {
		return nil
	}
	switch h.kind {
	case mpNil:
		r.pos++
		return nil
	case mpBool:
		return r.bool()
	case mpInt:
		n, _ := r.number("")
		if n.kind == mpUnsigned && n.bits > math.MaxInt64 {
			return n.bits
		}
		return int64(n.bits)
	case mpFloat:
		return r.float64()
	case mpString:
		return r.string()
	case mpBytes:
		return Present(r.bytes())
	case mpList:
		list, b := r.ListValue(r.rest())
		r.at(b)
		return list
	case mpMap:
		entries, b := r.Struct(r.rest())
		r.at(b)
		return entries
	}
	if t := r.extension(h); t != extensionTime {
		r.failf(r.pos, ErrType, "found an extension of type %d, want a timestamp or a value of msgpack's own types", t)
		return nil
	}
	return r.timestamp(h)
}

// ListValue reads a list of values.
func (r *MsgpackReader) ListValue(b []byte) ([]any, []byte) {
	r.at(b)
	l := r.array()
	list := make([]any, 0, l.left)
	for b = r.After(&l, r.rest()); l.More; b = r.After(&l, b) {
		var v any
		v, b = r.Value(b)
		list = append(list, v)
	}
	return list, b
}

// Struct reads a map from strings to values.
func (r *MsgpackReader) Struct(b []byte) (map[string]any, []byte) {
	r.at(b)
	m := r.entries()
	entries := make(map[string]any, m.left)
	for b = r.Entry(&m, r.rest()); m.More; b = r.Entry(&m, b) {
		at := len(r.data) - len(b)
		var key string
		var v any
		if key, b = r.StringKey(&m, b); r.failed() {
			continue // to the end, as after any fault
		}
		v, b = r.Value(b)
		if !Put(&entries, key, v) {
			r.fault = nil // of the value, which stands behind the key
			r.failf(at, ErrDuplicate, "%q", mpKeyText(m.key))
			b = nil
		}
	}
	return entries, b
}
