package wire

import "math"

// Value reads a value of any type: nil, bool, int64, uint64 above int64's range,
// float64, string, []byte, time.Time, []any or map[string]any.
func (r *MsgpackReader) Value() any {
	h, ok := r.header("a value")
	if !ok {
		return nil
	}
	switch h.kind {
	case mpNil:
		r.pos++
		return nil
	case mpBool:
		return r.Bool()
	case mpInt:
		n, _ := r.number("")
		if n.kind == mpUnsigned && n.bits > math.MaxInt64 {
			return n.bits
		}
		return int64(n.bits)
	case mpFloat:
		return r.Float64()
	case mpString:
		return r.String()
	case mpBytes:
		return Present(r.Bytes())
	case mpList:
		return r.ListValue()
	case mpMap:
		return r.Struct()
	}
	if t := r.extension(h); t != extensionTime {
		r.failf(r.pos, ErrType, "found an extension of type %d, want a timestamp or a value of msgpack's own types", t)
		return nil
	}
	return r.timestamp(h)
}

// ListValue reads a list of values.
func (r *MsgpackReader) ListValue() []any {
	l := r.Array()
	list := make([]any, 0, l.left)
	for r.More(&l) {
		list = append(list, r.Value())
	}
	return list
}

// Struct reads a map from strings to values.
func (r *MsgpackReader) Struct() map[string]any {
	m := r.Map()
	entries := make(map[string]any, m.left)
	for r.NextEntry(&m) {
		key := r.StringKey(&m)
		if !Put(&entries, key, r.Value()) {
			r.Duplicate(&m)
		}
	}
	return entries
}
