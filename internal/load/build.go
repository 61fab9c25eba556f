package load

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// A builder makes the model of a set of compiled files. It works in passes over
// all files: what exists, what it is called in Go, what the fields are, and what
// the services make of it.
type builder struct {
	// shown is the path by which people know a file.
	shown func(importPath string) string
	// disk are the names on disk of the files that lie there, by import path.
	disk       map[string]string
	vocabulary *vocabulary
	goPackages GoPackages

	errs, warnings []Diagnostic

	files    []*file
	byPath   map[string]*file
	messages map[protoreflect.FullName]*message
	enums    map[protoreflect.FullName]*enum
	scopes   map[model.GoPackage]scope
	// locks are those beside the files, by import path, recorded the Go names that
	// they give, and structs the names of fields that they give or keep, by message.
	locks    map[string]*lock.Lock
	recorded map[recordKey]string
	structs  map[string]scope
	// unusable are the uses of a file without go_package that were reported.
	unusable map[[2]string]bool
}

// A file, a message and an enum are those of the model beside what they were
// made from.
type file struct {
	*model.File
	d        protoreflect.FileDescriptor
	messages []*message
	enums    []*enum
}

type message struct {
	*model.Message
	d protoreflect.MessageDescriptor
	// oneofs and fields stand in the order of those of the model.
	oneofs []protoreflect.OneofDescriptor
	fields []field
}

type field struct {
	*model.Field
	d protoreflect.FieldDescriptor
	o option
}

type enum struct {
	*model.Enum
	d protoreflect.EnumDescriptor
}

func newBuilder(shown func(string) string, g GoPackages) (*builder, error) {
	v, err := builtin()
	if err != nil {
		return nil, err
	}
	return &builder{
		shown: shown, vocabulary: v, goPackages: g,
		byPath:   map[string]*file{},
		messages: map[protoreflect.FullName]*message{},
		enums:    map[protoreflect.FullName]*enum{},
		scopes:   map[model.GoPackage]scope{},
		recorded: map[recordKey]string{},
		structs:  map[string]scope{},
		unusable: map[[2]string]bool{},
	}, nil
}

func (b *builder) errorf(p model.Pos, format string, args ...any) {
	b.errs = append(b.errs, Diagnostic{Pos: p, Message: fmt.Sprintf(format, args...)})
}

// warnf notes something about a file that code is generated for. What others
// wrote is not the user's to mend.
func (b *builder) warnf(d protoreflect.Descriptor, p model.Pos, format string, args ...any) {
	if f := b.byPath[d.ParentFile().Path()]; f != nil && f.Target {
		b.warnings = append(b.warnings, Diagnostic{Pos: p, Message: fmt.Sprintf(format, args...)})
	}
}

// build returns the model, which is of use only if no errors were noted.
func (b *builder) build(files []protoreflect.FileDescriptor, targets map[string]bool) *model.Schema {
	for _, f := range b.order(files, targets) {
		b.declareFile(f, targets[f.Path()])
	}
	b.packages()
	b.names()
	for _, f := range b.files {
		for _, m := range f.messages {
			b.fields(m)
			b.roles(m)
			b.migrations(m)
		}
	}
	b.services()
	b.packageImports()
	b.importVersions()

	s := &model.Schema{}
	for _, f := range b.files {
		s.Files = append(s.Files, f.File)
	}
	return s
}

// order returns the targets and the files whose types they use, each behind
// those that it imports. It depends on nothing but their paths.
func (b *builder) order(files []protoreflect.FileDescriptor, targets map[string]bool) []protoreflect.FileDescriptor {
	byPath := map[string]protoreflect.FileDescriptor{}
	needed := map[string]bool{}
	var queue []protoreflect.FileDescriptor
	need := func(f protoreflect.FileDescriptor) {
		if !needed[f.Path()] {
			needed[f.Path()] = true
			queue = append(queue, f)
		}
	}
	for _, f := range files {
		byPath[f.Path()] = f
		if targets[f.Path()] {
			need(f)
		}
	}
	for len(queue) > 0 {
		f := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for used := range b.usedFiles(f) {
			need(used)
		}
	}

	var ordered []protoreflect.FileDescriptor
	seen := map[string]bool{}
	var visit func(protoreflect.FileDescriptor)
	visit = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		imports := map[string]protoreflect.FileDescriptor{}
		for i := range all(f.Imports()) {
			imports[i.Path()] = i.FileDescriptor
		}
		for _, path := range slices.Sorted(maps.Keys(imports)) {
			visit(imports[path])
		}
		if needed[f.Path()] {
			ordered = append(ordered, f)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		visit(byPath[path])
	}
	return ordered
}

// declareFile makes the file, its messages and its enums.
func (b *builder) declareFile(d protoreflect.FileDescriptor, target bool) {
	f := &file{d: d, File: &model.File{
		Path:        d.Path(),
		Proto:       string(d.Package()),
		Doc:         fileDoc(d),
		Version:     1,
		KeepUnknown: true,
		Target:      target,
		OnDisk:      b.disk[d.Path()] != "",
	}}
	b.files = append(b.files, f)
	b.byPath[d.Path()] = f
	if i := strings.IndexFunc(f.Path, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }); i >= 0 {
		b.errorf(model.Pos{Path: strconv.Quote(b.shown(f.Path))}, "the name holds what a line of text can't show; rename the file or its folder")
	}
	b.readSchema(f)
	for md := range messages(d) {
		f.messages = append(f.messages, b.declareMessage(f, md))
	}
	for ed := range enums(d) {
		e := &enum{d: ed, Enum: &model.Enum{Name: string(ed.FullName()), File: f.File, Doc: doc(ed), Pos: b.pos(ed), Reserved: reservedIn(ed.ReservedNames(), ed.ReservedRanges(), 0)}}
		b.enums[ed.FullName()] = e
		f.enums = append(f.enums, e)
		f.Enums = append(f.Enums, e.Enum)
		b.values(e)
	}
	b.extensions(d, d)
}

func (b *builder) readSchema(f *file) {
	e := b.vocabulary.schema
	o, err := e.of(f.d)
	if err != nil {
		b.errorf(b.optionPos(f.d, e, ""), "option (coordgen.schema) can't be read: %v", err)
	}
	f.Version = max(1, o.number("version"))
	if f.Pos = b.partPos(f.d, packageField); o.set() {
		f.Pos = b.optionPos(f.d, e, "version")
	}
	if f.Version > math.MaxInt32 {
		b.errorf(f.Pos, "the schema's version is %d; the highest is %d", f.Version, math.MaxInt32)
	}
	f.Waivers = b.waivers(f.d, e, o)
	const drop = 2
	switch policy := o.number("unknown_fields"); {
	case policy == drop:
		f.KeepUnknown = false
	case policy > drop || policy < 0:
		b.unknownValue(f.d, e, "unknown_fields", policy)
	}
	const protojson = 2
	switch form := o.number("json"); {
	case form == protojson:
		f.Protojson = true
	case form > protojson || form < 0:
		b.unknownValue(f.d, e, "json", form)
	}
}

// unknownValue reports the number of an enum of the vocabulary that a newer
// coordgen may know.
func (b *builder) unknownValue(d protoreflect.Descriptor, e extension, field protoreflect.Name, number int) {
	b.errorf(b.optionPos(d, e, field), "%s has %s %d, which this version of coordgen does not know; upgrade coordgen, or choose another", what(d), field, number)
}

func (b *builder) declareMessage(f *file, d protoreflect.MessageDescriptor) *message {
	m := &message{d: d, Message: &model.Message{
		Name: string(d.FullName()), File: f.File, Doc: doc(d), Pos: b.pos(d), Reserved: reservedIn(d.ReservedNames(), d.ReservedRanges(), 1),
	}}
	b.messages[d.FullName()] = m
	f.Messages = append(f.Messages, m.Message)

	oneofs := map[protoreflect.FullName]*model.Oneof{}
	for od := range all(d.Oneofs()) {
		if od.IsSynthetic() {
			continue
		}
		o := &model.Oneof{Name: string(od.Name()), Doc: doc(od)}
		oneofs[od.FullName()] = o
		m.oneofs = append(m.oneofs, od)
		m.Oneofs = append(m.Oneofs, o)
	}
	for fd := range all(d.Fields()) {
		fm := &model.Field{Name: string(fd.Name()), File: f.File, Number: int(fd.Number()), Doc: doc(fd), Pos: b.pos(fd)}
		if od := fd.ContainingOneof(); od != nil {
			if fm.Oneof = oneofs[od.FullName()]; fm.Oneof != nil {
				fm.Oneof.Fields = append(fm.Oneof.Fields, &model.OneofMember{Field: fm})
			}
		}
		o, err := b.vocabulary.field.of(fd)
		if err != nil {
			b.errorf(b.optionPos(fd, b.vocabulary.field, ""), "option (coordgen.field) can't be read: %v", err)
		}
		m.fields = append(m.fields, field{Field: fm, d: fd, o: o})
		m.Fields = append(m.Fields, fm)
	}
	if set, ok := d.Options().(interface{ GetMessageSetWireFormat() bool }); ok && set.GetMessageSetWireFormat() {
		b.errorf(m.Pos, "message %q is a message set, whose content is extensions, which coordgen does not read; make it a message with fields", m.Name)
	}
	return m
}

// extensions warns of extensions of messages, whose values are not part of the
// Go structs. Those of protobuf's options are what options are made of.
func (b *builder) extensions(file protoreflect.FileDescriptor, in interface {
	Extensions() protoreflect.ExtensionDescriptors
	Messages() protoreflect.MessageDescriptors
}) {
	for x := range all(in.Extensions()) {
		if extended := x.ContainingMessage(); extended.ParentFile().Path() != descriptorPath {
			b.warnf(file, b.pos(x), "extension %q of message %q gets no Go code; its values are kept as unknown fields. Make it a field of the message to read it", x.FullName(), extended.FullName())
		}
	}
	for m := range all(in.Messages()) {
		b.extensions(file, m)
	}
}
