package model

import "iter"

// A Kind is a type of values.
type Kind int

// The kinds. Those from KindTime on are the well-known types that have a Go
// type of their own; the wrappers are their scalar with [Optional] cardinality.
const (
	KindBool Kind = iota + 1
	KindInt32
	KindInt64
	KindUint32
	KindUint64
	KindFloat32
	KindFloat64
	KindString
	KindBytes
	KindEnum
	KindMessage
	KindTime      // google.protobuf.Timestamp
	KindDuration  // google.protobuf.Duration
	KindStruct    // google.protobuf.Struct
	KindValue     // google.protobuf.Value
	KindListValue // google.protobuf.ListValue
)

// An Encoding is how protobuf's wire has values of a kind. The other codecs know no
// difference.
type Encoding int

const (
	// Plain is the kind's own: for integers, a varint.
	Plain Encoding = iota
	// Zigzag is a varint in which small negative numbers are short, as of sint32.
	Zigzag
	// Fixed is an integer in 4 or 8 bytes.
	Fixed
	// Wrapped is a scalar in a message of its own, as in google.protobuf.Int32Value.
	Wrapped
)

// A Cardinality is how many values a field holds.
type Cardinality int

const (
	// Single is one value; absent means the zero value.
	Single Cardinality = iota
	// Optional is one value or none.
	Optional
	// Repeated is a list.
	Repeated
	// Mapped is a map.
	Mapped
)

// A Role is what a message means to the coordinator.
type Role int

// The roles of messages.
const (
	NoRole Role = iota
	Heartbeat
	Shutdown
	Assignment
)

// A FieldRole is what a field means to the coordinator.
type FieldRole int

// The roles of fields.
const (
	NoFieldRole FieldRole = iota
	InstanceID
	SentAt
	Work
	InFlight
	IsLeader
	Load
	Intent
	Deadline
	Metadata
	Target
	Priority
	SchemaVersion
	Incarnation
	Term
)

// An Event is what the coordinator calls a local callback for.
type Event int

// The events.
const (
	NoEvent Event = iota
	PeerTimeout
	LeaderChange
)

// Strangers is what becomes of messages that a topic's receiver can't read.
type Strangers int

// What becomes of them.
const (
	// NoStrangers is as AcknowledgeStrangers.
	NoStrangers Strangers = iota
	AcknowledgeStrangers
	RejectStrangers
	ParkStrangers
	ForwardStrangers
)

// Parts yields what the message's struct has, in source order: a field, or, where
// its first member stands, a oneof.
func (m *Message) Parts() iter.Seq2[*Field, *Oneof] {
	return func(yield func(*Field, *Oneof) bool) {
		for _, f := range m.Fields {
			switch {
			case f.Oneof == nil:
				if !yield(f, nil) {
					return
				}
			case f.Oneof.Fields[0].Field == f:
				if !yield(nil, f.Oneof) {
					return
				}
			}
		}
	}
}

// Field returns the field with the role, or nil.
func (m *Message) Field(r FieldRole) *Field {
	for _, f := range m.Fields {
		if f.Role == r {
			return f
		}
	}
	return nil
}
