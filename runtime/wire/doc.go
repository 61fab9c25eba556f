// Package wire is what the generated codecs call: readers and writers for JSON,
// msgpack and protobuf's binary wire, the errors they report, and the store of what a message's schema
// does not know.
//
// A reader never panics, never allocates more than a small multiple of its
// input, and nests no deeper than [MaxDepth]. A writer is deterministic and
// refuses what its format can't hold. Both are sticky: after the first failure
// every call is a no-op, and the failure is reported once, at the end, with the
// message, the path of the field and the byte offset.
//
// Programs meet this package through [Error], [Format] and [Unknown]; the rest
// serves generated code.
package wire

// MaxDepth is how deep messages, lists, maps and free values may nest.
const MaxDepth = 100

// The structs of a message and of those in it may take memoryFactor times the
// message's bytes, and a mebibyte, so that small messages need not care.
const (
	memoryFactor = 64
	memoryFloor  = 1 << 20
)
