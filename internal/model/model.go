// Package model is what a schema means to coordgen: messages, enums, topics and
// callbacks as plain data, with every Go name decided. It is made by package
// load and read by the generators; nothing in it depends on protobuf.
package model

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode"
)

// A Schema is the files that were asked for, and those that they import.
type Schema struct {
	// Files are in an order in which every file follows the files it imports.
	Files []*File
}

// A File is one .proto file.
type File struct {
	// Path is the file's path as a schema imports it.
	Path string
	// Proto is the protobuf package, such as "coordination".
	Proto string
	// Go is the package of the generated code.
	Go GoPackage
	// Doc is the comment on the file's package or syntax statement.
	Doc Doc
	// Version is the schema's version, at least 1.
	Version int
	// Pos is the place where the file says its version, or where it begins.
	Pos Pos
	// Waivers are those for all of the file.
	Waivers []Waiver
	// KeepUnknown says whether fields that the schema does not name are kept.
	KeepUnknown bool
	// Protojson says that the file's messages have protojson's form in JSON.
	Protojson bool
	// Target says whether code is generated for the file, or it is only
	// imported by one for which it is.
	Target bool
	// OnDisk says that the file lies in a folder of the user's, and does not come with
	// coordgen or protobuf.
	OnDisk bool
	// Imports are the versions of the files whose types it uses, also by way of others,
	// but for those of protobuf, by the paths by which they are imported.
	Imports map[string]int
	// Messages are the file's messages in source order, a nested one behind the
	// one that holds it. Map entries are not among them.
	Messages []*Message
	// Enums are the file's enums, nested ones included.
	Enums []*Enum
	// Services are the namespaces of topics and callbacks. Services that use
	// none of the vocabulary are not among them.
	Services []*Service
}

// Base is what the names of the file's generated code begin with. Go passes over
// files whose names begin with "_" or ".", refuses those that begin with another
// mark and modules with some marks in names of files, and takes what stands before
// a dot for an operating system if it is called so.
func (f *File) Base() string {
	base := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || '0' <= r && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, strings.TrimSuffix(path.Base(f.Path), ".proto"))
	if base == "" || base[0] == '_' || base[0] == '-' {
		return "x" + base
	}
	return base
}

// A GoPackage is where generated code lives.
type GoPackage struct {
	// Path is the import path. It is empty when the schema does not say it, and
	// then no other package can import it.
	Path string
	// Name is the name in the package clause.
	Name string
}

// Below returns the folder of the package, with slashes, below that of the import
// path module. It is not ok for a package that does not lie there.
func (p GoPackage) Below(module string) (folder string, ok bool) {
	folder, ok = strings.CutPrefix(p.Path+"/", strings.TrimSuffix(module, "/")+"/")
	return path.Clean(folder), ok
}

// A Doc is what the schema says about an element.
type Doc struct {
	// Text is the element's comment, without comment marks, or "".
	Text string
	// Deprecated is the schema's mark.
	Deprecated bool
	// Detached are the comments before the element that an empty line parts from
	// it, such as the heading of a section.
	Detached []string
}

// A Message is one message type.
type Message struct {
	// Name is the full protobuf name.
	Name string
	// Go is the name of the struct.
	Go   string
	File *File
	Doc  Doc
	Pos  Pos
	// Fields are in source order, which is the order on the wire, the members
	// of oneofs among them.
	Fields []*Field
	// Oneofs are the message's oneofs, without those that proto3 makes for
	// optional fields.
	Oneofs []*Oneof
	// Role is what the message means to the coordinator.
	Role     Role
	Reserved Reserved
	// Migrations are in the order of their versions.
	Migrations []Migration
	// Waivers are those for the message and its fields.
	Waivers []Waiver
}

// A Field is one field of a message.
type Field struct {
	// Name is the field's name in the schema.
	Name string
	// Wire is the key in JSON and msgpack, as the file's version writes it.
	Wire string
	// Go is the name of the struct's field, or of a oneof's member.
	Go     string
	File   *File
	Number int
	Doc    Doc
	Pos    Pos
	Type   Type
	// Card says how many values the field holds.
	Card Cardinality
	// Key is the type of a map's keys, and KeyEncoding how protobuf's wire has them.
	Key         Kind
	KeyEncoding Encoding
	// Required fields are refused when absent. WasRequired says that the schema says
	// so of the field, which later versions than its last don't require.
	Required, WasRequired bool
	// Default is the value of an absent field, as JSON text, or "".
	Default string
	// Aliases are the other keys that are read.
	Aliases []string
	// Former are those of them that versions before the file's write.
	Former []Former
	// Since and Until are the schema versions that have the field. An Until of
	// 0 means that there is no end.
	Since, Until int
	// Oneof is the oneof that the field is a member of, or nil.
	Oneof *Oneof
	// Role is what the field means to the coordinator, by option or by name.
	Role FieldRole
	// Stamp says that the field is written as the version that is written.
	Stamp bool
	// Sensitive fields are kept out of logs.
	Sensitive bool
	// Delimited fields stand between two tags on the protobuf wire: the groups
	// of proto2. The other codecs know no difference.
	Delimited bool
	// Packed lists stand in one piece on the protobuf wire.
	Packed bool
	// Presence says that the protobuf wire tells a field that is zero from an absent
	// one. It leaves out the zero of a field without.
	Presence bool
	Waivers  []Waiver
}

// A Type is what a field's values, or a map's, are.
type Type struct {
	Kind Kind
	// Message is set for KindMessage.
	Message *Message
	// Enum is set for KindEnum.
	Enum     *Enum
	Encoding Encoding
	// Quoted says that an integer of 64 bits is a string in JSON.
	Quoted bool
	// Protojson says that JSON has the value in protojson's form, where that is
	// another.
	Protojson bool
}

// A Oneof is a set of fields of which at most one is set.
type Oneof struct {
	Name string
	// Go is the name of the struct's field.
	Go string
	// Interface is the name of the sealed interface.
	Interface string
	Doc       Doc
	Fields    []*OneofMember
}

// A OneofMember is a field of a oneof.
type OneofMember struct {
	Field *Field
	// Go is the name of the struct that wraps the value.
	Go string
}

// An Enum is one enum type.
type Enum struct {
	Name string
	// Go is the name of the string type.
	Go       string
	File     *File
	Doc      Doc
	Pos      Pos
	Values   []*EnumValue
	Reserved Reserved
}

// An EnumValue is one name of an enum. Two may share a number; the first of
// them is the one that is written.
type EnumValue struct {
	Name string
	// Wire is the name in JSON and msgpack, as the file's version writes it.
	Wire string
	// Go is the name of the constant.
	Go     string
	Number int32
	Doc    Doc
	Pos    Pos
	// Aliases are the other names that are read.
	Aliases []string
	// Former are those of them that versions before the file's write.
	Former       []Former
	Since, Until int
	Waivers      []Waiver
}

// A Service is a namespace of topics and callbacks.
type Service struct {
	Name string
	// Go is what the names of the generated types begin with.
	Go   string
	File *File
	Doc  Doc
	Pos  Pos
	// Prefix is what full topic names begin with, without the dot, or "".
	Prefix string
	// Callbacks are in source order.
	Callbacks []*Callback
	// Coordinator is set when the service's topics carry the roles of the
	// coordination protocol.
	Coordinator *Coordinator
}

// A Callback is an rpc of a namespace.
type Callback struct {
	// Name is the rpc's name.
	Name string
	// Go is the name from which those of its methods are made.
	Go string
	// Func is the name of its function type.
	Func string
	Doc  Doc
	Pos  Pos
	// Input is what the callback is given: a message, or a plain value where
	// the schema has a wrapper.
	Input Type
	// Topic feeds the callback. It is nil for a local one.
	Topic *Topic
	// On is what the coordinator calls a local callback for.
	On Event
	// Since and Until are the schema versions that have the callback, and its topic.
	Since, Until int
}

// A Topic is a broadcast channel.
type Topic struct {
	// Name is the topic's name without the namespace's prefix.
	Name string
	// Go is the name from which that of its publishing method is made.
	Go string
	// Const is the name of the constant with its full name.
	Const string
	// AddressedBy is the field that names the instance a message is for, or nil.
	AddressedBy  *Field
	Since, Until int
	// Strangers is what becomes of messages that a receiver can't read.
	Strangers Strangers
	// ForwardTo is the topic for those that are forwarded, without the prefix.
	ForwardTo string
}

// A Coordinator is the set of callbacks that makes a service a fleet's
// coordination protocol.
type Coordinator struct {
	Heartbeat, Shutdown, Assignment *Callback
	// Timeout and LeaderChange are the local callbacks, or nil.
	Timeout, LeaderChange *Callback
}

// Pos is a place in a .proto file, counted from 1.
type Pos struct {
	Path      string
	Line, Col int
}

// String is the position as people write it: "path:line:col", or the path where there
// is no line.
func (p Pos) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Col)
}

// Compare orders positions by file, line and column.
func (p Pos) Compare(q Pos) int {
	return cmp.Or(cmp.Compare(p.Path, q.Path), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Col, q.Col))
}
