package wire

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// Room returns the list with room for the element that comes next, and, if it has
// none, for those behind it.
func Room[T any](r *ProtoReader, list []T) []T {
	if len(list) < cap(list) {
		return list
	}
	return grow(r, list, len(r.data))
}

// Element adds an element, a message that is yet to be read, to the list.
func Element[T any](r *ProtoReader, list *[]T) *T {
	n := len(*list)
	if n == cap(*list) {
		// Of empty messages, a few bytes could claim much memory before they are read.
		*list = grow(r, *list, max(64, n/4))
	}
	*list = (*list)[:n+1] // it is zero, or empties itself where memory is used again
	r.listed = true
	return &(*list)[n]
}

// grow makes room for the elements that are there in a row, but for no more than
// most at once.
func grow[T any](r *ProtoReader, list []T, most int) []T {
	if r.tooDeep() {
		return slices.Grow(list, 1)
	}
	return slices.Grow(list, r.count(most))
}

// count returns how many values of the current field are there in a row, from 1 to
// most. What is not as it should be ends them.
func (r *ProtoReader) count(most int) int {
	if r.failed() {
		return 1
	}
	n, at, all := r.countShort(most)
	if all {
		return n
	}
	tag := appendVarint(make([]byte, 0, 5), uint64(r.tag))
	ahead := ProtoReader{Input: Input{data: r.data, pos: at, depth: r.depth}}
	for ; ; n++ {
		if ahead.skip(r.tag); n >= most || ahead.failed() || !bytes.HasPrefix(ahead.data[ahead.pos:], tag) {
			return n
		}
		ahead.pos += len(tag)
	}
}

// countShort is count as far as the values' lengths take one byte, as most do. It says
// where the last value begins, and whether it is the last one of those in a row.
func (r *ProtoReader) countShort(most int) (n, at int, all bool) {
	n, at = 1, r.pos
	if r.tag >= 0x80 || r.tag&7 != pbBytes {
		return n, at, false
	}
	for n < most && at < len(r.data) && r.data[at] < 0x80 {
		next := at + 1 + int(r.data[at])
		if next >= len(r.data) || uint32(r.data[next]) != r.tag {
			return n, at, true
		}
		n, at = n+1, next+1
	}
	return n, at, false
}

// AddString reads a string and adds it to the list.
func (r *ProtoReader) AddString(list []string) []string {
	if len(list) == cap(list) {
		if n, _, few := r.countShort(shareStrings); few && list == nil {
			list = r.asList(r.roomForStrings(n)[:n])[:0]
		} else {
			list = Room(r, list)
		}
	}
	return append(list, r.String())
}

// Packed reads values that stand in one piece and adds them to list. Each of them
// has size bytes, or is a varint if size is 0.
func Packed[T any](r *ProtoReader, list []T, size int, read func(*ProtoReader) T) []T {
	n := r.length()
	if n == 0 {
		return list
	}
	if r.tooDeep() {
		return list
	}
	outer := len(r.data)
	r.data = r.data[:r.pos+n]
	list = slices.Grow(list, r.values(size))
	for r.pos < len(r.data) {
		list = append(list, read(r))
	}
	if r.failed() {
		r.within("[" + strconv.Itoa(len(list)-1) + "]")
		r.indexed = true
		return list
	}
	r.data = r.data[:outer]
	return list
}

// values returns how many values there are in the rest of the input.
func (r *ProtoReader) values(size int) int {
	rest := r.data[r.pos:]
	if size > 0 {
		return len(rest) / size
	}
	n := 0
	for _, c := range rest {
		if c < 0x80 {
			n++
		}
	}
	return n
}

// Entry begins to read an entry of a map, which is a message with a key, field 1,
// and a value, field 2.
func (r *ProtoReader) Entry(e *ProtoMessage) { r.open(e, 1) }

// Entered ends the reading of an entry of a map and adds it to the map, in place of
// one with the same key.
func Entered[K comparable, V any](r *ProtoReader, m *map[K]V, key K, value V) {
	if r.failed() {
		r.within(entryStep(key))
		return
	}
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[key] = value
}

// entryStep is the part of a path that leads to an entry of a map.
func entryStep(key any) string {
	return "[" + strconv.Quote(string(clip(fmt.Append(nil, key)))) + "]"
}
