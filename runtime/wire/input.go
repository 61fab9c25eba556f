package wire

import (
	"fmt"
	"strings"
)

// An input is what the readers have in common: how far they are, and their first
// fault. Its path grows from the inside out while the readers of the enclosing
// values return, so that the good path pays nothing for it.
type input struct {
	data  []byte
	pos   int
	depth int
	// spent is what the messages so far take in memory.
	spent int
	// ahead is the room that the lists that are open made for elements which
	// their headers claim. It is none that begin counts: that would count twice.
	ahead int
	// texts has the strings so far that are short. They share pieces of memory, which
	// takes fewer of them, and none that holds much more than the string that is kept.
	texts []byte
	// alias says that strings share the input's memory.
	alias bool

	message string
	path    string
	offset  int
	err     error
}

// shareText is how many bytes the strings of a message may share.
const shareText = 512

// rawValue is the input of a reader of an unknown field's value, which lies in a
// message.
func rawValue(raw []byte) input { return input{data: raw, depth: 1} }

// asString returns the text, a part of the input, as a string.
func (in *input) asString(text []byte) string {
	start := len(in.texts)
	switch {
	case in.alias:
		return aliasOf(text)
	case len(text) <= cap(in.texts)-start:
	case len(text) > shareText/4:
		return string(text)
	default:
		start = 0
		in.texts = make([]byte, 0, min(len(text)+len(in.data)-in.pos, shareText))
	}
	in.texts = append(in.texts, text...)
	return aliasOf(in.texts[start:])
}

func (in *input) failed() bool { return in.err != nil }

// fail records the first fault; later ones are its consequences. It hides the rest
// of the input, so that whatever is called afterwards finds nothing to read.
func (in *input) fail(offset int, err error) {
	if in.err == nil {
		in.offset, in.err = offset, err
	}
	in.data, in.pos = nil, 0
}

func (in *input) failf(offset int, cause error, format string, args ...any) {
	if in.err == nil {
		in.fail(offset, fmt.Errorf("%w: "+format, append([]any{cause}, args...)...))
	}
}

// within prepends a step to the path: ".name" for a field, "[3]" for an element.
func (in *input) within(step string) { in.path = step + in.path }

func (in *input) report() error {
	if in.err == nil {
		return nil
	}
	return &Error{
		Message: in.message,
		Field:   strings.TrimPrefix(in.path, "."),
		Offset:  in.offset,
		Err:     in.err,
	}
}

// begin notes that a message with the fields f is read. The outermost one gives
// errors their name, and all together take memory.
func (in *input) begin(f *Fields) {
	if in.message == "" {
		in.message = f.Message
	}
	if in.spent += f.Size; in.spent > in.budget() {
		in.failf(in.pos, ErrTooLarge, "more than %d times the input's bytes", memoryFactor)
	}
}

// budget is how much memory the input may take.
func (in *input) budget() int { return memoryFloor + memoryFactor*len(in.data) }

// room is how much more memory the input may take.
func (in *input) room() int { return in.budget() - in.spent - in.ahead }

// end checks that a message that was read has all that it must have.
func (in *input) end(o *Object) {
	if name, missing := o.missing(); missing {
		in.fail(in.pos, ErrMissing)
		in.within("." + name)
	}
}

// twice fails because the key of o, which begins at the offset, was there before.
func (in *input) twice(o *Object, at int, key []byte) {
	in.failf(at, ErrDuplicate, "%q", clip(key))
	in.within(o.step())
}

// Conflict fails because the current field is a member of the oneof of that
// name, and another member was there before.
func (in *input) Conflict(oneof string) {
	in.failf(in.pos, ErrDuplicate, "another member of the oneof %q was there", oneof)
}
