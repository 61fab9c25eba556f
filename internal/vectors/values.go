package vectors

import (
	"math"
	"strconv"

	"github.com/coordgen/coordgen/internal/model"
)

// fieldMask is the message whose text has a form of its own.
const fieldMask = protobuf + ".FieldMask"

// protobuf is the package of protobuf's own messages.
const protobuf = "google.protobuf"

// unusual is text that code which takes it for something else gets wrong.
const unusual = "é 日本 😀 \x00\t\"\\ <&> \u2028 null"

// scalar is the value of a form that is no message, as JSON. The usual one differs from
// field to field, so that what is read into another is noticed.
func scalar(f *model.Field, t model.Type, as form) any {
	number := int64(f.Number)
	switch t.Kind {
	case model.KindBool:
		return as == full || as == high
	case model.KindInt32:
		return pick(as, number, math.MinInt32, math.MaxInt32)
	case model.KindInt64:
		return pick(as, number, math.MinInt64, math.MaxInt64)
	case model.KindUint32:
		return pick(as, uint64(number), 0, math.MaxUint32)
	case model.KindUint64:
		return pick(as, uint64(number), 0, math.MaxUint64)
	case model.KindFloat32: // values that are the same as a double
		return pick(as, float64(number%1000)+0.5, -1<<24, 1<<24)
	case model.KindFloat64:
		return pick(as, float64(number%1000)+0.1, -math.MaxFloat64, math.SmallestNonzeroFloat64)
	case model.KindString:
		return pick(as, f.Name, "", unusual)
	case model.KindBytes: // in base64
		return pick(as, "AQ"+string("ABCDEFGHIJKLMNOPQRSTUVWXYZ"[number%26])+"=", "", "AP/+gA==")
	case model.KindEnum:
		return enumValue(t, as)
	case model.KindMessage:
		return paths(t, as)
	case model.KindTime:
		return pick(as, "2024-02-29T12:00:00.123456Z", "0001-01-01T00:00:00.000000001Z", "9999-12-31T23:59:59.999999999Z")
	case model.KindDuration:
		return pick(as, strconv.FormatInt(number, 10)+".5s", "-9223372036.854775808s", "9223372036.854775807s")
	case model.KindStruct:
		return pick(as,
			map[string]any{f.Name: 1, "list": []any{true, "x", nil, 1.5}, "object": map[string]any{"a": -1}},
			map[string]any{},
			map[string]any{unusual: unusual, "": -1.5e300, "empty": []any{map[string]any{}}})
	case model.KindListValue:
		return pick(as, []any{f.Name, nil, 1, map[string]any{"a": false}}, []any{}, []any{unusual, -1.5e300, []any{}})
	case model.KindValue:
	}
	return pick[any](as, f.Name, false, map[string]any{unusual: []any{1.5, nil}})
}

// pick is the value of a form. The least has one that is usual and short.
func pick[T any](as form, usual, lowest, highest T) T {
	switch as {
	case low:
		return lowest
	case high:
		return highest
	}
	return usual
}

// enumValue is the second value of an enum, its lowest or its highest.
func enumValue(t model.Type, as form) any {
	values := sortedValues(t.Enum)
	if t.IsNull() || len(values) == 0 {
		return nil
	}
	last := len(values) - 1
	return values[pick(as, min(1, last), 0, last)].Wire
}

// paths is a google.protobuf.FieldMask.
func paths(t model.Type, as form) any {
	if t.IsPaths() {
		return pick(as, "a.bC,d", "", "d")
	}
	return pick(as, map[string]any{"paths": []any{"a.b_c", "d"}}, map[string]any{"paths": []any{}}, map[string]any{"paths": []any{"d"}})
}

// keyText is the key of an entry of a map.
func keyText(f *model.Field, as form) string {
	switch f.Key {
	case model.KindBool:
		return strconv.FormatBool(as == high)
	case model.KindInt32:
		return pick(as, "1", "-2147483648", "2147483647")
	case model.KindInt64:
		return pick(as, "1", "-9223372036854775808", "9223372036854775807")
	case model.KindUint32:
		return pick(as, "1", "0", "4294967295")
	case model.KindUint64:
		return pick(as, "1", "0", "18446744073709551615")
	}
	return pick(as, "key", "", unusual)
}
