package wire

import (
	"bytes"
	"slices"
	"strconv"
)

// Fields describes the keys of one message to the readers. Generated code holds
// one for each message and never changes it.
type Fields struct {
	// Message is the message's full name.
	Message string
	// Names are the keys in the order in which they are written. A field's
	// place in it is its index.
	Names []string
	// Escaped says that one of the names has characters that JSON escapes.
	Escaped bool
	// Aliases are other keys that are read for a field.
	Aliases []Alias
	// Required are the indexes of the fields that must be present, ascending.
	Required []int
	// Null are the indexes of the fields of which null is a value. For all others
	// it stands for an absent field.
	Null []int
	// Size is about how many bytes the message takes in memory, without what its
	// strings, lists and maps hold.
	Size int
}

// An Alias is an old key of the field with the given index.
type Alias struct {
	Name  string
	Index int
}

// find returns the index of the field with that key, or -1. Writers keep the
// schema's order, so the field behind the last one is tried first.
func (f *Fields) find(key []byte, expected int) int {
	if expected < len(f.Names) && f.Names[expected] == string(key) {
		return expected
	}
	first := min(max(expected, 0), len(f.Names)) // fields may be left out
	for i, name := range f.Names[first:] {
		if name == string(key) {
			return first + i
		}
	}
	for i, name := range f.Names[:first] {
		if name == string(key) {
			return i
		}
	}
	for _, a := range f.Aliases {
		if a.Name == string(key) {
			return a.Index
		}
	}
	return -1
}

// has says whether a field has that key.
func (f *Fields) has(key string) bool {
	return slices.Contains(f.Names, key) ||
		slices.ContainsFunc(f.Aliases, func(a Alias) bool { return a.Name == key })
}

// A place is a reader's place in a message.
type place struct {
	// field is the index of the one whose value comes next, or -1 when the schema
	// does not know the key.
	field int

	fields *Fields
	left   int    // msgpack: entries still to come; JSON: 1 before the first entry
	seen   uint64 // the fields so far, of those with an index below 64
	null   uint64 // those of them whose value was null, which means absent
	rare   *rare
}

// rare is what a reader knows of a message with unknown or very many fields.
type rare struct {
	key        []byte // of the unknown field
	unknown    keySet // the unknown fields so far
	seen, null bitSet // as in place, for the other fields
}

// more returns what is rare, to add to it.
func (o *place) more() *rare {
	if o.rare == nil {
		o.rare = new(rare)
	}
	return o.rare
}

// enter notes the key of the next value. It says false when the key was there
// before.
func (o *place) enter(key []byte) bool {
	o.field = o.fields.find(key, o.field+1)
	if o.field >= 0 {
		return o.see(o.field)
	}
	more := o.more()
	more.key = key
	return more.unknown.add(key)
}

// see notes that the field with that index is there, and says whether it is new.
func (o *place) see(field int) bool {
	if field >= 64 {
		return o.more().seen.add(field - 64)
	}
	bit := uint64(1) << field
	fresh := o.seen&bit == 0
	o.seen |= bit
	return fresh
}

// nullIsAbsent says whether null stands for an absent field where the current
// field's value is to be, and notes that it does.
func (o *place) nullIsAbsent() bool {
	switch {
	case slices.Contains(o.fields.Null, o.field):
		return false
	case o.field < 64:
		o.null |= 1 << o.field
	default:
		o.more().null.add(o.field - 64)
	}
	return true
}

// present says whether the field with that index was there and not null.
func (o *place) present(field int) bool {
	if field < 64 {
		return o.seen&^o.null&(1<<field) != 0
	}
	return o.rare != nil && o.rare.seen.has(field-64) && !o.rare.null.has(field-64)
}

// missing returns the name of the first required field that was absent.
func (o *place) missing() (string, bool) {
	for _, i := range o.fields.Required {
		if !o.present(i) {
			return o.fields.Names[i], true
		}
	}
	return "", false
}

// step is the field's part of an error's path.
func (o *place) step() string {
	if o.field >= 0 {
		return "." + o.fields.Names[o.field]
	}
	if o.rare != nil && o.rare.key != nil {
		return "." + string(clip(o.rare.key))
	}
	return ""
}

// A List is a reader's place in a list.
type List struct {
	// More says that an element comes next.
	More bool

	index int // of the current element, from 0
	left  int // elements still to come behind it, or -1 when nothing tells
	// claimed is what was added to in.ahead for it.
	claimed int
	start   int // JSON: where the first element begins
}

// Add appends an element to the list of which l is the place in the input, and returns
// it. It is zero, or what it was when memory is used again.
func Add[T any](in *Input, l *List, list *[]T) *T {
	s := *list
	if len(s) == cap(s) {
		s = makeRoom(in, l, s)
	}
	s = s[:len(s)+1]
	*list = s
	return &s[len(s)-1]
}

// makeRoom makes room for the element that comes next, and for those behind it as
// far as they are known or can be guessed.
func makeRoom[T any](in *Input, l *List, s []T) []T {
	size := max(1, sizeOf[T]())
	n := 1
	switch {
	case l.left >= 0:
		n += in.claim(l, size)
	case len(s) == 0:
		n += in.commas()
		l.start = in.pos
	case len(s) == 1:
		n += in.guess(l, size)
	}
	if len(s) == 0 {
		return make([]T, 0, n)
	}
	return slices.Grow(s, n)
}

// claim returns how many elements behind the next one to make room for, of those that
// a header claims and the input's budget has room for.
func (in *Input) claim(l *List, size int) int {
	n := max(0, min(l.left, in.room()/size-1))
	l.claimed += n * size
	in.ahead += n * size
	return n
}

// commas returns how many elements seem to come behind the next one, in a list of
// plain values that is not long.
func (in *Input) commas() int {
	const far = 1024 // bytes
	text := in.data[in.pos:]
	if len(text) == 0 || text[0] == '{' || text[0] == '[' {
		return 0
	}
	text = text[:min(len(text), far)]
	return bytes.Count(text[:max(0, bytes.IndexByte(text, ']'))], []byte{','})
}

// guess returns how many elements come behind the next one if all are as long as the
// first and nothing else follows. As other things do, all guesses together may come to
// twice the input.
func (in *Input) guess(l *List, size int) int {
	n := (len(in.data) - in.pos) / max(1, in.pos-l.start)
	n = max(2, min(n, (2*len(in.data)-in.guessed)/size))
	in.guessed += n * size
	return n
}

func (l *List) step() string { return "[" + strconv.Itoa(l.index) + "]" }

// A Map is a reader's place in a map.
type Map struct {
	// More says that an entry comes next.
	More bool

	key   []byte // of the current entry, as text
	left  int    // msgpack: entries still to come
	first bool   // JSON: no entry was read yet
}

func (m *Map) step() string { return "[" + strconv.Quote(string(m.key)) + "]" }
