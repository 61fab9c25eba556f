package wire

import (
	"errors"
	"fmt"
	"io"

	"github.com/vmihailenco/msgpack/v5"
)

// EncodeMsgpack writes the message to enc. Generated messages call it to be a
// [msgpack.CustomEncoder].
func EncodeMsgpack(enc *msgpack.Encoder, m interface {
	AppendMsgpack(b []byte) ([]byte, error)
}) error {
	var b []byte
	if w, ok := enc.Writer().(interface{ AvailableBuffer() []byte }); ok {
		b = w.AvailableBuffer() // of a bytes.Buffer: no copy when it has room
	}
	b, err := m.AppendMsgpack(b)
	if err != nil {
		return err
	}
	_, err = enc.Writer().Write(b)
	return err
}

// DecodeMsgpack reads the message from dec. Generated messages call it to be a
// [msgpack.CustomDecoder]. At the end of the input it returns io.EOF.
func DecodeMsgpack(dec *msgpack.Decoder, m interface {
	UnmarshalMsgpack(data []byte) error
}) error {
	b, cause := readValue(dec)
	switch {
	case cause == nil:
		return m.UnmarshalMsgpack(b)
	case errors.Is(cause, io.EOF) && len(b) == 0:
		return io.EOF
	case errors.Is(cause, io.EOF), errors.Is(cause, io.ErrUnexpectedEOF):
		cause = ErrTruncated
	case !errors.Is(cause, ErrSyntax) && !errors.Is(cause, ErrDepth):
		return fmt.Errorf("wire: read a message: %w", cause)
	}
	// The message's own reader knows best where in it the fault lies.
	if err := m.UnmarshalMsgpack(b); errors.Is(err, cause) {
		return err
	}
	return &Error{Message: fmt.Sprintf("%T", m), Offset: len(b), Err: cause}
}

// readValue reads the bytes of one value. The decoder's own DecodeRaw recurses
// as deep as the input nests, which a sender can make overflow the stack.
// After a fault it returns what was read until then.
func readValue(dec *msgpack.Decoder) ([]byte, error) {
	in := valueReader{dec: dec, b: make([]byte, 0, 256)}
	var open nesting
	for {
		form := mpFormOf(in.few(1)[0])
		size := form.length(in.few(int(form.width)))
		if in.err != nil {
			return in.b, in.err
		}
		switch form.kind {
		case mpInvalid:
			return in.b, ErrSyntax
		case mpList, mpMap:
			if !open.enter(form.kind, size) {
				return in.b, ErrDepth
			}
			if size > 0 {
				continue
			}
		default:
			in.many(size)
		}
		if in.err != nil || open.leave() {
			return in.b, in.err
		}
	}
}

// A valueReader collects bytes from a decoder. After a failure it reads zeros.
type valueReader struct {
	dec *msgpack.Decoder
	b   []byte // all that was read
	err error
}

// few reads n bytes and returns them.
func (r *valueReader) few(n int) []byte {
	start := len(r.b)
	read := append(r.b, make([]byte, n)...) //nolint:gocritic // r.b gets it only when all of it was read
	if r.err == nil && n > 0 {
		if r.err = r.dec.ReadFull(read[start:]); r.err == nil {
			r.b = read
		}
	}
	return read[start:]
}

// many reads n bytes, of which there may be fewer: it never makes more room than
// was filled before.
func (r *valueReader) many(n uint64) {
	for n > 0 && r.err == nil {
		chunk := min(n, uint64(max(len(r.b), 512)))
		r.few(int(chunk))
		n -= chunk
	}
}

// A nesting follows values into lists and maps without recursion.
type nesting struct {
	depth int
	owed  [MaxDepth]uint64 // values still to come, for each open level
}

// enter opens a list or a map of size elements or entries. An empty one is over
// at once. It says false when that is too deep.
func (n *nesting) enter(kind mpKind, size uint64) bool {
	if n.depth >= MaxDepth {
		return false
	}
	if size == 0 {
		return true
	}
	if kind == mpMap {
		size *= 2
	}
	n.owed[n.depth] = size
	n.depth++
	return true
}

// leave notes the end of a value and says whether the outermost one ended.
func (n *nesting) leave() bool {
	for ; n.depth > 0; n.depth-- {
		owed := &n.owed[n.depth-1]
		if *owed--; *owed > 0 {
			return false
		}
	}
	return true
}
