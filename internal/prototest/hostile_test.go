package prototest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/coordgen/coordgen/internal/prototest"
	"github.com/coordgen/coordgen/runtime/wire"
)

// field is a field with bytes in it, and number one with a varint.
func field(n protowire.Number, parts ...[]byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, n, protowire.BytesType), bytes.Join(parts, nil))
}

func number(n protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, n, protowire.VarintType), v)
}

func group(n protowire.Number, parts ...[]byte) []byte {
	b := append(protowire.AppendTag(nil, n, protowire.StartGroupType), bytes.Join(parts, nil)...)
	return protowire.AppendTag(b, n, protowire.EndGroupType)
}

func tag(n protowire.Number, t protowire.Type) []byte { return protowire.AppendTag(nil, n, t) }

// nested puts a message so many times into itself.
func nested(times int, wrap func(inner []byte) []byte) []byte {
	var b []byte
	for range times {
		b = wrap(b)
	}
	return b
}

// Bytes that are no message of the schema are refused, with what is wrong and where.
func TestWhatIsRefused(t *testing.T) {
	self := func(b []byte) []byte { return field(26, b) }
	free := func(b []byte) []byte { return field(6, field(1, b)) } // a Value with a ListValue
	negative := uint64(1<<64 - 1)
	for _, test := range []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"a tag is cut off", []byte{0x80}, wire.ErrTruncated, "prototest.Kinds (byte 0): ends too early"},
		{"a tag of 11 bytes", bytes.Repeat([]byte{0x80}, 11), wire.ErrSyntax, "prototest.Kinds (byte 0): malformed: an integer of more than 64 bits"},
		{"number 0", []byte{0}, wire.ErrSyntax, "prototest.Kinds (byte 0): malformed: found the field number 0"},
		{"a large number", number(1<<29, 1), wire.ErrSyntax, "prototest.Kinds (byte 0): malformed: found the field number 536870912"},
		{"type 6", []byte{0x0e}, wire.ErrSyntax, "prototest.Kinds (byte 0): malformed: found the wire type 6"},
		{"no value", tag(12, protowire.VarintType), wire.ErrTruncated, "prototest.Kinds: f_int32 (byte 1): ends too early"},
		{"a varint of 11 bytes", append(tag(12, protowire.VarintType), bytes.Repeat([]byte{0xff}, 11)...), wire.ErrSyntax, "prototest.Kinds: f_int32 (byte 1): malformed: an integer of more than 64 bits"},
		{"four bytes of eight", append(tag(10, protowire.Fixed64Type), 1, 2, 3, 4), wire.ErrTruncated, "prototest.Kinds: f_double (byte 1): ends too early"},
		{"a length beyond the end", append(tag(23, protowire.BytesType), 5, 'a'), wire.ErrTruncated, "prototest.Kinds: f_string (byte 2): ends too early: a value claims 5 bytes, 1 are left"},
		{"a huge length", append(tag(23, protowire.BytesType), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1), wire.ErrTruncated, "prototest.Kinds: f_string (byte 2): ends too early: a value claims 18446744073709551615 bytes, 0 are left"},
		{"text", field(23, []byte("a\xff")), wire.ErrUTF8, "prototest.Kinds: f_string (byte 4): invalid UTF-8: byte 0xff in a string"},
		{"in a list", append(field(69), field(69, append(tag(23, protowire.BytesType), 5))...), wire.ErrTruncated, "prototest.Kinds: r_kinds[1].f_string (byte 8): ends too early: a value claims 5 bytes, 0 are left"},
		{"packed", field(62, []byte{1, 0x80}), wire.ErrTruncated, "prototest.Kinds: r_int32[1] (byte 4): ends too early"},
		{"packed and cut", field(60, []byte{1, 2, 3}), wire.ErrTruncated, "prototest.Kinds: r_double[0] (byte 3): ends too early"},
		{"not packed", append(number(62, 5), tag(62, protowire.VarintType)...), wire.ErrTruncated, "prototest.Kinds: r_int32[1] (byte 5): ends too early"},
		{"in a map", field(84, append(tag(1, protowire.Fixed32Type), 7, 0, 0, 0), field(2, field(23, []byte{0xff}))), wire.ErrUTF8, `prototest.Kinds: m_fixed32["7"].f_string (byte 13): invalid UTF-8: byte 0xff in a string`},
		{"in a struct", field(30, field(1, field(1, []byte("k")), field(2, field(6, field(1, field(3, []byte{0xff})))))), wire.ErrUTF8, `prototest.Kinds: f_struct["k"][0] (byte 16): invalid UTF-8: byte 0xff in a string`},
		{"in a oneof", field(5, field(33, []byte{0xff})), wire.ErrUTF8, "prototest.Kinds: choice_kinds.choice_text (byte 5): invalid UTF-8: byte 0xff in a string"},
		{"a late time", field(28, number(1, 1<<40)), wire.ErrRange, "prototest.Kinds: f_time (byte 2): out of range: found a Timestamp 1099511627776 seconds after 1970, want one in the years 1 to 9999"},
		{"nanoseconds", field(28, number(2, 1e9)), wire.ErrValue, "prototest.Kinds: f_time (byte 2): bad value: found a Timestamp with 1000000000 nanoseconds, want 0 to 999999999"},
		{"a long duration", field(29, number(1, 1<<40)), wire.ErrRange, "prototest.Kinds: f_duration (byte 2): out of range: found a Duration of 1099511627776 seconds, want one of at most 292 years"},
		{"signs", field(29, number(1, 1), number(2, negative)), wire.ErrValue, ""},
		{"a group that did not begin", tag(26, protowire.EndGroupType), wire.ErrSyntax, "prototest.Kinds (byte 0): malformed: a group ends that did not begin"},
		{"another group ends", append(tag(100, protowire.StartGroupType), tag(99, protowire.EndGroupType)...), wire.ErrSyntax, "prototest.Kinds: part (byte 2): malformed: a group ends that did not begin"},
		{"a group without an end", tag(100, protowire.StartGroupType), wire.ErrTruncated, "prototest.Kinds: part (byte 2): ends too early"},
		{"an unknown group without an end", tag(300, protowire.StartGroupType), wire.ErrTruncated, "prototest.Kinds: 300 (byte 2): ends too early"},
		{"a required field is missing", group(100, field(1, []byte("x"))), wire.ErrMissing, "prototest.Kinds: part.level (byte 7): required field is missing"},
		{"101 messages", nested(100, self), wire.ErrDepth, ""},
		{"51 lists", nested(50, func(b []byte) []byte { return field(69, b) }), wire.ErrDepth, ""},
		{"values", field(31, nested(100, free)), wire.ErrDepth, ""},
		{"unknown groups", nested(100, func(b []byte) []byte { return group(300, b) }), wire.ErrDepth, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := new(prototest.Kinds).UnmarshalProto(test.data)
			require.ErrorIs(t, err, test.want)
			if test.text != "" {
				require.EqualError(t, err, test.text)
			}
			compare(t, test.data)
		})
	}
	for name, data := range map[string][]byte{
		"100 messages": nested(99, self), "49 lists": nested(49, func(b []byte) []byte { return field(69, b) }),
		"99 values": field(31, nested(99, free)), "99 unknown groups": nested(99, func(b []byte) []byte { return group(300, b) }),
	} {
		assert.NoError(t, new(prototest.Kinds).UnmarshalProto(data), name)
		compare(t, data)
	}
}

// What memory a message takes is bounded by its length.
func TestWhatHostileBytesTake(t *testing.T) {
	const n = 1 << 20
	for name, data := range map[string][]byte{
		"empty messages":       bytes.Repeat(field(69), n/3),
		"empty messages alone": bytes.Repeat(field(26), n/3),
		"empty entries":        bytes.Repeat(field(84), n/3),
		"strings":              bytes.Repeat(field(65), n/3),
		"numbers":              bytes.Repeat(number(62, 0), n/3),
		"numbers, packed":      field(62, make([]byte, n)),
		"enums, packed":        field(67, bytes.Repeat([]byte{99}, n)),
		"two lists in turn":    bytes.Repeat(append(field(65), field(66)...), n/6),
		"unknown fields":       bytes.Repeat(number(300, 1), n/3),
		"free values":          field(32, bytes.Repeat(field(1, field(5)), n/4)),
		"structs":              bytes.Repeat(field(73), n/3),
		"oneof in turn":        bytes.Repeat(append(field(5), field(33)...), n/5),
		"a message in parts":   bytes.Repeat(field(5, field(33, []byte("x"))), n/6),
		"levels":               nested(90, func(b []byte) []byte { return append(bytes.Repeat([]byte{0x62, 0}, 10), field(26, b)...) }),
		"lists in levels": nested(30, func(b []byte) []byte {
			return append(field(69, b), bytes.Repeat(field(69), 200)...)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			var m prototest.Kinds
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			err := m.UnmarshalProto(data)
			runtime.GC()
			runtime.ReadMemStats(&after)
			if err != nil {
				require.ErrorIs(t, err, wire.ErrTooLarge)
			}
			assert.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(100*len(data)+4<<20), "with what lists have room for, of %d", len(data))
			runtime.KeepAlive(&m)
		})
	}
}

// What can't be written is refused, with the field, and the buffer is as it was.
func TestWhatCannotBeWritten(t *testing.T) {
	part := prototest.Part{Name: "x", Level: "unheard"}
	var deep prototest.Kinds
	for range 100 {
		deep = prototest.Kinds{Self: &deep}
	}
	endless := prototest.Kinds{RKinds: make([]prototest.Kinds, 2)}
	endless.RKinds[0].RKinds, endless.RKinds[1].RKinds = endless.RKinds, endless.RKinds
	round := map[string]any{}
	round["a"] = []any{round}
	for text, m := range map[string]*prototest.Kinds{
		`prototest.Kinds: f_string: invalid UTF-8: found the string "\xff"`:                                                                                   {FString: "\xff"},
		`prototest.Kinds: r_string[2]: invalid UTF-8: found the string "long enough \xff"`:                                                                    {FInt32: 1, RString: []string{"a", "b", "long enough \xff"}},
		`prototest.Kinds: r_kinds[1].f_string: invalid UTF-8: found the string "\xff"`:                                                                        {RKinds: []prototest.Kinds{{FString: strings.Repeat("a", 300)}, {FString: "\xff"}, {FString: "\xff"}}},
		`prototest.Kinds: f_color: bad value: prototest.Color has no value "mauve", and so no number for it`:                                                  {FColor: "mauve"},
		`prototest.Kinds: r_color[1]: bad value: prototest.Color has no value "mauve", and so no number for it`:                                               {RColor: []prototest.Color{"red", "mauve", "x"}},
		`prototest.Kinds: r_level[1]: bad value: prototest.Level has no value "mauve", and so no number for it`:                                               {RLevel: []prototest.Level{"low", "mauve"}},
		`prototest.Kinds: m_sint64["-4"]: bad value: prototest.Color has no value "mauve", and so no number for it`:                                           {MSint64: map[int64]prototest.Color{-4: "mauve", -5: "red"}},
		`prototest.Kinds: m_fixed32["7"].self.f_string: invalid UTF-8: found the string "\xff"`:                                                               {MFixed32: map[uint32]prototest.Kinds{7: {Self: &prototest.Kinds{FString: "\xff"}}}},
		`prototest.Kinds: m_string["\xff"]: invalid UTF-8: found the string "\xff"`:                                                                           {MString: map[string]string{"\xff": ""}},
		`prototest.Kinds: part.level: bad value: prototest.Level has no value "unheard", and so no number for it`:                                             {Part: &part},
		`prototest.Kinds: r_part[0].level: required field is missing`:                                                                                         {RPart: []prototest.Part{{Name: "x"}}},
		`prototest.Kinds: r_part[1].parts[0].level: required field is missing`:                                                                                {RPart: []prototest.Part{{Level: "low", Parts: []prototest.Part{{Level: "low"}}}, {Level: "low", Parts: []prototest.Part{{}}}}},
		`prototest.Kinds: f_time: out of range: found a time in year 10000, want one in the years 1 to 9999`:                                                  {FTime: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
		`prototest.Kinds: choice_kinds.f_string: invalid UTF-8: found the string "\xff"`:                                                                      {Choice: prototest.KindsChoiceKinds{ChoiceKinds: prototest.Kinds{FString: "\xff"}}},
		`prototest.Kinds: f_struct["a"][1]: wrong type: a Go value of type chan int has no form in a google.protobuf.Value`:                                   {FStruct: map[string]any{"a": []any{nil, make(chan int)}}},
		`prototest.Kinds: r_value[0]["a"]: out of range: numbers of a google.protobuf.Value are floats of 64 bits, which can't hold 9007199254740993 exactly`: {RValue: []any{map[string]any{"a": int64(9007199254740993)}}},
		`prototest.Kinds: unknown: malformed: found the field number 0: in the unknown fields, at byte 0`:                                                     nil,
		"depth": &deep, "endless": &endless, "round": {FStruct: round},
	} {
		if m == nil {
			m = &prototest.Kinds{Unknown: wire.Unknown{{Format: wire.Proto, Raw: []byte{0}}}}
			text = `prototest.Kinds: malformed: found the field number 0: in the unknown fields, at byte 0`
		}
		b, err := m.AppendProto([]byte("before"))
		require.Error(t, err, text)
		assert.Equal(t, "before", string(b))
		if strings.Contains(text, " ") {
			assert.EqualError(t, err, text)
		} else {
			require.ErrorIs(t, err, wire.ErrDepth)
		}
		_, err = m.AppendProto(nil)
		require.Error(t, err)
	}
}

// A number of a free value is carried if the float that protobuf has for it holds
// it, or is written with the same digits.
func TestNumbersOfFreeValues(t *testing.T) {
	for _, v := range []any{
		int64(1 << 53), uint64(1 << 63), int64(math.MinInt64), float32(0.1), json.Number("0.1"), json.Number("1e400"),
		int64(156731876738301020), int64(-156731876738301020), uint64(12345678901234567000), json.Number("123456789012345680000"),
		int64(1<<53 + 1), int64(math.MaxInt64), uint64(math.MaxUint64), uint64(12345678901234567001), json.Number("123456789012345678901"),
	} {
		m := prototest.Kinds{RValue: []any{v}}
		b, err := m.AppendProto(nil)
		nearest, _ := strconv.ParseFloat(fmt.Sprint(v), 64)
		exact, _ := new(big.Float).SetPrec(2000).SetString(fmt.Sprint(v))
		short, _ := new(big.Float).SetPrec(2000).SetString(strconv.FormatFloat(nearest, 'e', -1, 64))
		if math.IsInf(nearest, 0) || exact.Cmp(big.NewFloat(nearest)) != 0 && exact.Cmp(short) != 0 {
			require.ErrorIs(t, err, wire.ErrRange, "%v", v)
			continue
		}
		require.NoError(t, err, "%T %v", v, v)
		var again prototest.Kinds
		require.NoError(t, again.UnmarshalProto(b))
		if f, ok := v.(float32); ok {
			nearest = float64(f)
		}
		require.InDelta(t, nearest, again.RValue[0], 0)
	}
}

// Unknown fields are relayed by protobuf, in messages at any depth, and left out by
// the other formats, as theirs are by protobuf.
func TestUnknownFields(t *testing.T) {
	data := bytes.Join([][]byte{
		field(23, []byte("x")), field(26, number(300, 7), group(301, number(1, 2))), number(23, 5), // of another type
		field(69, field(302, []byte("y"))),
	}, nil)
	compare(t, data)
	var m prototest.Kinds
	require.NoError(t, m.UnmarshalProto(data))
	assert.Equal(t, wire.Unknown{{Format: wire.Proto, Raw: number(23, 5)}}, m.Unknown)
	for _, f := range []wire.Format{wire.JSON, wire.Msgpack} {
		var without prototest.Kinds
		out, err := wire.Append(f, nil, &m)
		require.NoError(t, err)
		require.NoError(t, wire.Unmarshal(f, out, &without))
		assert.Equal(t, "x", without.FString)
		assert.Empty(t, without.Unknown)
	}
	require.NoError(t, m.UnmarshalJSON([]byte(`{"f_string":"x","new":1}`)))
	out, err := m.MarshalProto()
	require.NoError(t, err)
	assert.Equal(t, field(23, []byte("x")), out)
	m.Unknown = append(m.Unknown, wire.UnknownField{Format: wire.Proto, Raw: number(300, 1)}, wire.UnknownField{Format: wire.Proto, Raw: number(301, 1)})
	out, err = m.MarshalProto()
	require.NoError(t, err)
	assert.Equal(t, bytes.Join([][]byte{field(23, []byte("x")), number(300, 1), number(301, 1)}, nil), out)
	text, err := m.MarshalJSON()
	require.NoError(t, err)
	assert.Contains(t, string(text), `"new":1}`)
	packed, err := m.MarshalMsgpack()
	require.NoError(t, err)
	require.NoError(t, m.UnmarshalMsgpack(packed))
	require.Len(t, m.Unknown, 1)
}
