package wire

// Unknown holds the parts of a message that its schema does not name, in the
// order in which they were read. They are written back, so that a program with
// an older schema relays what a newer one sent. Between JSON and msgpack they
// are transcoded.
type Unknown []UnknownField

// An UnknownField is a key and its value, as it was read.
type UnknownField struct {
	// Key is the field's name on the wire.
	Key string
	// Format says how Raw is encoded.
	Format Format
	// Raw is the value's bytes.
	Raw []byte
}
