package wire

import (
	"fmt"
	"reflect"
	"slices"
	"sync"
)

// An output is what the writers have in common: where the message begins, how deep
// they are, and their first fault.
type output struct {
	start int
	depth int // as far as it is counted
	err   error
	// at is how long the buffer was when writing failed.
	at int
	// field is the field at fault when nothing of it was written, not even its
	// key.
	field string
	// scratch is where the message is written if the caller gave no buffer.
	scratch *scratch
	// version is the one to write at, if it is not the present one of each schema.
	version Version
	// copied says that the message that is written lies in a copy.
	copied bool
}

// A scratch is a buffer that serves one message after the other, so that a message
// whose size nobody knows before costs one allocation, for its copy.
type scratch struct{ b []byte }

// Messages are written in scratches of 1 KiB, which grow with them; those that grew
// beyond the limit are not kept.
const (
	scratchSize  = 1 << 10
	scratchLimit = 64 << 10
)

var scratches = sync.Pool{New: func() any { return &scratch{make([]byte, 0, scratchSize)} }}

// Begin returns the buffer to write to: b, or, if b has no room at all, one of which
// Close returns a copy.
func (out *output) Begin(b []byte) []byte {
	if cap(b) == 0 {
		return out.borrow()
	}
	return b
}

func (out *output) borrow() []byte {
	out.scratch = scratches.Get().(*scratch)
	return out.scratch.b[:0]
}

// result returns the message in b in a buffer of the caller's.
func (out *output) result(b []byte) []byte {
	s := out.scratch
	if s == nil {
		return b
	}
	if cap(b) <= scratchLimit {
		s.b = b
		b = slices.Clone(b)
	}
	scratches.Put(s)
	return b
}

// stopped says whether writing failed.
func (out *output) stopped() bool { return out.err != nil }

// failf records the first failure, before anything of the value was appended.
func (out *output) failf(b []byte, cause error, format string, args ...any) []byte {
	if out.err == nil {
		out.err = fmt.Errorf("%w: "+format, append([]any{cause}, args...)...)
		out.at = len(b)
	}
	return b
}

// foreign fails because no format has a form for values of v's type.
func (out *output) foreign(b []byte, v any) []byte {
	return out.failf(b, ErrType, "a Go value of type %T can't be written, use a basic type, []any or map[string]any", v)
}

// clashes says whether one of the unknown fields u of a message with the fields f
// would be there twice, and fails if so.
func (out *output) clashes(b []byte, u Unknown, f *Fields) bool {
	key, found := u.clash(f)
	if found {
		out.field = key
		out.failf(b, ErrDuplicate, "among the unknown fields")
	}
	return found
}

// Missing fails because a required field is not set.
func (out *output) Missing(b []byte, field string) {
	if !out.stopped() {
		out.err, out.at, out.field = ErrMissing, len(b), field
	}
}

// Reject fails because the oneof of that name holds member, which the schema
// does not name.
func (out *output) Reject(b []byte, oneof string, member any) {
	if !out.stopped() {
		if reflect.ValueOf(member).Kind() == reflect.Pointer {
			out.failf(b, ErrType, "a %T is no member of the oneof; its members are values, without &", member)
		} else {
			out.failf(b, ErrType, "a %T is no member of the oneof", member)
		}
		out.field = oneof
	}
}

// Enter begins a level: a message that can nest without end, or a list or a map of
// such. It says false, and the level must not be written, when that is too deep.
func (out *output) Enter(b []byte) bool {
	if out.tooDeep(b, out.depth) {
		return false
	}
	out.depth++
	return true
}

// Leave ends a level.
func (out *output) Leave() { out.depth-- }

// tooDeep says whether no list or map may be opened inside depth levels.
func (out *output) tooDeep(b []byte, depth int) bool {
	if depth >= MaxDepth {
		out.failf(b, ErrDepth, "more than %d levels, or a value that holds itself", MaxDepth)
		return true
	}
	return out.stopped()
}

// inside is how many levels are open around a free value, which lies in a message.
func (out *output) inside() int { return max(out.depth, 1) }

// A sign says which of two numbers an integer is.
type sign uint8

const (
	noInteger sign = iota
	signedInteger
	unsignedInteger
)

// integerOf returns the number that v is, if it is of one of Go's integer types.
func integerOf(v any) (i int64, u uint64, s sign) {
	switch v := v.(type) {
	case int:
		return int64(v), 0, signedInteger
	case int8:
		return int64(v), 0, signedInteger
	case int16:
		return int64(v), 0, signedInteger
	case int32:
		return int64(v), 0, signedInteger
	case int64:
		return v, 0, signedInteger
	case uint:
		return 0, uint64(v), unsignedInteger
	case uint8:
		return 0, uint64(v), unsignedInteger
	case uint16:
		return 0, uint64(v), unsignedInteger
	case uint32:
		return 0, uint64(v), unsignedInteger
	case uint64:
		return 0, v, unsignedInteger
	}
	return 0, 0, noInteger
}
