package wire

import (
	"cmp"
	"slices"
)

// Put sets an entry of a map field, making the map for the first one. It says
// false when the key was there already.
func Put[K comparable, V any](m *map[K]V, key K, value V) bool {
	if *m == nil {
		*m = make(map[K]V)
	}
	before := len(*m)
	(*m)[key] = value
	return len(*m) > before
}

// Emptied returns the map without its entries.
func Emptied[K comparable, V any](m map[K]V) map[K]V {
	clear(m)
	return m
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

// A textEntry is an entry of a map whose keys are strings.
type textEntry[V any] struct {
	key   string
	value V
}

// sortedEntries appends the map's entries to entries in the order of their keys. Few
// of them, for which there is room, are put where they belong one by one.
func sortedEntries[V any](entries []textEntry[V], m map[string]V) []textEntry[V] {
	few := len(m) <= cap(entries)
	for key, value := range m {
		at := len(entries)
		entries = append(entries, textEntry[V]{key, value})
		if few && at > 0 && before(key, entries[at-1].key) {
			for ; at > 0 && before(key, entries[at-1].key); at-- {
				entries[at] = entries[at-1]
			}
			entries[at] = textEntry[V]{key, value}
		}
	}
	if !few {
		slices.SortFunc(entries, func(a, b textEntry[V]) int { return cmp.Compare(a.key, b.key) })
	}
	return entries
}

// before is a < b. Most keys differ in the first byte, which is faster to see.
func before(a, b string) bool {
	if a != "" && b != "" && a[0] != b[0] {
		return a[0] < b[0]
	}
	return a < b
}
