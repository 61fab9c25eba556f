package wire

import (
	"fmt"
	"strings"
)

// An Input is what the readers have in common: how far they are, and their first
// fault. Its path grows from the inside out while the readers of the enclosing
// values return, so that the good path pays nothing for it.
type Input struct {
	data  []byte
	pos   int
	depth int
	// spent is what the messages so far take in memory.
	spent int
	// ahead is the room that the lists that are open made for elements which
	// their headers claim. It is none that begin counts: that would count twice.
	ahead int
	// guessed is the room that lists whose length nothing tells were given beyond what
	// append would give.
	guessed int
	// texts has the strings so far that are short. They share pieces of memory, which
	// takes fewer of them, and none that holds much more than the string that is kept.
	texts []byte
	// strings has lists of short strings so far, and what pointers to short strings
	// point to. They share pieces of memory as well.
	strings []string
	// alias says that strings share the input's memory, and reuse that lists and maps
	// keep that of the message they are read into.
	alias, reuse bool
	// extra is by how much more than MaxDepth values may nest.
	extra int

	outermost *Fields // of the message that is read, which gives errors their name
	fault     *Error  // the first one, without what report adds
}

// rawValue is the input of a reader of an unknown field's value, which lies in a
// message.
func rawValue(raw []byte) Input { return Input{data: raw, depth: 1} }

// AliasInput makes the strings that are read parts of the input, which is not copied
// then. It must not change as long as one of them is in use, and one that is kept
// keeps all of it in memory.
func (in *Input) AliasInput() { in.alias = true }

// ReuseMemory makes the message that is read take over the lists and maps that it
// has, with their memory. What else refers to them sees them change. A list that is
// absent is empty then, and not nil.
func (in *Input) ReuseMemory() { in.reuse = true }

// ReusesMemory says whether [ReuseMemory] was called. It serves the messages.
func (in *Input) ReusesMemory() bool { return in.reuse }

// LimitDepth sets how many levels values may nest. Without it, these are [MaxDepth].
func (in *Input) LimitDepth(levels int) { in.extra = levels - MaxDepth }

// levels is how many levels values may nest.
func (in *Input) levels() int { return MaxDepth + in.extra }

// tooDeep says whether no level more is left, and fails then.
func (in *Input) tooDeep() bool {
	if in.depth < in.levels() {
		return false
	}
	in.failf(in.pos, ErrDepth, "more than %d levels", in.levels())
	return true
}

// at sets the position to where b begins, which is the rest of the input.
func (in *Input) at(b []byte) { in.pos = len(in.data) - len(b) }

// rest is the rest of the input.
func (in *Input) rest() []byte { return in.data[in.pos:] }

func (in *Input) failed() bool { return in.fault != nil }

// fail records the first fault; later ones are its consequences. It hides the rest
// of the input, so that whatever is called afterwards finds nothing to read.
func (in *Input) fail(offset int, err error) {
	if in.fault == nil {
		in.fault = &Error{Offset: offset, Err: err}
	}
	in.data, in.pos = nil, 0
}

func (in *Input) failf(offset int, cause error, format string, args ...any) {
	if in.fault == nil {
		in.fail(offset, fmt.Errorf("%w: "+format, append([]any{cause}, args...)...))
	}
}

// within prepends a step to the path: ".name" for a field, "[3]" for an element.
func (in *Input) within(step string) { in.fault.Field = step + in.fault.Field }

func (in *Input) report() error {
	if in.fault == nil {
		return nil
	}
	if in.outermost != nil {
		in.fault.Message = in.outermost.Message
	}
	in.fault.Field = strings.TrimPrefix(in.fault.Field, ".")
	return in.fault
}

// begin notes that a message with the fields f is read, and says whether it may be. The
// outermost one gives errors their name, and all together take memory.
func (in *Input) begin(f *Fields) bool {
	if in.outermost == nil {
		in.outermost = f
	}
	if in.spent += f.Size; in.spent > in.budget() {
		in.failf(in.pos, ErrTooLarge, "more than %d times the input's bytes", memoryFactor)
		return false
	}
	return true
}

// budget is how much memory the input may take.
func (in *Input) budget() int { return memoryFloor + memoryFactor*len(in.data) }

// room is how much more memory the input may take.
func (in *Input) room() int { return in.budget() - in.spent - in.ahead }

// end checks that a message that was read has all that it must have.
func (in *Input) end(o *place) {
	if name, missing := o.missing(); missing {
		in.fail(in.pos, ErrMissing)
		in.within("." + name)
	}
}

// twice fails because the key of o, which begins at the offset, was there before.
func (in *Input) twice(o *place, at int, key []byte) {
	in.failf(at, ErrDuplicate, "%q", clip(key))
	in.within(o.step())
}

// Conflict fails because the current field, at whose value b is, is a member of the
// oneof of that name, and another member was there before.
func (in *Input) Conflict(b []byte, oneof string) []byte {
	in.at(b)
	in.failf(in.pos, ErrDuplicate, "another member of the oneof %q was there", oneof)
	return nil
}
