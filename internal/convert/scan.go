package convert

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/runtime/wire"
)

const (
	// maxNesting is how deep messages may nest on protobuf's wire, where a level
	// of a free value is three: a Struct, its entry, and the Value in it.
	maxNesting = 3*wire.MaxDepth + 10
	// The messages of a payload may take memoryFloor bytes, and memoryFactor
	// times those of the payload. One takes messageCost, and fieldCost for each
	// field that it has room for.
	memoryFloor  = 64 << 20
	memoryFactor = 64
	messageCost  = 512
	fieldCost    = 16
)

// A scan looks through the bytes of protobuf's wire before they are parsed, for
// what the parser does not tell: where a fault lies, what the schema has no field
// for, and how much memory the messages will take.
type scan struct {
	budget int
	// leftOut counts the values that the schema has no field for, names says of
	// what they are, in the order in which they were found.
	leftOut map[string]int
	names   []string
}

func newScan(data []byte) *scan {
	return &scan{budget: memoryFloor + memoryFactor*len(data), leftOut: map[string]int{}}
}

// message scans a message of the type d, which begins at the offset.
func (s *scan) message(b []byte, offset int, d protoreflect.MessageDescriptor, depth int) *fault {
	if depth > maxNesting {
		return faultf(wire.ErrDepth, "more than %d messages in each other", maxNesting).at(offset)
	}
	if s.budget -= messageCost + fieldCost*d.Fields().Len(); s.budget < 0 {
		return faultf(wire.ErrTooLarge, "it holds too many messages").at(offset)
	}
	var elements map[protowire.Number]int // how many messages each list has so far
	for pos := 0; pos < len(b); {
		num, typ, n := protowire.ConsumeTag(b[pos:])
		if n < 0 {
			return malformed(n).at(offset + pos)
		}
		if num > protowire.MaxValidNumber {
			return faultf(wire.ErrSyntax, "found the field number %d", num).at(offset + pos)
		}
		size := protowire.ConsumeFieldValue(num, typ, b[pos+n:])
		fd := d.Fields().ByNumber(num)
		step := ""
		if fd != nil {
			step = inField(string(fd.Name()))
		}
		if size < 0 {
			return malformed(size).at(offset + pos + n).within(step)
		}
		value := b[pos+n : pos+n+size]
		start := offset + pos + n
		pos += n + size
		if fd == nil || !fits(fd, typ) {
			s.leave(d, num, fd != nil)
			continue
		}
		if fd.IsList() && fd.Message() != nil {
			if elements == nil {
				elements = map[protowire.Number]int{}
			}
			step += inElement(elements[num])
			elements[num]++
		}
		if f := s.value(value, start, fd, typ, depth); f != nil {
			return f.within(step)
		}
	}
	return nil
}

// value scans a field's value, behind its tag.
func (s *scan) value(b []byte, offset int, fd protoreflect.FieldDescriptor, typ protowire.Type, depth int) *fault {
	switch typ {
	case protowire.StartGroupType:
		inner, _ := protowire.ConsumeGroup(fd.Number(), b)
		return s.message(inner, offset, fd.Message(), depth+1)
	case protowire.BytesType:
	default:
		return nil
	}
	inner, n := protowire.ConsumeBytes(b)
	offset += n - len(inner)
	switch {
	case fd.Message() != nil:
		return s.message(inner, offset, fd.Message(), depth+1)
	case fd.Kind() == protoreflect.StringKind:
		if !utf8.Valid(inner) {
			return faultf(wire.ErrUTF8, "found the string %.64q", inner).at(offset)
		}
	case fd.Kind() != protoreflect.BytesKind: // numbers, packed
		for pos := 0; pos < len(inner); {
			n := protowire.ConsumeFieldValue(fd.Number(), wireType(fd.Kind()), inner[pos:])
			if n < 0 {
				return malformed(n).at(offset + pos)
			}
			pos += n
		}
	}
	return nil
}

// malformed says what is wrong with bytes of which package protowire returned n.
func malformed(n int) *fault {
	err := protowire.ParseError(n)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return &fault{err: wire.ErrTruncated}
	}
	return faultf(wire.ErrSyntax, "%w", err)
}

// fits says whether the field may have a value of the wire type.
func fits(fd protoreflect.FieldDescriptor, typ protowire.Type) bool {
	want := wireType(fd.Kind())
	return typ == want || typ == protowire.BytesType && fd.IsList() && want != protowire.StartGroupType
}

// wireType is how values of the kind stand on the wire, unless they are packed.
func wireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	}
	return protowire.VarintType
}

// leave notes that a value of the message d is left out. Known says that the
// field is there, but of another type.
func (s *scan) leave(d protoreflect.MessageDescriptor, num protowire.Number, known bool) {
	name := fmt.Sprintf("%s has no field %d", d.FullName(), num)
	if known {
		name = fmt.Sprintf("field %d of %s is of another type", num, d.FullName())
	}
	if s.leftOut[name] == 0 {
		s.names = append(s.names, name)
	}
	s.leftOut[name]++
}

// sentences say what is left out.
func (s *scan) sentences() []string {
	all := make([]string, len(s.names))
	for i, name := range s.names {
		all[i] = name + "; its value is left out"
		if n := s.leftOut[name]; n > 1 {
			all[i] = fmt.Sprintf("%s; its %d values are left out", name, n)
		}
	}
	return all
}
