package load

import (
	"iter"
	"slices"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// all yields the elements of one of protoreflect's lists.
func all[T any](list interface {
	Len() int
	Get(int) T
}) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range list.Len() {
			if !yield(list.Get(i)) {
				return
			}
		}
	}
}

// messages yields the messages that a schema declares there, a nested one behind
// the one that holds it. Those that protobuf makes for maps and those that have
// a Go type of their own are left out.
func messages(in interface {
	Messages() protoreflect.MessageDescriptors
}) iter.Seq[protoreflect.MessageDescriptor] {
	return func(yield func(protoreflect.MessageDescriptor) bool) {
		nested(in.Messages(), yield)
	}
}

func nested(in protoreflect.MessageDescriptors, yield func(protoreflect.MessageDescriptor) bool) bool {
	for m := range all(in) {
		if m.IsMapEntry() || hasGoType(m) {
			continue
		}
		if !yield(m) || !nested(m.Messages(), yield) {
			return false
		}
	}
	return true
}

// enums yields the enums of a file, nested ones included.
func enums(file protoreflect.FileDescriptor) iter.Seq[protoreflect.EnumDescriptor] {
	return func(yield func(protoreflect.EnumDescriptor) bool) {
		for e := range all(file.Enums()) {
			if !yield(e) {
				return
			}
		}
		for m := range messages(file) {
			for e := range all(m.Enums()) {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// optionsField is the number of the field "options" in the descriptor of an
// element of that kind.
func optionsField(d protoreflect.Descriptor) int32 {
	switch d.(type) {
	case protoreflect.FileDescriptor, protoreflect.FieldDescriptor:
		return 8
	case protoreflect.MessageDescriptor:
		return 7
	case protoreflect.MethodDescriptor:
		return 4
	}
	return 3 // enum, enum value, service
}

// pos is the place of an element.
func (b *builder) pos(d protoreflect.Descriptor) model.Pos {
	file := d.ParentFile()
	return b.place(file, file.SourceLocations().ByDescriptor(d))
}

// optionPos is the place of a custom option, or of one field of its value, of an
// element; where the source information is not that fine, of what holds it.
func (b *builder) optionPos(d protoreflect.Descriptor, e extension, field protoreflect.Name) model.Pos {
	path := []int32{optionsField(d), int32(e.number)}
	if f := e.message.Fields().ByName(field); f != nil {
		path = append(path, int32(f.Number()))
	}
	return b.partPos(d, path...)
}

// partPos is the place of what lies at path in the descriptor of an element, or
// of the nearest thing above it that has one.
func (b *builder) partPos(d protoreflect.Descriptor, path ...int32) model.Pos {
	file := d.ParentFile()
	locations := file.SourceLocations()
	var root protoreflect.SourcePath
	if _, isFile := d.(protoreflect.FileDescriptor); !isFile {
		root = locations.ByDescriptor(d).Path
		if root == nil {
			return b.place(file, protoreflect.SourceLocation{})
		}
	}
	for n := len(path); n > 0; n-- {
		full := slices.Concat(root, path[:n])
		if l := locations.ByPath(full); l.Path != nil {
			return b.place(file, l)
		}
	}
	return b.pos(d)
}

func (b *builder) place(file protoreflect.FileDescriptor, l protoreflect.SourceLocation) model.Pos {
	p := model.Pos{Path: b.shown(file.Path())}
	if l.Path != nil {
		p.Line, p.Col = l.StartLine+1, l.StartColumn+1
	}
	return p
}
