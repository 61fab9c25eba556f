package convert

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/structpb"
)

// freeValue is the Go value that the readers of package wire would have made of
// the same JSON. A number without a fraction is an integer, since protobuf can't
// tell 3 from 3.0.
func (r *protoReader) freeValue(v *structpb.Value) (any, *fault) {
	switch kind := v.GetKind().(type) {
	case *structpb.Value_NumberValue:
		switch n := kind.NumberValue; {
		case n != math.Trunc(n), n == 0 && math.Signbit(n):
			return n, nil
		case n >= -1<<63 && n < 1<<63:
			return int64(n), nil
		case n > 0 && n < 1<<64:
			return uint64(n), nil
		default:
			return n, nil
		}
	case *structpb.Value_StringValue:
		return kind.StringValue, nil
	case *structpb.Value_BoolValue:
		return kind.BoolValue, nil
	case *structpb.Value_StructValue:
		return r.freeStruct(kind.StructValue)
	case *structpb.Value_ListValue:
		return r.freeList(kind.ListValue)
	}
	return nil, nil
}

func (r *protoReader) freeStruct(s *structpb.Struct) (any, *fault) {
	if f := r.enter(); f != nil {
		return nil, f
	}
	entries := make(map[string]any, len(s.GetFields()))
	for key, v := range s.GetFields() {
		var f *fault
		if entries[key], f = r.freeValue(v); f != nil {
			return nil, f.within(inEntry(key))
		}
	}
	r.depth--
	return entries, nil
}

func (r *protoReader) freeList(l *structpb.ListValue) (any, *fault) {
	if f := r.enter(); f != nil {
		return nil, f
	}
	list := make([]any, len(l.GetValues()))
	for i, v := range l.GetValues() {
		var f *fault
		if list[i], f = r.freeValue(v); f != nil {
			return nil, f.within(inElement(i))
		}
	}
	r.depth--
	return list, nil
}

// protoValue is protobuf's form of a free value.
func protoValue(v any) (*structpb.Value, *fault) {
	switch v := v.(type) {
	case nil:
		return structpb.NewNullValue(), nil
	case bool:
		return structpb.NewBoolValue(v), nil
	case string:
		return structpb.NewStringValue(v), nil
	case float64:
		return structpb.NewNumberValue(v), nil
	case int64:
		// 1<<63 is what the largest numbers round to, and would not come back.
		if n := float64(v); n < 1<<63 && int64(n) == v {
			return structpb.NewNumberValue(n), nil
		}
		return nil, inexact(v)
	case uint64:
		if n := float64(v); n < 1<<64 && uint64(n) == v {
			return structpb.NewNumberValue(n), nil
		}
		return nil, inexact(v)
	case json.Number:
		return nil, inexact(v)
	case []byte:
		return nil, faultf(ErrProtobuf, "bytes have no form in a google.protobuf.Value")
	case time.Time:
		return nil, faultf(ErrProtobuf, "times have no form in a google.protobuf.Value")
	case map[string]any:
		s, f := protoStruct(v)
		return structpb.NewStructValue(s), f
	case []any:
		l, f := protoList(v)
		return structpb.NewListValue(l), f
	}
	return nil, faultf(ErrProtobuf, "a %T has no form in a google.protobuf.Value", v)
}

func inexact(v any) *fault {
	return faultf(ErrProtobuf, "numbers of a google.protobuf.Value are floats of 64 bits, which can't hold %.64s exactly", fmt.Sprint(v))
}

func protoStruct(v map[string]any) (*structpb.Struct, *fault) {
	s := &structpb.Struct{Fields: make(map[string]*structpb.Value, len(v))}
	// In order, so that of several faults the same one is told each time.
	for _, key := range slices.Sorted(maps.Keys(v)) {
		var f *fault
		if s.Fields[key], f = protoValue(v[key]); f != nil {
			return nil, f.within(inEntry(key))
		}
	}
	return s, nil
}

func protoList(v []any) (*structpb.ListValue, *fault) {
	l := &structpb.ListValue{Values: make([]*structpb.Value, len(v))}
	for i, element := range v {
		var f *fault
		if l.Values[i], f = protoValue(element); f != nil {
			return nil, f.within(inElement(i))
		}
	}
	return l, nil
}
