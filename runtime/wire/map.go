package wire

import (
	"cmp"
	"slices"
)

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

// SortedKeys returns the map's keys in ascending order. Few of them are no
// allocation, as the compiler puts this function into the one that calls it.
func SortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	var few [8]K
	return sortedKeys(few[:0], m)
}

// sortedKeys appends the map's keys to keys, sorted.
func sortedKeys[K cmp.Ordered, V any](keys []K, m map[K]V) []K {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// SortedBoolKeys returns the map's keys, false before true.
func SortedBoolKeys[V any](m map[bool]V) []bool {
	keys := make([]bool, 0, 2)
	for _, key := range []bool{false, true} {
		if _, there := m[key]; there {
			keys = append(keys, key)
		}
	}
	return keys
}
