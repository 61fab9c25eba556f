package wire

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
)

// rawBytes stand for themselves in pack.
type rawBytes string

// pack returns the values as msgpack, one behind the other, by msgpack/v5.
func pack(values ...any) []byte {
	var buf bytes.Buffer
	enc := msgpack.NewEncoder(&buf)
	enc.UseCompactInts(true)
	enc.SetSortMapKeys(true)
	for _, v := range values {
		if raw, ok := v.(rawBytes); ok {
			buf.WriteString(string(raw))
		} else if err := enc.Encode(v); err != nil {
			panic(err)
		}
	}
	return buf.Bytes()
}

// packMap returns a map of the keys and values in the given order.
func packMap(pairs ...any) []byte {
	w := NewMsgpackWriter(nil)
	return append(w.MapHeader(nil, len(pairs)/2), pack(pairs...)...)
}

// kitWith is a kit of bytes whose field has the value.
func kitWith(field string, value any) []byte { return packMap("name", "k", field, value) }

func TestMsgpackReadsEveryForm(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	long := strings.Repeat("é", 40)
	for _, c := range []struct {
		name  string
		field string
		value any
		want  kit
	}{
		{"fixint", "i32", rawBytes("\x7f"), kit{I32: 127}},
		{"negative fixint", "i32", rawBytes("\xe0"), kit{I32: -32}},
		{"uint8", "i32", rawBytes("\xcc\xff"), kit{I32: 255}},
		{"uint16", "i32", rawBytes("\xcd\xff\xff"), kit{I32: 65535}},
		{"uint32", "i64", rawBytes("\xce\xff\xff\xff\xff"), kit{I64: math.MaxUint32}},
		{"uint64", "u64", rawBytes("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), kit{U64: math.MaxUint64}},
		{"uint64 that fits", "i32", rawBytes("\xcf\x00\x00\x00\x00\x00\x00\x00\x05"), kit{I32: 5}},
		{"int8", "i64", rawBytes("\xd0\x80"), kit{I64: -128}},
		{"int16", "i64", rawBytes("\xd1\x80\x00"), kit{I64: math.MinInt16}},
		{"int32", "i32", rawBytes("\xd2\x80\x00\x00\x00"), kit{I32: math.MinInt32}},
		{"int64", "i64", rawBytes("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), kit{I64: math.MinInt64}},
		{"positive int64", "u32", rawBytes("\xd3\x00\x00\x00\x00\xff\xff\xff\xff"), kit{U32: math.MaxUint32}},
		{"positive int8", "u64", rawBytes("\xd0\x05"), kit{U64: 5}},
		{"integral float64", "i64", -3.0, kit{I64: -3}},
		{"integral float32", "u64", float32(3), kit{U64: 3}},
		{"float of 2^63", "u64", float64(1 << 63), kit{U64: 1 << 63}},
		{"float of -2^63", "i64", float64(math.MinInt64), kit{I64: math.MinInt64}},
		{"negative zero", "u32", math.Copysign(0, -1), kit{}},
		{"float64", "f64", 0.1, kit{F64: 0.1}},
		{"float32 into float64", "f64", float32(0.5), kit{F64: 0.5}},
		{"float32", "f32", float32(0.1), kit{F32: 0.1}},
		{"float64 into float32", "f32", 0.1, kit{F32: 0.1}},
		{"integer into float64", "f64", int64(-7), kit{F64: -7}},
		{"large integer into float64", "f64", uint64(math.MaxUint64), kit{F64: 1 << 64}},
		{"integer into float32", "f32", 200, kit{F32: 200}},
		{"infinity", "f32", math.Inf(-1), kit{F32: float32(math.Inf(-1))}},
		{"true", "flag", true, kit{Flag: true}},
		{"bin", "data", []byte{0, 255}, kit{Data: []byte{0, 255}}},
		{"empty bin", "data", []byte{}, kit{}},
		{"bin16", "data", bytes.Repeat([]byte{7}, 300), kit{Data: bytes.Repeat([]byte{7}, 300)}},
		{"bin32", "data", rawBytes("\xc6\x00\x00\x00\x01\x09"), kit{Data: []byte{9}}},
		{"base64", "data", base64.StdEncoding.EncodeToString([]byte{251, 255, 1, 2}), kit{Data: []byte{251, 255, 1, 2}}},
		{"base64 without padding", "data", base64.RawStdEncoding.EncodeToString([]byte{251, 255, 1, 2}), kit{Data: []byte{251, 255, 1, 2}}},
		{"base64 for URLs", "data", base64.URLEncoding.EncodeToString([]byte{251, 255, 1, 2}), kit{Data: []byte{251, 255, 1, 2}}},
		{"empty base64", "data", "", kit{}},
		{"timestamp 32", "at", at, kit{At: at}},
		{"timestamp 64", "at", at.Add(1), kit{At: at.Add(1)}},
		{"timestamp 96", "at", time.Unix(-1, 5), kit{At: time.Unix(-1, 5).UTC()}},
		{"timestamp 32 in ext8", "at", rawBytes("\xc7\x04\xff\x00\x00\x00\x01"), kit{At: time.Unix(1, 0).UTC()}},
		{"time as text", "at", "2026-03-04T06:06:07+01:00", kit{At: at}},
		{"duration", "wait", "1.5s", kit{Wait: 1500 * time.Millisecond}},
		{"enum", "color", "blue", kit{Color: "blue"}},
		{"enum alias", "color", "rouge", kit{Color: "red"}},
		{"enum unknown", "color", "mauve", kit{Color: "mauve"}},
		{"enum number", "color", 2, kit{Color: "blue"}},
		{"enum unknown number", "color", -7, kit{Color: "-7"}},
		{"str8", "color", long, kit{Color: long}},
		{"bin as text", "color", []byte("blue"), kit{Color: "blue"}},
		{"list", "list", []any{"a", nil}, kit{List: []any{"a", nil}}},
		{"empty list", "list", []any{}, kit{List: []any{}}},
		{"array16", "list", rawBytes("\xdc\x00\x01\xc3"), kit{List: []any{true}}},
		{"array32", "list", rawBytes("\xdd\x00\x00\x00\x01\xc3"), kit{List: []any{true}}},
		{"empty map", "meta", map[string]any{}, kit{Meta: map[string]any{}}},
		{"map16", "meta", rawBytes("\xde\x00\x01\xa1a\xc2"), kit{Meta: map[string]any{"a": false}}},
		{"map32", "meta", rawBytes("\xdf\x00\x00\x00\x01\xc4\x01a\xc2"), kit{Meta: map[string]any{"a": false}}},
		{"free integers", "free", []any{int8(-5), uint64(1 << 63), int64(math.MaxInt64)}, kit{Free: []any{int64(-5), uint64(1 << 63), int64(math.MaxInt64)}}},
		{"free bytes and time", "free", []any{[]byte("x"), at, float32(0.5)}, kit{Free: []any{[]byte("x"), at, 0.5}}},
		{"messages", "kits", []any{map[string]any{"name": "in"}}, kit{Kits: []kit{{Name: "in", Color: "none"}}}},
		{"labels", "labels", map[string]string{"a": "b"}, kit{Labels: map[string]string{"a": "b"}}},
		{"int32 keys", "by_i32", map[int]string{-300: "b"}, kit{ByI32: map[int32]string{-300: "b"}}},
		{"int64 keys as text", "by_i64", map[string]string{"-9": "b"}, kit{ByI64: map[int64]string{-9: "b"}}},
		{"uint32 keys as text", "by_u32", map[string]string{"9": "b"}, kit{ByU32: map[uint32]string{9: "b"}}},
		{"uint64 keys", "by_u64", map[uint64]any{math.MaxUint64: map[string]any{"name": "in"}}, kit{ByU64: map[uint64]kit{math.MaxUint64: {Name: "in", Color: "none"}}}},
		{"bool keys", "by_bool", map[bool]string{true: "b"}, kit{ByBool: map[bool]string{true: "b"}}},
		{"bool keys as text", "by_bool", map[string]string{"false": "b"}, kit{ByBool: map[bool]string{false: "b"}}},
		{"oneof", "text", "x", kit{Any: kitText{"x"}}},
		{"nil is absent", "i64", nil, kit{}},
		{"nil is no list", "kits", nil, kit{}},
		{"nil is no time", "at", nil, kit{}},
		{"unknown", "later", []int{1}, kit{Unknown: Unknown{{"later", Msgpack, []byte{0x91, 1}}}}},
		{"unknown nil", "later", nil, kit{Unknown: Unknown{{"later", Msgpack, []byte{0xc0}}}}},
		{"unknown extension", "later", rawBytes("\xd4\x05\x00"), kit{Unknown: Unknown{{"later", Msgpack, []byte("\xd4\x05\x00")}}}},
		{"unknown with other keys", "later", rawBytes("\x81\x01\x02"), kit{Unknown: Unknown{{"later", Msgpack, []byte("\x81\x01\x02")}}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got kit
			require.NoError(t, got.UnmarshalMsgpack(kitWith(c.field, c.value)))
			c.want.Name = "k"
			if c.want.Color == "" {
				c.want.Color = "none"
			}
			assert.Equal(t, c.want, got)
		})
	}
}

func TestMsgpackReadsKeysInAnyForm(t *testing.T) {
	var m kit
	require.NoError(t, m.UnmarshalMsgpack(packMap([]byte("title"), "as bytes", rawBytes("\xd9\x03i64"), 7)))
	assert.Equal(t, "as bytes", m.Name, "the old key, in bin")
	assert.EqualValues(t, 7, m.I64, "a key with a longer header than it needs")
}

func TestMsgpackReadsToTheDepthLimit(t *testing.T) {
	for _, field := range []string{"free", "list", "x"} {
		var m kit
		value := rawBytes(strings.Repeat("\x91", MaxDepth-2) + "\x90")
		require.NoError(t, m.UnmarshalMsgpack(kitWith(field, value)), field)
		again, err := m.AppendMsgpack(nil)
		require.NoError(t, err, "what was read can be written")
		var back kit
		require.NoError(t, back.UnmarshalMsgpack(again))
		assert.Equal(t, m, back)
	}
}

func TestMsgpackMessagesNestNoDeeperThanTheLimit(t *testing.T) {
	nested := func(levels int) []byte {
		data := packMap("name", "k")
		for range levels {
			data = kitWith("kit", rawBytes(data))
		}
		return data
	}
	var m kit
	require.NoError(t, m.UnmarshalMsgpack(nested(MaxDepth-1)))
	require.ErrorIs(t, m.UnmarshalMsgpack(nested(MaxDepth)), ErrDepth)
}

func TestMsgpackSiblingsDoNotCountAsDepth(t *testing.T) {
	many := func(element any) any { return slices.Repeat([]any{element}, 3*MaxDepth) }
	in := map[string]any{"name": "k", "labels": map[string]string{"a": "b"}, "kits": []any{}}
	for field, value := range map[string]any{
		"kits": many(in), "list": many([]any{1}), "free": many(map[string]any{"a": nil}), "x": many([]any{in}),
	} {
		var m kit
		require.NoError(t, m.UnmarshalMsgpack(kitWith(field, value)), field)
	}
}

func TestMsgpackFindsDuplicatesAmongManyUnknownKeys(t *testing.T) {
	// Messages in a list, so that the keys of one are not taken for another's.
	many := func(n int, last string) rawBytes {
		pairs := []any{"name", "k"}
		for i := range n {
			pairs = append(pairs, "x"+strconv.Itoa(i), i)
		}
		return rawBytes(packMap(append(pairs, last, 1)...))
	}
	for n := range 40 {
		var m kit
		data := kitWith("kits", "\x93"+many(n, "y")+many(n+1, "y")+many(n, "y"))
		require.NoError(t, m.UnmarshalMsgpack(data), n)
		assert.Len(t, m.Kits[2].Unknown, n+1)
		if n > 0 {
			data = kitWith("kits", "\x92"+many(n, "y")+many(n, "x0"))
			err := m.UnmarshalMsgpack(data)
			require.ErrorIs(t, err, ErrDuplicate, n)
			assert.Contains(t, err.Error(), "test.Kit: kits[1].x0 ")
			assert.Equal(t, bytes.LastIndex(data, []byte("\xa2x0")), errorOffset(t, err))
		}
	}
}

func errorOffset(t *testing.T, err error) int {
	var e *Error
	require.ErrorAs(t, err, &e)
	return e.Offset
}

func TestMsgpackSkipDropsUnknownFields(t *testing.T) {
	data := packMap("x", []any{map[string]any{"a": 1}}, "y", "z")
	r := NewMsgpackReader(data)
	n := 0
	for o := r.place(&Fields{Message: "test.Empty"}); r.nextField(&o); n++ {
		r.skip()
	}
	require.NoError(t, r.close())
	assert.Equal(t, 2, n)
}

func TestMsgpackReaderIsSticky(t *testing.T) {
	r := NewMsgpackReader(packMap("name", 1, "i64", 5))
	o := r.place(&kitFields)
	require.True(t, r.nextField(&o))
	assert.Empty(t, r.string())
	assert.Zero(t, r.int64(), "after a failure nothing is read")
	assert.Zero(t, r.bool())
	assert.Nil(t, r.bytes())
	assert.Nil(t, r.value())
	assert.Zero(t, r.time())
	assert.False(t, r.isNull())
	l := r.array()
	assert.False(t, r.more(&l))
	m := r.entries()
	assert.False(t, r.nextEntry(&m))
	assert.False(t, r.nextField(&o))
	err := r.close()
	require.ErrorIs(t, err, ErrType)
	assert.Contains(t, err.Error(), "test.Kit: name (byte 6): wrong type: found an integer, want a string")
}

func TestMsgpackResultsDoNotShareTheInput(t *testing.T) {
	data := packMap("name", "k", "data", []byte("abc"), "free", []any{[]byte("abc"), "abc"}, "x", "abc", "labels", map[string]string{"abc": "abc"})
	var got, want kit
	require.NoError(t, want.UnmarshalMsgpack(slices.Clone(data)))
	require.NoError(t, got.UnmarshalMsgpack(data))
	clear(data)
	assert.Equal(t, want, got)
}

func TestMsgpackErrorsStayShort(t *testing.T) {
	long := strings.Repeat("é", 1<<16)
	for name, data := range map[string][]byte{
		"unknown key":   kitWith(long, rawBytes("\xc1")),
		"duplicate":     packMap(long, 1, long, 1),
		"free key":      kitWith("meta", map[string]any{long: rawExt{}}),
		"map key":       kitWith("labels", map[string]any{long: 1}),
		"duplicate key": kitWith("labels", rawBytes(append([]byte{0x82}, pack(long, "a", long, "b")...))),
		"integer key":   kitWith("by_i32", map[string]any{long: "a"}),
		"boolean key":   kitWith("by_bool", map[string]any{long: "a"}),
		"time":          kitWith("at", long),
		"duration":      kitWith("wait", long),
		"base64":        kitWith("data", long),
	} {
		var m kit
		err := m.UnmarshalMsgpack(data)
		require.Error(t, err, name)
		assert.Less(t, len(err.Error()), 600, name)
	}
}
