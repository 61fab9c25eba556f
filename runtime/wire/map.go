package wire

// Put adds an entry to a map field, making the map for the first one. It says
// false, and changes nothing, when the key is there already.
func Put[K comparable, V any](m *map[K]V, key K, value V) bool {
	if *m == nil {
		*m = make(map[K]V)
	}
	if _, there := (*m)[key]; there {
		return false
	}
	(*m)[key] = value
	return true
}
