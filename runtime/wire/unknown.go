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

// Len returns how many keys the unknown fields add to a message.
func (u Unknown) Len() int { return len(u) }

// keptKeys are the unknown keys of the open messages that have many of them, by
// depth. Few are searched one by one.
type keptKeys map[int]map[string]struct{}

// add says whether the key is not in u yet. It takes no more than linear time
// for a message full of unknown keys.
func (k *keptKeys) add(depth int, key []byte, u Unknown) bool {
	const few = 8
	if len(u) < few {
		for i := range u {
			if u[i].Key == string(key) {
				return false
			}
		}
		return true
	}
	set := (*k)[depth]
	if len(set) != len(u) { // of an earlier message at this depth, or none
		set = make(map[string]struct{}, 2*len(u))
		for i := range u {
			set[u[i].Key] = struct{}{}
		}
		if *k == nil {
			*k = make(keptKeys)
		}
		(*k)[depth] = set
	}
	if _, there := set[string(key)]; there {
		return false
	}
	set[string(key)] = struct{}{}
	return true
}
