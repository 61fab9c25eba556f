package wire

import (
	"math/bits"
	"time"
)

// A ProtoSizer tells how many bytes a [ProtoWriter] appends for a value that can be
// written, without the tag. Other values have any size.
type ProtoSizer struct {
	depth  int
	failed bool
}

// Enter begins a level, as the writer's Enter does.
func (s *ProtoSizer) Enter() bool {
	if s.failed = s.failed || s.depth >= MaxDepth; s.failed {
		return false
	}
	s.depth++
	return true
}

// Leave ends a level.
func (s *ProtoSizer) Leave() { s.depth-- }

// sizeVarint is the size of seven bits a byte.
func sizeVarint(v uint64) int { return int(9*uint32(bits.Len64(v))+64) / 64 }

// sizeBytes is the size of n bytes and their length.
func sizeBytes(n int) int { return sizeVarint(uint64(n)) + n }

// Length is the size of n bytes with their length before them.
func (*ProtoSizer) Length(n int) int { return sizeBytes(n) }

// Bool is the size of a boolean.
func (*ProtoSizer) Bool(bool) int { return 1 }

// Int32 is the size of a varint.
func (*ProtoSizer) Int32(v int32) int { return sizeVarint(uint64(v)) }

// Int64 is the size of a varint.
func (*ProtoSizer) Int64(v int64) int { return sizeVarint(uint64(v)) }

// Uint32 is the size of a varint.
func (*ProtoSizer) Uint32(v uint32) int { return sizeVarint(uint64(v)) }

// Uint64 is the size of a varint.
func (*ProtoSizer) Uint64(v uint64) int { return sizeVarint(v) }

// Sint32 is the size of a varint whose lowest bit is the sign.
func (*ProtoSizer) Sint32(v int32) int { return sizeVarint(uint64(uint32(v)<<1 ^ uint32(v>>31))) }

// Sint64 is the size of a varint whose lowest bit is the sign.
func (*ProtoSizer) Sint64(v int64) int { return sizeVarint(uint64(v)<<1 ^ uint64(v>>63)) }

// Fixed32 is four.
func (*ProtoSizer) Fixed32(uint32) int { return 4 }

// Fixed64 is eight.
func (*ProtoSizer) Fixed64(uint64) int { return 8 }

// Sfixed32 is four.
func (*ProtoSizer) Sfixed32(int32) int { return 4 }

// Sfixed64 is eight.
func (*ProtoSizer) Sfixed64(int64) int { return 8 }

// Float32 is four.
func (*ProtoSizer) Float32(float32) int { return 4 }

// Float64 is eight.
func (*ProtoSizer) Float64(float64) int { return 8 }

// String is the size of a string.
func (*ProtoSizer) String(v string) int { return sizeBytes(len(v)) }

// Bytes is the size of bytes.
func (*ProtoSizer) Bytes(v []byte) int { return sizeBytes(len(v)) }

// Time is the size of a google.protobuf.Timestamp.
func (*ProtoSizer) Time(t time.Time) int { return sizeTime(t.Unix(), int64(t.Nanosecond())) }

// Duration is the size of a google.protobuf.Duration.
func (*ProtoSizer) Duration(d time.Duration) int {
	return sizeTime(int64(d/time.Second), int64(d%time.Second))
}

func sizeTime(seconds, nanos int64) int {
	n := 1
	if seconds != 0 {
		n += 1 + sizeVarint(uint64(seconds))
	}
	if nanos != 0 {
		n += 1 + sizeVarint(uint64(nanos))
	}
	return n
}

// BoolValue is the size of a google.protobuf.BoolValue.
func (*ProtoSizer) BoolValue(v bool) int {
	if v {
		return 3
	}
	return 1
}

// Int32Value is the size of a google.protobuf.Int32Value.
func (*ProtoSizer) Int32Value(v int32) int { return sizeWrapped(v == 0, sizeVarint(uint64(v))) }

// Int64Value is the size of a google.protobuf.Int64Value.
func (*ProtoSizer) Int64Value(v int64) int { return sizeWrapped(v == 0, sizeVarint(uint64(v))) }

// Uint32Value is the size of a google.protobuf.UInt32Value.
func (*ProtoSizer) Uint32Value(v uint32) int { return sizeWrapped(v == 0, sizeVarint(uint64(v))) }

// Uint64Value is the size of a google.protobuf.UInt64Value.
func (*ProtoSizer) Uint64Value(v uint64) int { return sizeWrapped(v == 0, sizeVarint(v)) }

// Float32Value is the size of a google.protobuf.FloatValue, at most.
func (*ProtoSizer) Float32Value(float32) int { return sizeWrapped(false, 4) }

// Float64Value is the size of a google.protobuf.DoubleValue, at most.
func (*ProtoSizer) Float64Value(float64) int { return sizeWrapped(false, 8) }

// StringValue is the size of a google.protobuf.StringValue.
func (*ProtoSizer) StringValue(v string) int { return sizeWrapped(v == "", sizeBytes(len(v))) }

// BytesValue is the size of a google.protobuf.BytesValue.
func (*ProtoSizer) BytesValue(v []byte) int { return sizeWrapped(len(v) == 0, sizeBytes(len(v))) }

// sizeWrapped is the size of a wrapper whose value has n bytes, none if it is zero.
func sizeWrapped(zero bool, n int) int {
	if zero {
		return 1
	}
	return sizeBytes(1 + n)
}

// Unknown is the size of a message's unknown fields.
func (*ProtoSizer) Unknown(u Unknown) int {
	n := 0
	for i := range u {
		if u[i].Format == Proto {
			n += len(u[i].Raw)
		}
	}
	return n
}

// Value is the size of a google.protobuf.Value.
func (s *ProtoSizer) Value(v any) int {
	switch v := v.(type) {
	case nil, bool:
		return 3
	case string:
		return s.textValue(v)
	case map[string]any:
		return sizeBytes(1 + s.Struct(v))
	case []any:
		return sizeBytes(1 + s.ListValue(v))
	case map[string]string:
		return sizeBytes(1 + sizeStruct(s, v, s.textValue))
	case []string:
		return sizeBytes(1 + sizeList(s, v, s.textValue))
	}
	return 10
}

func (*ProtoSizer) textValue(v string) int { return sizeBytes(1 + sizeBytes(len(v))) }

// Struct is the size of a google.protobuf.Struct.
func (s *ProtoSizer) Struct(v map[string]any) int { return sizeStruct(s, v, s.Value) }

// ListValue is the size of a google.protobuf.ListValue.
func (s *ProtoSizer) ListValue(v []any) int { return sizeList(s, v, s.Value) }

func sizeStruct[V any](s *ProtoSizer, entries map[string]V, value func(V) int) int {
	n := 0
	if s.Enter() {
		for key, v := range entries {
			n += 1 + sizeBytes(1+sizeBytes(len(key))+1+value(v))
		}
		s.Leave()
	}
	return sizeBytes(n)
}

func sizeList[V any](s *ProtoSizer, list []V, value func(V) int) int {
	n := 0
	if s.Enter() {
		for _, v := range list {
			n += 1 + value(v)
		}
		s.Leave()
	}
	return sizeBytes(n)
}
