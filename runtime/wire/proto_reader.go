package wire

import "slices"

// A ProtoReader reads a message from protobuf's binary wire. After the first
// failure it yields zero values only; Close reports the failure.
//
// Of what a value is read as, only the number of its field is on that wire. So a
// method reads the value behind a tag that its caller has looked at.
type ProtoReader struct {
	Input
	whole []byte
	tag   uint32 // the last one that Next found
	// listed says that the message that comes next is an element of a list.
	listed bool
	// absent says that it is not there, which is to be read as an empty one.
	absent bool
	// indexed says that the path of the fault begins with the index in a list.
	indexed bool
}

// NewProtoReader returns a reader of data, which must not change until Close.
// What the reader yields does not share its memory.
func NewProtoReader(data []byte) ProtoReader {
	return ProtoReader{Input: Input{data: data}, whole: data}
}

// Close ends the reading and returns the first failure as an [*Error].
func (r *ProtoReader) Close() error { return r.report() }

// ProtoFields describes the fields of one message to the reader and the writer.
// Generated code holds one for each message and never changes it.
type ProtoFields struct {
	// Fields has the names, to which the indexes below refer.
	Fields *Fields
	// Numbers are the numbers of the fields.
	Numbers []int32
	// Lists are the indexes of the lists, ascending.
	Lists []int
	// Required are the indexes of the fields that must be present, as far as the
	// wire tells an absent one from zero.
	Required []int
}

// The types of protobuf's wire.
const (
	pbVarint = iota
	pbFixed64
	pbBytes
	pbStartGroup
	pbEndGroup
	pbFixed32
)

// A ProtoMessage is a reader's place in a message.
type ProtoMessage struct {
	// Tag is the number of the field whose value comes next, times 8, and its type
	// on the wire.
	Tag uint32

	group  uint32       // the tag that ends the message, if one does
	fields *ProtoFields // nil for an entry of a map and for protobuf's own messages
	start  int          // where the content begins
	at     int          // where the current field begins
	outer  int          // where the message around this one ends
	levels int
	again  bool
	seen   uint64 // the required fields so far, of those with an index below 64
	rare   *protoRare
}

// protoRare is what a reader knows of a message with very many required fields, or
// with times that have no room for all that the wire says.
type protoRare struct {
	seen      bitSet   // as in ProtoMessage, for the other fields
	zeroTimes []uint32 // the tags of the times that are there and zero, the year 1
}

// more returns what is rare, to add to it.
func (m *ProtoMessage) more() *protoRare {
	if m.rare == nil {
		m.rare = new(protoRare)
	}
	return m.rare
}

// sawZeroTime notes that the current field is a time that is there and zero.
func (m *ProtoMessage) sawZeroTime() {
	if more := m.more(); !slices.Contains(more.zeroTimes, m.Tag) {
		more.zeroTimes = append(more.zeroTimes, m.Tag)
	}
}

// Message begins to read a message with the fields f, to which m is set. Again says
// that a part of it was read before.
func (r *ProtoReader) Message(m *ProtoMessage, f *ProtoFields, again bool) {
	if r.tag == 0 {
		r.outermost = f.Fields
	}
	if !again {
		if r.spent += f.Fields.Size; r.spent > memoryFloor+memoryFactor*len(r.whole) {
			r.failf(r.pos, ErrTooLarge, "more than %d times the input's bytes", memoryFactor)
		}
	}
	levels := 1
	if r.listed {
		r.listed, levels = false, 2
	}
	m.fields, m.again = f, again
	r.open(m, levels)
}

// open enters the message that comes next, which lies in so many levels more.
func (r *ProtoReader) open(m *ProtoMessage, levels int) {
	m.outer, m.levels = len(r.data), levels
	if r.depth += levels; r.depth > r.levels() {
		r.failf(r.pos, ErrDepth, "more than %d levels", r.levels())
		return
	}
	switch kind := r.tag & 7; {
	case r.absent:
		r.absent = false
		r.data = r.data[:r.pos]
	case kind == pbBytes:
		n := r.length()
		r.data = r.data[:r.pos+n]
	case kind == pbStartGroup:
		m.group = r.tag&^7 | pbEndGroup
	}
	m.start = r.pos
}

// Absent makes the reader take the message that is read next for an empty one. It
// serves entries of maps without a value.
func (r *ProtoReader) Absent() { r.absent = true }

// Next moves to the next field and sets m.Tag. The field's value must be read, kept
// or skipped before the next call. Next is false at the message's end and after a
// failure.
func (r *ProtoReader) Next(m *ProtoMessage) bool {
	if r.pos < len(r.data) {
		// Most tags have one byte. Bits of the mask are the types that begin a value.
		if c := r.data[r.pos]; c-8 < 0x78 && (c&7 <= pbStartGroup || c&7 == pbFixed32) {
			m.at = r.pos
			r.pos++
			r.tag, m.Tag = uint32(c), uint32(c)
			return true
		}
	} else if m.group == 0 && !r.failed() {
		m.at = r.pos
		return r.end(m)
	}
	return r.next(m)
}

func (r *ProtoReader) next(m *ProtoMessage) bool {
	if r.failed() {
		r.step(m)
		return false
	}
	m.at = r.pos
	if r.pos == len(r.data) {
		if m.group != 0 {
			r.fail(r.pos, ErrTruncated)
			return false
		}
		return r.end(m)
	}
	tag, ok := r.readTag()
	switch {
	case !ok:
		return false
	case tag == m.group: // which is no tag of a field
		return r.end(m)
	case tag&7 == pbEndGroup:
		r.failf(m.at, ErrSyntax, "a group ends that did not begin")
		return false
	}
	r.tag, m.Tag = tag, tag
	return true
}

// readTag reads the number and the type of a field.
func (r *ProtoReader) readTag() (uint32, bool) {
	at := r.pos
	tag := r.varint()
	switch number, kind := tag>>3, tag&7; {
	case r.failed():
		return 0, false
	case number == 0 || number > 1<<29-1:
		r.failf(at, ErrSyntax, "found the field number %d", number)
		return 0, false
	case kind > pbFixed32:
		r.failf(at, ErrSyntax, "found the wire type %d", kind)
		return 0, false
	}
	return uint32(tag), true
}

// end leaves the message and checks that it has all that it must have.
func (r *ProtoReader) end(m *ProtoMessage) bool {
	r.depth -= m.levels
	r.data = r.data[:m.outer]
	if m.fields == nil || m.again {
		return false
	}
	for _, i := range m.fields.Required {
		if i < 64 && m.seen&(1<<i) == 0 || i >= 64 && !(m.rare != nil && m.rare.seen.has(i)) {
			r.fail(r.pos, ErrMissing)
			r.within("." + m.fields.Fields.Names[i])
			break
		}
	}
	return false
}

// Saw notes that the required field with the given index is there.
func (m *ProtoMessage) Saw(index int) {
	if index < 64 {
		m.seen |= 1 << index
		return
	}
	m.more().seen.add(index)
}

// Skip passes over the value that comes next, of whatever field it is.
func (r *ProtoReader) Skip() { r.skip(r.tag) }

func (r *ProtoReader) skip(tag uint32) {
	switch tag & 7 {
	case pbVarint:
		r.varint()
	case pbFixed64:
		r.take(8)
	case pbBytes:
		r.take(r.length())
	case pbFixed32:
		r.take(4)
	case pbStartGroup:
		r.skipGroup(tag&^7 | pbEndGroup)
	}
}

// skipGroup passes over the fields up to the tag that ends the group.
func (r *ProtoReader) skipGroup(end uint32) {
	if r.tooDeep() {
		return
	}
	r.depth++
	for {
		at := r.pos
		tag, ok := r.readTag()
		switch {
		case !ok:
			return
		case tag == end:
			r.depth--
			return
		case tag&7 == pbEndGroup:
			r.failf(at, ErrSyntax, "a group ends that did not begin")
			return
		}
		r.skip(tag)
	}
}

// Keep reads the value that comes next and adds it, with its tag, to u.
func (r *ProtoReader) Keep(m *ProtoMessage, u *Unknown) {
	start := r.pos
	if r.Skip(); r.failed() {
		return
	}
	last := len(*u) - 1
	if last < 0 || (*u)[last].Format != Proto {
		*u = append(*u, UnknownField{Format: Proto})
		last++
	}
	fields := &(*u)[last]
	fields.Raw = appendVarint(fields.Raw, uint64(m.Tag))
	fields.Raw = append(fields.Raw, r.data[start:r.pos]...)
}
