package wire

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
)

func TestMsgpackRefuses(t *testing.T) {
	deep := func(n int) rawBytes { return rawBytes(strings.Repeat("\x91", n) + "\x01") }
	for _, c := range []struct {
		name   string
		data   []byte
		cause  error
		path   string
		offset int
		text   string
	}{
		{"nothing", nil, ErrTruncated, "", 0, "want a map"},
		{"no map", pack("x"), ErrType, "", 0, "found a string, want a map"},
		{"nil", pack(nil), ErrType, "", 0, "found nil, want a map"},
		{"c1", pack(rawBytes("\xc1")), ErrSyntax, "", 0, "0xc1 begins no msgpack value, want a map"},
		{"trailing", append(packMap("name", "k"), 0xc0), ErrTrailing, "", 8, "1 more"},
		{"missing", packMap("i32", 1), ErrMissing, "name", 6, ""},
		{"missing because nil", packMap("name", nil), ErrMissing, "name", 7, ""},
		{"duplicate", packMap("name", "k", "name", "k"), ErrDuplicate, "name", 8, `"name"`},
		{"duplicate by alias", packMap("name", "k", "title", "k"), ErrDuplicate, "name", 8, `"title"`},
		{"duplicate unknown", packMap("name", "k", "x", 1, "x", 1), ErrDuplicate, "x", 11, `"x"`},
		{"integer as key", packMap("name", "k", 5, 1), ErrType, "", 8, "found an integer, want a string as key"},
		{"nil as key", packMap("name", "k", nil, 1), ErrType, "", 8, "found nil"},
		{"unknown key no UTF-8", packMap("name", "k", rawBytes("\xa2a\xff"), 1), ErrUTF8, "", 10, "byte 0xff"},
		{"c1 as key", packMap("name", "k", rawBytes("\xc1"), 1), ErrSyntax, "", 8, "0xc1"},

		{"integer for text", packMap("name", 1), ErrType, "name", 6, "found an integer, want a string"},
		{"map for text", packMap("name", map[string]any{}), ErrType, "name", 6, "found a map, want a string"},
		{"text for integer", kitWith("i32", "1"), ErrType, "i32", 12, "found a string, want an integer"},
		{"fraction for integer", kitWith("i32", 1.5), ErrType, "i32", 12, "found 1.5, want an integer"},
		{"NaN for integer", kitWith("i32", math.NaN()), ErrType, "i32", 12, "found NaN"},
		{"infinity for integer", kitWith("u64", math.Inf(1)), ErrType, "u64", 12, "found +Inf"},
		{"map32 for integer", kitWith("i32", rawBytes("\xdf\x00\x00\x00\x00")), ErrType, "i32", 12, "found a map, want an integer"},
		{"boolean for integer", kitWith("i32", true), ErrType, "i32", 12, "found a boolean, want an integer"},
		{"integer for boolean", kitWith("flag", 1), ErrType, "flag", 13, "found an integer, want a boolean"},
		{"text for float", kitWith("f64", "1"), ErrType, "f64", 12, "found a string, want a number"},
		{"integer for time", kitWith("at", 1), ErrType, "at", 11, "found an integer, want a timestamp"},
		{"extension for time", kitWith("at", rawBytes("\xd4\x05\x00")), ErrType, "at", 11, "found an extension of type 5, want a timestamp"},
		{"integer for duration", kitWith("wait", 1), ErrType, "wait", 13, `found an integer, want a duration such as "1.5s"`},
		{"boolean for enum", kitWith("color", true), ErrType, "color", 14, "found a boolean"},
		{"integer for bytes", kitWith("data", 1), ErrType, "data", 13, "found an integer, want bytes"},
		{"text for list", kitWith("kits", "x"), ErrType, "kits", 13, "found a string, want a list"},
		{"list for map", kitWith("labels", []int{}), ErrType, "labels", 15, "found a list, want a map"},
		{"nil in list", kitWith("kits", []any{nil}), ErrType, "kits[0]", 14, "found nil, want a map"},

		{"no base64", kitWith("data", "*"), ErrValue, "data", 13, "base64"},
		{"no time", kitWith("at", "soon"), ErrValue, "at", 11, ""},
		{"no duration", kitWith("wait", "soon"), ErrValue, "wait", 13, ""},
		{"timestamp of 5 bytes", kitWith("at", rawBytes("\xc7\x05\xff.....")), ErrValue, "at", 11, "5 bytes"},
		{"timestamp with a second of nanoseconds", kitWith("at", rawBytes("\xd7\xff\xee\x6b\x28\x00\x00\x00\x00\x00")), ErrValue, "at", 11, "1000000000 nanoseconds"},
		{"timestamp in year 10000", kitWith("at", time.Unix(253402300800, 0)), ErrRange, "at", 11, "years 1 to 9999"},
		{"timestamp in year 0", kitWith("at", time.Unix(-62135596801, 0)), ErrRange, "at", 11, "years 1 to 9999"},

		{"too large for int32", kitWith("i32", int64(1<<31)), ErrRange, "i32", 12, "found 2147483648, want an integer from -2147483648 to 2147483647"},
		{"too small for int32", kitWith("i32", int64(-1<<31-1)), ErrRange, "i32", 12, "found -2147483649"},
		{"uint64 for int64", kitWith("i64", uint64(math.MaxUint64)), ErrRange, "i64", 12, "found 18446744073709551615"},
		{"2^63 for int64", kitWith("i64", uint64(1<<63)), ErrRange, "i64", 12, "found 9223372036854775808"},
		{"negative for uint32", kitWith("u32", -1), ErrRange, "u32", 12, "found -1, want an integer from 0 to 4294967295"},
		{"negative for uint64", kitWith("u64", int64(math.MinInt64)), ErrRange, "u64", 12, "found -9223372036854775808"},
		{"too large for uint32", kitWith("u32", int64(1<<32)), ErrRange, "u32", 12, "found 4294967296"},
		{"float above uint64", kitWith("u64", float64(1<<64)), ErrRange, "u64", 12, "found 1.8446744073709552e+19"},
		{"float of 2^63 for int64", kitWith("i64", float64(1<<63)), ErrRange, "i64", 12, "found 9223372036854775808"},
		{"too large for float32", kitWith("f32", 1e39), ErrRange, "f32", 12, "found 1e+39"},
		{"too large an enum", kitWith("color", int64(1<<31)), ErrRange, "color", 14, "found 2147483648"},

		{"text no UTF-8", packMap("name", rawBytes("\xa3a\xc3(")), ErrUTF8, "name", 8, "byte 0xc3"},
		{"bytes no UTF-8", packMap("name", []byte("aaaaaaaaaaaa\xff")), ErrUTF8, "name", 20, "byte 0xff"},
		{"surrogate", packMap("name", rawBytes("\xa3\xed\xa0\x80")), ErrUTF8, "name", 7, ""},
		{"enum no UTF-8", kitWith("color", rawBytes("\xa1\xff")), ErrUTF8, "color", 15, ""},
		{"unknown no UTF-8", kitWith("x", rawBytes("\x91\xa1\xff")), ErrUTF8, "x", 12, ""},
		{"free key no UTF-8", kitWith("meta", rawBytes("\x81\xa1\xff\x01")), ErrUTF8, `meta["\xff"]`, 15, ""},

		{"text cut", packMap("name", rawBytes("\xa5ab")), ErrTruncated, "name", 6, "a string claims 5 bytes, 2 are left"},
		{"length cut", packMap("name", rawBytes("\xda\x00")), ErrTruncated, "name", 6, "the length of a string is cut off"},
		{"integer cut", packMap("i64", rawBytes("\xd3\x00")), ErrTruncated, "i64", 5, "an integer claims 8 bytes, 1 are left"},
		{"extension cut", packMap("at", rawBytes("\xd7")), ErrTruncated, "at", 4, "an extension claims 9 bytes, 0 are left"},
		{"key cut", append([]byte{0x81}, 0xa4, 'n', 'a'), ErrTruncated, "", 1, "a string claims 4 bytes"},
		{"value absent", packMap("name", rawBytes("")), ErrTruncated, "name", 6, "want a string"},
		{"more entries than bytes", []byte("\x82\xa4nam"), ErrTruncated, "", 1, ""},
		{"many more entries than bytes", []byte("\xdf\xff\xff\xff\xff\xa4name\xa1k"), ErrTruncated, "", 0, "a map claims 4294967295 entries, 7 bytes are left"},

		{"in a list", kitWith("kits", []any{map[string]any{"name": "a"}, map[string]any{"name": 1}}), ErrType, "kits[1].name", 28, "found an integer"},
		{"missing in a list", kitWith("kits", []any{map[string]any{}}), ErrMissing, "kits[0].name", 15, ""},
		{"in a map", kitWith("labels", map[string]any{"a b": 1}), ErrType, `labels["a b"]`, 20, "found an integer"},
		{"in a map of messages", kitWith("by_u64", map[int]any{700: map[string]any{}}), ErrMissing, `by_u64["700"].name`, 20, ""},
		{"duplicate in a map", kitWith("labels", rawBytes("\x82\xa1a\xa1b\xa1a\xa1b")), ErrDuplicate, `labels["a"]`, 20, `"a"`},
		{"duplicate integer in a map", kitWith("by_i32", rawBytes("\x82\x05\xa1b\xa15\xa1b")), ErrDuplicate, `by_i32["5"]`, 19, `"5"`},
		{"duplicate in a free value", kitWith("meta", rawBytes("\x82\xa1a\x01\xa1a\x01")), ErrDuplicate, `meta["a"]`, 17, `"a"`},
		{"text key no integer", kitWith("by_i32", map[string]string{"x": "b"}), ErrType, `by_i32["x"]`, 16, `found the key "x", want an integer`},
		{"text key too large", kitWith("by_u32", map[string]string{"4294967296": "b"}), ErrRange, `by_u32["4294967296"]`, 16, "want an integer"},
		{"text key no boolean", kitWith("by_bool", map[string]string{"1": "b"}), ErrType, `by_bool["1"]`, 17, "want true or false"},
		{"key too large", kitWith("by_i32", map[int64]string{1 << 31: "b"}), ErrRange, `by_i32["2147483648"]`, 16, ""},
		{"key of another type", kitWith("labels", map[int]string{1: "b"}), ErrType, `labels["1"]`, 16, "found an integer, want a string as key"},
		{"free key of another type", kitWith("meta", map[bool]int{true: 1}), ErrType, `meta["true"]`, 14, "found a boolean, want a string as key"},
		{"free key nil", kitWith("meta", rawBytes("\x81\xc0\x01")), ErrType, "meta", 14, "found nil"},
		{"free extension", kitWith("free", []any{rawExt{}}), ErrType, "free[0]", 14, "found an extension of type 5, want a timestamp or"},
		{"free timestamp", kitWith("free", rawBytes("\xd4\xff\x00")), ErrValue, "free", 13, "1 bytes"},
		{"deep in a free value", kitWith("meta", map[string]any{"a": []any{nil, map[string]any{"b.c": rawExt{}}}}), ErrType, `meta["a"][1]["b.c"]`, 23, ""},
		{"null and a value", packMap("name", nil, "name", "k"), ErrDuplicate, "name", 7, `"name"`},
		{"twice in an unknown map", append(packMap("name", "k", "x", nil)[:10], "\x82\xa1a\x01\xa1a\x02"...), ErrDuplicate, "x", 14, `"a"`},
		{"conflict", packMap("name", "k", "text", "a", "kit", map[string]any{"name": "b"}), ErrDuplicate, "kit", 19, `another member of the oneof "any"`},

		{"too deep free", kitWith("free", deep(MaxDepth)), ErrDepth, "free" + strings.Repeat("[0]", MaxDepth-1), 13 + MaxDepth - 1, "more than 100 levels"},
		{"too deep list", kitWith("list", deep(MaxDepth)), ErrDepth, "list" + strings.Repeat("[0]", MaxDepth-1), 13 + MaxDepth - 1, ""},
		{"too deep unknown", kitWith("x", deep(MaxDepth)), ErrDepth, "x", 10 + MaxDepth - 1, ""},
		{"c1 in an unknown list", kitWith("x", rawBytes("\x92\x01\xc1")), ErrSyntax, "x", 12, ""},
		{"unknown list cut", kitWith("x", rawBytes("\x92\x01")), ErrTruncated, "x", 10, "a list claims 2 elements, 1 bytes are left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var m kit
			err := m.UnmarshalMsgpack(c.data)
			require.ErrorIs(t, err, c.cause)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "test.Kit", e.Message)
			assert.Equal(t, c.path, e.Field)
			assert.Equal(t, c.offset, e.Offset)
			assert.Contains(t, err.Error(), c.text)
		})
	}
}

// rawExt is written by msgpack/v5 as an extension of type 5.
type rawExt struct{}

func (rawExt) EncodeMsgpack(e *msgpack.Encoder) error {
	_, err := e.Writer().Write([]byte{0xd4, 5, 0})
	return err
}
