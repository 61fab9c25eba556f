package prototest_test

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	pb "github.com/coordgen/coordgen/internal/prototest/pb"
)

// longer is a varint with n bytes more than it needs.
func longer(v uint64, n int) []byte {
	b := protowire.AppendVarint(nil, v)
	for range n {
		b[len(b)-1] |= 0x80
		b = append(b, 0)
	}
	return b
}

// varints are those in which readers differ, the last ones of more than 64 bits.
func varints() [][]byte {
	var all [][]byte
	for _, v := range []uint64{0, 1, 2, 3, math.MaxInt32, 1 << 31, math.MaxUint32, 1 << 32, 1<<32 | 7, math.MaxInt64, 1 << 63, math.MaxUint64} {
		all = append(all, protowire.AppendVarint(nil, v))
	}
	neg := int32(-5)
	return append(all, protowire.AppendVarint(nil, uint64(uint32(neg))),
		longer(0, 1), longer(1, 4), longer(1, 8), longer(1, 9), longer(5, 10),
		append(bytes.Repeat([]byte{0xff}, 9), 2), append(bytes.Repeat([]byte{0xff}, 9), 0x7f), bytes.Repeat([]byte{0xff}, 11))
}

// lengthened are the bytes behind their length.
func lengthened(b []byte) []byte { return protowire.AppendBytes(nil, b) }

// forms are values as they stand behind a tag, by its wire type.
func forms() map[protowire.Type][][]byte {
	all := map[protowire.Type][][]byte{
		protowire.VarintType:   varints(),
		protowire.EndGroupType: {nil},
		6:                      {nil, {0}},
		7:                      {nil, {0}},
	}
	for _, v := range []uint64{0, 1, 1 << 31, 1 << 63, math.Float64bits(math.NaN()), math.Float64bits(math.Inf(-1)), math.MaxUint64} {
		all[protowire.Fixed64Type] = append(all[protowire.Fixed64Type], protowire.AppendFixed64(nil, v))
		all[protowire.Fixed32Type] = append(all[protowire.Fixed32Type], protowire.AppendFixed32(nil, uint32(v>>32)), protowire.AppendFixed32(nil, uint32(v)))
	}
	texts := []string{
		"", "\x00", "a", "é", "\xff", "a\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x82",
		"\x00\x01\x02\x80", "\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00\x00\x80", "\x01\x02\x03\x04\x05\x06\x07\x08\x09",
	}
	for _, t := range texts {
		all[protowire.BytesType] = append(all[protowire.BytesType], lengthened([]byte(t)))
	}
	packed := bytes.Join(varints()[:17], nil)
	all[protowire.BytesType] = append(all[protowire.BytesType], lengthened(packed),
		append(longer(1, 1), 'a'), append(longer(1, 8), 'a'), append(longer(0, 9), 'a'), append(longer(1, 10), 'a'),
		protowire.AppendVarint(nil, math.MaxInt32), protowire.AppendVarint(nil, math.MaxUint32), protowire.AppendVarint(nil, 1<<63), protowire.AppendVarint(nil, math.MaxUint64))
	for _, fields := range messages() {
		all[protowire.BytesType] = append(all[protowire.BytesType], lengthened(fields))
	}
	return all
}

// messages are the fields of messages and of entries of maps.
func messages() [][]byte {
	var all [][]byte
	for _, n := range []protowire.Number{1, 2} {
		all = append(all, number(n, 1), field(n, []byte("a")), field(n, []byte{0xff}), protowire.AppendFixed32(tag(n, protowire.Fixed32Type), 7), group(n, number(1, 2)))
	}
	for _, first := range all[:10] {
		for _, second := range all[:10] {
			all = append(all, slices.Concat(first, second))
		}
	}
	for _, n := range []protowire.Number{1, 2} {
		all = append(all, number(n, math.MaxUint64), field(n), field(n, number(1, 1)), field(n, number(2, 1)), protowire.AppendFixed64(tag(n, protowire.Fixed64Type), 7), group(n))
	}
	key, value := number(1, 1), field(2, []byte("a"))
	return append(all, slices.Concat(value, key, value, key), slices.Concat(key, number(3, 1), group(9, key), value),
		field(26), number(12, 5), group(300, group(300), number(300, 1)), tag(1, protowire.StartGroupType), tag(1, protowire.EndGroupType), []byte{0}, []byte{0x80})
}

// Each field of a message with all kinds of them is read as protobuf-go reads it,
// in all forms that a value can have on the wire, fitting or not, once and again
// behind another value. So is what ends early.
func TestFormsOfFields(t *testing.T) {
	values := forms()
	numbers := []protowire.Number{0, 300, 536870910}
	fields := new(pb.Kinds).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		numbers = append(numbers, fields.Get(i).Number())
	}
	before := func(n protowire.Number) []byte {
		f := fields.ByNumber(n)
		switch {
		case f == nil:
			return nil
		case f.Kind() == protoreflect.GroupKind:
			return group(n, field(1, []byte("before")), number(2, 3))
		case f.Message() != nil, f.Kind() == protoreflect.StringKind, f.Kind() == protoreflect.BytesKind:
			return field(n)
		}
		return number(n, 1)
	}
	inputs := 0
	check := func(data []byte) {
		inputs++
		compare(t, data)
	}
	for _, n := range numbers {
		for wireType := range protowire.Type(8) {
			if wireType == protowire.StartGroupType {
				continue // below
			}
			for _, value := range values[wireType] {
				data := append(protowire.AppendVarint(nil, uint64(n)<<3|uint64(wireType)), value...)
				check(data)
				check(slices.Concat(before(n), data, number(300, 1)))
				for end := 1; end < min(len(data), 12); end++ {
					check(data[:end])
				}
			}
		}
		if n == 0 {
			continue
		}
		for _, inner := range messages() {
			check(group(n, inner))
			check(slices.Concat(before(n), group(n, inner)))
			check(slices.Concat(tag(n, protowire.StartGroupType), inner))
			check(slices.Concat(tag(n, protowire.StartGroupType), inner, tag(n+1, protowire.EndGroupType)))
		}
	}
	t.Logf("%d inputs", inputs)
}

// Tags may be longer than they need, and have no more than 32 bits.
func TestFormsOfTags(t *testing.T) {
	for _, n := range []uint64{0, 1, 12, 23, 62, 100, 300, 536870911, 536870912, math.MaxInt32, math.MaxUint32, 1 << 40, 1<<61 - 1} {
		for wireType := range uint64(8) {
			for more := range 10 {
				for _, value := range [][]byte{nil, {0}, {1, 'a'}, {8, 1, 2, 3, 4, 5, 6, 7, 8}} {
					data := append(longer(n<<3|wireType, more), value...)
					compare(t, data)
					compare(t, field(26, data))
					if n <= uint64(protowire.MaxValidNumber) || n > math.MaxInt32 { // protobuf-go takes those between in groups
						compare(t, slices.Concat(tag(300, protowire.StartGroupType), data, tag(300, protowire.EndGroupType)))
					}
				}
			}
		}
	}
}

// A time in parts has of each part what it says, the year 1 too, which is zero in Go.
func TestTimesInParts(t *testing.T) {
	const year1 = math.MaxUint64 - 62135596800 + 1
	parts := [][]byte{
		number(1, year1), number(1, 7), number(1, 0), number(2, 5), number(2, 0), nil,
		slices.Concat(number(1, 9), number(2, 3)), slices.Concat(number(2, 3), number(1, year1)),
	}
	key := protowire.AppendFixed32(tag(1, protowire.Fixed32Type), 1)
	for _, first := range parts {
		for _, second := range parts {
			for _, third := range parts {
				for _, n := range []protowire.Number{28, 71, 36} {
					compare(t, slices.Concat(field(n, first), field(n, second), number(12, 1), field(n, third)))
				}
				compare(t, slices.Concat(group(110, first), group(110, second), group(110, third)))
				compare(t, field(86, key, field(2, first), field(2, second), field(2, third)))
				compare(t, slices.Concat(field(28, first), field(36, second), field(33, []byte("between")), field(36, third), field(28, third)))
			}
		}
	}
}

// What a group begins with is no length, even where a time would have that many bytes.
func TestGroupsHaveNoLength(t *testing.T) {
	data := slices.Concat(number(1, 8), number(500, 2<<3), number(1<<20, 0))
	compare(t, group(110, data))
	compare(t, group(111, field(3, []byte("a"))))
	compare(t, field(28, data))
}

// Of the members of a oneof the last one counts, and the parts of one that is a
// message become one, unless another was between them.
func TestMembersOfOneofsInTurn(t *testing.T) {
	members := [][]byte{
		field(33, []byte("a")), number(33, 1),
		field(5, number(12, 1)), field(5, number(1, 2), field(62, []byte{3})), field(5),
		field(200, number(1, 4)), field(34, field(1, field(1, []byte("k")))),
		field(35, field(3, []byte("v"))), field(35, field(6, field(1, field(3)))),
		field(36, number(1, 5)), field(36, number(2, 6)), number(37, 1),
		group(38, field(1, []byte("p")), number(2, 3)), group(38, number(2, 7)),
		number(104, 1), field(3),
	}
	for _, first := range members {
		for _, second := range members {
			for _, third := range members {
				compare(t, slices.Concat(first, second, third))
			}
		}
	}
}
