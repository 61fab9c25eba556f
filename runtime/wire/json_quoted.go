package wire

// QuotedInt64 appends an integer as a string, for readers that have no integers of 64
// bits.
func (w *JSONWriter) QuotedInt64(b []byte, v int64) []byte {
	return append(w.Int64(append(b, '"'), v), '"')
}

// QuotedUint64 appends an integer as a string, for readers that have no integers of
// 64 bits.
func (w *JSONWriter) QuotedUint64(b []byte, v uint64) []byte {
	return append(w.Uint64(append(b, '"'), v), '"')
}
