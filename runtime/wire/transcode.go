package wire

// appendMsgpack appends the value of a field that was read from JSON.
func (f UnknownField) appendMsgpack(w *MsgpackWriter, b []byte) []byte {
	r := JSONReader{rawValue(f.Raw)}
	v := r.value()
	if err := r.close(); err != nil {
		return w.failf(b, r.fault.Err, "in the raw value of an unknown field, at byte %d", r.fault.Offset)
	}
	return w.Value(b, v)
}

// appendJSON appends the value of a field that was read from msgpack.
func (f UnknownField) appendJSON(w *JSONWriter, b []byte) []byte {
	r := MsgpackReader{Input: rawValue(f.Raw)}
	v := r.value()
	if err := r.close(); err != nil {
		return w.failf(b, r.fault.Err, "in the raw value of an unknown field, at byte %d", r.fault.Offset)
	}
	return w.Value(b, v)
}
