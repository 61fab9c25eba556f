package wire

import "encoding/binary"

// An mpKind is a kind of msgpack value.
type mpKind uint8

const (
	mpInvalid mpKind = iota // the byte 0xc1, which msgpack never uses
	mpNil
	mpBool
	mpInt
	mpFloat
	mpString
	mpBytes
	mpExt
	mpList
	mpMap
)

// String names the kind as the errors do.
func (k mpKind) String() string {
	switch k {
	case mpNil:
		return "nil"
	case mpBool:
		return "a boolean"
	case mpInt:
		return "an integer"
	case mpFloat:
		return "a float"
	case mpString:
		return "a string"
	case mpBytes:
		return "bytes"
	case mpExt:
		return "an extension"
	case mpList:
		return "a list"
	case mpMap:
		return "a map"
	}
	return "no value"
}

// An mpForm is what the first byte of a value tells.
type mpForm struct {
	kind mpKind
	// width is how many bytes come next that hold a length.
	width uint8
	// size is the length as far as the first byte tells it. What width holds is
	// added. It counts the elements of a list, the entries of a map and the bytes
	// of everything else, an extension's type among them.
	size uint8
}

// mpForms are the forms of the codes from 0xc0 to 0xdf.
var mpForms = [32]mpForm{
	{kind: mpNil}, {kind: mpInvalid}, {kind: mpBool}, {kind: mpBool},
	{mpBytes, 1, 0}, {mpBytes, 2, 0}, {mpBytes, 4, 0},
	{mpExt, 1, 1}, {mpExt, 2, 1}, {mpExt, 4, 1},
	{mpFloat, 0, 4}, {mpFloat, 0, 8},
	{mpInt, 0, 1}, {mpInt, 0, 2}, {mpInt, 0, 4}, {mpInt, 0, 8},
	{mpInt, 0, 1}, {mpInt, 0, 2}, {mpInt, 0, 4}, {mpInt, 0, 8},
	{mpExt, 0, 2}, {mpExt, 0, 3}, {mpExt, 0, 5}, {mpExt, 0, 9}, {mpExt, 0, 17},
	{mpString, 1, 0}, {mpString, 2, 0}, {mpString, 4, 0},
	{mpList, 2, 0}, {mpList, 4, 0},
	{mpMap, 2, 0}, {mpMap, 4, 0},
}

func mpFormOf(code byte) mpForm {
	switch {
	case code < 0x80 || code >= 0xe0:
		return mpForm{kind: mpInt}
	case code < 0x90:
		return mpForm{kind: mpMap, size: code & 0x0f}
	case code < 0xa0:
		return mpForm{kind: mpList, size: code & 0x0f}
	case code < 0xc0:
		return mpForm{kind: mpString, size: code & 0x1f}
	}
	return mpForms[code-0xc0]
}

// length returns the value's length, given the bytes that hold it.
func (f mpForm) length(text []byte) uint64 {
	n := uint64(f.size)
	switch f.width {
	case 1:
		n += uint64(text[0])
	case 2:
		n += uint64(binary.BigEndian.Uint16(text))
	case 4:
		n += uint64(binary.BigEndian.Uint32(text))
	}
	return n
}

// An mpHeader is the beginning of a value.
type mpHeader struct {
	kind mpKind
	head int // bytes up to the payload or the first element
	size int // as in mpForm
}

// header looks at the value that comes next and does not move. What the header
// claims is there: so many bytes, or at least one byte for each element.
func (r *MsgpackReader) header(want string) (mpHeader, bool) {
	if r.pos >= len(r.data) {
		r.failf(r.pos, ErrTruncated, "want %s", want)
		return mpHeader{}, false
	}
	f := mpFormOf(r.data[r.pos])
	h := mpHeader{kind: f.kind, head: 1 + int(f.width)}
	room := len(r.data) - r.pos - h.head
	if room < 0 {
		r.failf(r.pos, ErrTruncated, "the length of %s is cut off", f.kind)
		return h, false
	}
	n := f.length(r.data[r.pos+1:])
	switch f.kind {
	case mpInvalid:
		r.failf(r.pos, ErrSyntax, "0xc1 begins no msgpack value, want %s", want)
		return h, false
	case mpMap:
		if n > uint64(room)/2 {
			r.failf(r.pos, ErrTruncated, "%s claims %d entries, %d bytes are left", f.kind, n, room)
			return h, false
		}
	case mpList:
		if n > uint64(room) {
			r.failf(r.pos, ErrTruncated, "%s claims %d elements, %d bytes are left", f.kind, n, room)
			return h, false
		}
	default:
		if n > uint64(room) {
			r.failf(r.pos, ErrTruncated, "%s claims %d bytes, %d are left", f.kind, n, room)
			return h, false
		}
	}
	h.size = int(n)
	return h, true
}

// skip passes over one value of any kind. It checks all that can be checked
// without knowing what the value means.
func (r *MsgpackReader) skip() {
	h, ok := r.header("a value")
	switch {
	case !ok:
	case h.kind == mpList:
		for range r.open(mpList, "a list") {
			r.owed--
			if r.skip(); r.failed() {
				return
			}
		}
		r.depth--
	case h.kind == mpMap:
		r.skipMap()
	default:
		r.skipLeaf(h)
	}
}

func (r *MsgpackReader) skipMap() {
	var keys keySet
	for range r.open(mpMap, "a map") {
		r.owed -= 2
		at := r.pos
		if r.skip(); r.failed() {
			return
		}
		if key := r.data[at:r.pos]; !keys.add(key) {
			r.failf(at, ErrDuplicate, "%q", mpKeyText(key))
			return
		}
		if r.skip(); r.failed() {
			return
		}
	}
	r.depth--
}

func (r *MsgpackReader) skipLeaf(h mpHeader) {
	if payload := r.take(h); h.kind == mpString {
		r.valid(payload)
	}
}
