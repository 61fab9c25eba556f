package wire

import (
	"math"
	"slices"
	"strconv"
)

// The tags of the fields of a google.protobuf.Value.
const (
	pbNull       = 1<<3 + pbVarint
	pbNumber     = 2<<3 + pbFixed64
	pbText       = 3<<3 + pbBytes
	pbTruth      = 4<<3 + pbVarint
	pbStructIn   = 5<<3 + pbBytes
	pbListIn     = 6<<3 + pbBytes
	pbFirstBytes = 1<<3 + pbBytes // the entries of a Struct, the values of a ListValue
)

// Value reads a google.protobuf.Value: nil, bool, string, []any, map[string]any, or a
// number. That is an int64 or a uint64 if it has no fraction and fits, since protobuf
// can't tell 3 from 3.0, else a float64.
func (r *ProtoReader) Value(base any) any {
	if content := r.content(); len(content) > 1 { // most have just one field
		switch tag, size := content[0], len(content)-2; {
		case tag == pbText && int(content[1]) == size:
			r.pos += 2
			return r.String()
		case tag == pbNumber && size == 7:
			r.pos += 2
			return freeFloat(r.Float64())
		case tag == pbTruth && size == 0 && content[1] < 0x80:
			r.pos += 3
			return content[1] != 0
		}
	}
	var m ProtoMessage
	for r.open(&m, 0); r.Next(&m); {
		switch m.Tag {
		case pbNull:
			r.varint()
			base = nil
		case pbNumber:
			base = freeFloat(r.Float64())
		case pbText:
			base = r.String()
		case pbTruth:
			base = r.Bool()
		case pbStructIn:
			entries, _ := base.(map[string]any)
			base = r.Struct(entries)
		case pbListIn:
			list, _ := base.([]any)
			base = r.ListValue(list)
		default:
			r.Skip()
		}
	}
	return base
}

// freeFloat is the number as the readers of the other formats would have yielded it.
func freeFloat(n float64) any {
	switch {
	case n != math.Trunc(n), n == 0 && math.Signbit(n):
		return n
	case n >= -1<<63 && n < 1<<63:
		return int64(n)
	case n > 0 && n < 1<<64:
		return uint64(n)
	}
	return n
}

// Struct reads a google.protobuf.Struct.
func (r *ProtoReader) Struct(base map[string]any) map[string]any {
	if base == nil {
		base = map[string]any{}
	}
	var m ProtoMessage
	for r.open(&m, 1); r.Next(&m); {
		if m.Tag != pbFirstBytes {
			r.Skip()
			continue
		}
		var key string
		var value any
		var e ProtoMessage
		for r.open(&e, 0); r.Next(&e); {
			switch e.Tag {
			case 1<<3 + pbBytes:
				key = r.String()
			case 2<<3 + pbBytes:
				value = r.Value(value)
			default:
				r.Skip()
			}
		}
		Entered(r, &base, key, value)
	}
	return base
}

// ListValue reads a google.protobuf.ListValue.
func (r *ProtoReader) ListValue(base []any) []any {
	if base == nil {
		base = []any{}
	}
	var m ProtoMessage
	for r.open(&m, 1); r.Next(&m); {
		if m.Tag != pbFirstBytes {
			r.Skip()
			continue
		}
		if len(base) == cap(base) {
			base = slices.Grow(base, r.count(len(r.data)))
		}
		value := r.Value(nil)
		if r.failed() {
			r.within("[" + strconv.Itoa(len(base)) + "]")
		}
		base = append(base, value)
	}
	return base
}
