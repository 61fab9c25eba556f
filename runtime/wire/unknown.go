package wire

import "slices"

// Unknown holds the parts of a message that its schema does not name, in the
// order in which they were read. They are written back, so that a program with
// an older schema relays what a newer one sent. Between JSON and msgpack they
// are transcoded. Those of protobuf have numbers where the others have keys, and
// nothing but the schema that is not there tells which belongs to which: what was
// read from protobuf is written to protobuf alone, and what was read from the
// others is not written to it.
type Unknown []UnknownField

// An UnknownField is a key and its value, as it was read, or all of a message's
// unknown fields of protobuf.
type UnknownField struct {
	// Key is the field's name on the wire. Protobuf's fields have none.
	Key string
	// Format says how Raw is encoded.
	Format Format
	// Raw is the value's bytes, or protobuf's fields with their tags.
	Raw []byte
}

// Len returns how many keys the unknown fields add to a message in JSON or msgpack.
func (u Unknown) Len() int {
	n := len(u)
	for i := range u {
		if u[i].Format == Proto {
			n--
		}
	}
	return n
}

// clash returns the first key of u that f has a field for, or that is there twice.
// What was read has none; a program may have put one in.
func (u Unknown) clash(f *Fields) (key string, found bool) {
	const few = 8
	var many map[string]struct{}
	if len(u) > few {
		many = make(map[string]struct{}, len(u))
	}
	for i := range u {
		if u[i].Format == Proto {
			continue
		}
		key := u[i].Key
		_, twice := many[key]
		if many == nil {
			twice = slices.ContainsFunc(u[:i], func(v UnknownField) bool { return v.Key == key && v.Format != Proto })
		} else {
			many[key] = struct{}{}
		}
		if twice || f.has(key) {
			return key, true
		}
	}
	return "", false
}
