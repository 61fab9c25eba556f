package wire

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a message's bytes, or with a value that is to be
// written. Test for them with [errors.Is] on the error of any codec method.
var (
	// ErrSyntax means that the bytes are not JSON, msgpack or protobuf at all.
	ErrSyntax = errors.New("malformed")
	// ErrTruncated means that the bytes end inside a value.
	ErrTruncated = errors.New("ends too early")
	// ErrTrailing means that bytes follow the message.
	ErrTrailing = errors.New("bytes follow the message")
	// ErrType means that a value is of another type than its field.
	ErrType = errors.New("wrong type")
	// ErrValue means that a value is of its field's type but not in its form,
	// such as a time without an offset.
	ErrValue = errors.New("bad value")
	// ErrRange means that a number or a time does not fit its field or its format.
	ErrRange = errors.New("out of range")
	// ErrMissing means that a required field is absent.
	ErrMissing = errors.New("required field is missing")
	// ErrDuplicate means that a key is there twice.
	ErrDuplicate = errors.New("duplicate key")
	// ErrUTF8 means that text is not valid UTF-8.
	ErrUTF8 = errors.New("invalid UTF-8")
	// ErrTooLarge means that a message would take far more memory than it has
	// bytes, as lists of empty messages do.
	ErrTooLarge = errors.New("takes too much memory")
	// ErrVersion means that a value can't be written at an older version of the
	// schema, which does not have it.
	ErrVersion = errors.New("not in that version of the schema")
	// ErrDepth means that values nest deeper than [MaxDepth].
	ErrDepth = errors.New("nested too deep")
)

// An Error says where reading or writing a message failed.
type Error struct {
	// Message is the full name of the outermost message, such as
	// "coordination.HeartbeatMessage".
	Message string
	// Field is the path of wire names to the value, such as "items[3].price".
	// It is empty when the message itself is at fault.
	Field string
	// Offset is the byte of the input at which the fault was found, counted
	// from 0. It is -1 when a message could not be written.
	Offset int
	// Err says what is wrong. It wraps one of the package's errors.
	Err error
}

// Error returns the fault in one line: message, field, byte offset, cause.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Message)
	if e.Field != "" {
		b.WriteString(": ")
		b.WriteString(e.Field)
	}
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " (byte %d)", e.Offset)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
