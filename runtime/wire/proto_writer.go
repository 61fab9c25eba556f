package wire

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// A ProtoWriter appends a message to a buffer as protobuf's binary wire has it. Its
// methods take the buffer and return it with the value appended. After the first
// failure it appends nothing that matters; Close reports the failure.
//
// The bytes are those that protobuf-go writes if it is told to be deterministic.
type ProtoWriter struct {
	output
	path string
	// indexed says that the path begins with the index in a list.
	indexed bool
}

// NewProtoWriter returns a writer that appends to b.
func NewProtoWriter(b []byte) ProtoWriter { return ProtoWriter{output: output{start: len(b)}} }

// Close ends the writing of the message of that name. After a failure it returns
// the buffer as it was before the message, and an [*Error].
func (w *ProtoWriter) Close(b []byte, message string) ([]byte, error) {
	if w.err == nil {
		return w.result(b), nil
	}
	return w.result(b[:w.start]), &Error{Message: message, Field: strings.TrimPrefix(w.path, "."), Offset: -1, Err: w.err}
}

// End ends a message with the fields f that begins at start. It appends those of the
// unknown fields that were read from protobuf.
func (w *ProtoWriter) End(b []byte, start int, u Unknown, f *ProtoFields) []byte {
	if w.err == nil && len(u) == 0 {
		return b
	}
	return w.end(b, start, u, f)
}

func (w *ProtoWriter) end(b []byte, start int, u Unknown, f *ProtoFields) []byte {
	for i := range u {
		if u[i].Format == Proto && w.err == nil {
			b = w.raw(b, u[i].Raw)
		}
	}
	if w.err != nil {
		w.locate(b, start, f)
	}
	return b
}

// raw appends fields that are protobuf already. A program may have set them, so they
// are looked at: broken ones would break the whole message.
func (w *ProtoWriter) raw(b, fields []byte) []byte {
	r := NewProtoReader(fields)
	for r.pos < len(r.data) {
		at := r.pos
		tag, ok := r.readTag()
		switch {
		case !ok:
		case tag&7 == pbEndGroup:
			r.failf(at, ErrSyntax, "a group ends that did not begin")
		default:
			r.skip(tag)
		}
	}
	if r.failed() {
		return w.failf(b, r.fault.Err, "in the unknown fields, at byte %d", r.fault.Offset)
	}
	return append(b, fields...)
}

// locate prepends to the path of the failure the field of the message that begins at
// start, if the failure lies in it. The buffer may have grown since.
func (w *ProtoWriter) locate(b []byte, start int, f *ProtoFields) {
	if start > w.at {
		return // the message came behind it
	}
	var last uint32
	var at int
	if w.field != "" {
		w.path, w.field = "."+w.field, ""
	} else if last, at = lastTag(b[start:w.at]); last != 0 {
		w.path = f.step(last>>3, b[start:start+at], w.indexed) + w.path
	}
	w.indexed = false
	w.at = start
}

// lastTag returns the tag of the last field of a message that is yet to be ended,
// and where it begins.
func lastTag(written []byte) (last uint32, at int) {
	for last, at = range protoTags(written) {
		continue
	}
	return last, at
}

// Length sets the length of the message that begins at start. One byte before it was
// kept for that; a longer length moves the message.
func (*ProtoWriter) Length(b []byte, start int) []byte {
	if n := len(b) - start; n < 0x80 {
		b[start-1] = byte(n)
		return b
	}
	return longLength(b, start)
}

// longLength is Length for a message of 128 bytes or more.
func longLength(b []byte, start int) []byte {
	var length [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(length[:], uint64(len(b)-start))
	b = append(b, length[1:n]...) // for room
	copy(b[start+n-1:], b[start:])
	copy(b[start-1:], length[:n])
	return b
}

// Group makes the message whose length begins at start one without it, which the tag
// ends. It serves those of protobuf's own messages that are no message in Go.
func (w *ProtoWriter) Group(b []byte, start int, end ...byte) []byte {
	if w.err != nil {
		return b
	}
	_, n := binary.Uvarint(b[start:])
	return append(b[:start+copy(b[start:], b[start+n:])], end...)
}

// Packed is Length for a list in one piece, of varints if size is 0, else of values
// of that size.
func (w *ProtoWriter) Packed(b []byte, start, size int) []byte {
	if w.err == nil {
		return w.Length(b, start)
	}
	if start <= w.at {
		r := NewProtoReader(b[start:w.at])
		w.path, w.indexed, w.at = "["+strconv.Itoa(r.values(size))+"]", true, start
	}
	return b
}

// Entry is Length for the entry of a map with that key.
func Entry[K comparable](w *ProtoWriter, b []byte, start int, key K) []byte {
	if w.err == nil {
		return w.Length(b, start)
	}
	if start <= w.at {
		w.path, w.at = entryStep(key)+w.path, start
	}
	return b
}

// EnterField is Enter for the list or the map in the field of that name.
func (w *ProtoWriter) EnterField(b []byte, field string) bool {
	failed := w.stopped()
	entered := w.Enter(b)
	if !entered && !failed {
		w.field = field
	}
	return entered
}
