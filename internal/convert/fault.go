package convert

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/runtime/wire"
)

// ErrProtobuf means that a value has no form in protobuf.
var ErrProtobuf = errors.New("protobuf can't carry it")

// A fault says where a message has no form in protobuf, or is not protobuf. Its
// path grows from the inside out, as that of the readers of package wire.
type fault struct {
	path   string
	offset int // of the input, or -1
	err    error
}

func faultf(cause error, format string, args ...any) *fault {
	return &fault{offset: -1, err: fmt.Errorf("%w: "+format, append([]any{cause}, args...)...)}
}

// at says at which byte of the input the fault was found.
func (f *fault) at(offset int) *fault {
	f.offset = offset
	return f
}

// within prepends a step to the path of the fault, if there is one.
func (f *fault) within(step string) *fault {
	if f != nil {
		f.path = step + f.path
	}
	return f
}

// The steps of paths: to a field, an element of a list and an entry of a map.
func inField(name string) string { return "." + name }
func inElement(i int) string     { return "[" + strconv.Itoa(i) + "]" }
func inEntry(key any) string     { return fmt.Sprintf("[%.64q]", fmt.Sprint(key)) }

// report returns the fault as an error of a message of that name.
func (f *fault) report(message string) error {
	if f == nil {
		return nil
	}
	return &wire.Error{Message: message, Field: strings.TrimPrefix(f.path, "."), Offset: f.offset, Err: f.err}
}
