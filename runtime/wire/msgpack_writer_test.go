package wire

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
)

func TestMsgpackWritesTheShortestForm(t *testing.T) {
	w := NewMsgpackWriter(nil)
	text := func(n int) string { return strings.Repeat("a", n) }
	for _, c := range []struct {
		name string
		got  []byte
		head string // what it begins with
		size int
	}{
		{"0", w.Int64(nil, 0), "\x00", 1},
		{"127", w.Int64(nil, 127), "\x7f", 1},
		{"128", w.Int64(nil, 128), "\xcc\x80", 2},
		{"255", w.Uint64(nil, 255), "\xcc\xff", 2},
		{"256", w.Uint32(nil, 256), "\xcd\x01\x00", 3},
		{"65535", w.Int32(nil, 65535), "\xcd\xff\xff", 3},
		{"65536", w.Int64(nil, 65536), "\xce\x00\x01\x00\x00", 5},
		{"2^32-1", w.Uint32(nil, math.MaxUint32), "\xce\xff\xff\xff\xff", 5},
		{"2^32", w.Int64(nil, 1<<32), "\xcf\x00\x00\x00\x01\x00\x00\x00\x00", 9},
		{"2^64-1", w.Uint64(nil, math.MaxUint64), "\xcf\xff\xff\xff\xff\xff\xff\xff\xff", 9},
		{"-1", w.Int64(nil, -1), "\xff", 1},
		{"-32", w.Int64(nil, -32), "\xe0", 1},
		{"-33", w.Int64(nil, -33), "\xd0\xdf", 2},
		{"-128", w.Int64(nil, -128), "\xd0\x80", 2},
		{"-129", w.Int64(nil, -129), "\xd1\xff\x7f", 3},
		{"-32768", w.Int64(nil, -32768), "\xd1\x80\x00", 3},
		{"-32769", w.Int64(nil, -32769), "\xd2\xff\xff\x7f\xff", 5},
		{"-2^31", w.Int32(nil, math.MinInt32), "\xd2\x80\x00\x00\x00", 5},
		{"-2^31-1", w.Int64(nil, math.MinInt32-1), "\xd3\xff\xff\xff\xff\x7f\xff\xff\xff", 9},
		{"-2^63", w.Int64(nil, math.MinInt64), "\xd3\x80\x00\x00\x00\x00\x00\x00\x00", 9},
		{"float64", w.Float64(nil, 1), "\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00", 9},
		{"float32", w.Float32(nil, 1), "\xca\x3f\x80\x00\x00", 5},
		{"true", w.Bool(nil, true), "\xc3", 1},
		{"false", w.Bool(nil, false), "\xc2", 1},
		{"text of 31", w.String(nil, text(31)), "\xbfa", 32},
		{"text of 32", w.String(nil, text(32)), "\xd9\x20a", 34},
		{"text of 255", w.String(nil, text(255)), "\xd9\xffa", 257},
		{"text of 256", w.String(nil, text(256)), "\xda\x01\x00a", 259},
		{"text of 65535", w.String(nil, text(65535)), "\xda\xff\xffa", 65538},
		{"text of 65536", w.String(nil, text(65536)), "\xdb\x00\x01\x00\x00a", 65541},
		{"no bytes", w.Bytes(nil, nil), "\xc4\x00", 2},
		{"255 bytes", w.Bytes(nil, []byte(text(255))), "\xc4\xffa", 257},
		{"256 bytes", w.Bytes(nil, []byte(text(256))), "\xc5\x01\x00a", 259},
		{"65536 bytes", w.Bytes(nil, []byte(text(65536))), "\xc6\x00\x01\x00\x00a", 65541},
		{"list of 15", w.ArrayHeader(nil, 15), "\x9f", 1},
		{"list of 16", w.ArrayHeader(nil, 16), "\xdc\x00\x10", 3},
		{"list of 65535", w.ArrayHeader(nil, 65535), "\xdc\xff\xff", 3},
		{"list of 65536", w.ArrayHeader(nil, 65536), "\xdd\x00\x01\x00\x00", 5},
		{"map of 15", w.MapHeader(nil, 15), "\x8f", 1},
		{"map of 16", w.MapHeader(nil, 16), "\xde\x00\x10", 3},
		{"map of 65536", w.MapHeader(nil, 65536), "\xdf\x00\x01\x00\x00", 5},
		{"1970", w.Time(nil, time.Unix(0, 0)), "\xd6\xff\x00\x00\x00\x00", 6},
		{"last of 32 bits", w.Time(nil, time.Unix(math.MaxUint32, 0)), "\xd6\xff\xff\xff\xff\xff", 6},
		{"first of 33 bits", w.Time(nil, time.Unix(1<<32, 0)), "\xd7\xff\x00\x00\x00\x01\x00\x00\x00\x00", 10},
		{"nanosecond", w.Time(nil, time.Unix(1, 1)), "\xd7\xff\x00\x00\x00\x04\x00\x00\x00\x01", 10},
		{"last of 34 bits", w.Time(nil, time.Unix(1<<34-1, 999999999)), "\xd7\xff", 10},
		{"first of 35 bits", w.Time(nil, time.Unix(1<<34, 0)), "\xc7\x0c\xff\x00\x00\x00\x00\x00\x00\x00\x04", 15},
		{"1969", w.Time(nil, time.Unix(-1, 7)), "\xc7\x0c\xff\x00\x00\x00\x07\xff\xff\xff\xff\xff\xff\xff\xff", 15},
		{"zero time", w.Time(nil, time.Time{}), "\xc7\x0c\xff", 15},
		{"duration", w.Duration(nil, 1500*time.Millisecond), "\xa61.500s", 7},
		{"longest duration", w.Duration(nil, math.MinInt64), "\xb6-9223372036.854775808s", 23},
		{"zero enum", w.Enum(nil, &kitColors, ""), "\xa4none", 5},
		{"enum", w.Enum(nil, &kitColors, "mauve"), "\xa5mauve", 6},
		{"nil struct", w.Struct(nil, nil), "\x80", 1},
		{"nil list", w.ListValue(nil, nil), "\x90", 1},
		{"nil", w.Value(nil, nil), "\xc0", 1},
	} {
		assert.True(t, strings.HasPrefix(string(c.got), c.head), "%s: %x", c.name, c.got[:min(len(c.got), 20)])
		assert.Len(t, c.got, c.size, c.name)
	}
	require.NoError(t, w.err)
}

func TestMsgpackWritesOtherGoTypesInFreeValues(t *testing.T) {
	list := []any{
		1, int8(-1), int16(-300), int32(1 << 20), uint(1), uint8(2), uint16(3), uint32(4), uint64(5), float32(0.5),
		[]string{"a", "b"}, map[string]string{"b": "1", "a": "2"},
		json.Number("12"), json.Number("-12"), json.Number("18446744073709551615"), json.Number("0.1"), json.Number("1e3"),
		json.Number("-0.0"), json.Number("1.50"), json.Number("100000000000000000000"), json.Number("0e99999999999"), json.Number("5e-324"),
	}
	b, err := (&kit{Name: "k", List: list}).AppendMsgpack(nil)
	require.NoError(t, err)
	var m kit
	require.NoError(t, m.UnmarshalMsgpack(b))
	assert.Equal(t, []any{
		int64(1), int64(-1), int64(-300), int64(1 << 20), int64(1), int64(2), int64(3), int64(4), int64(5), 0.5,
		[]any{"a", "b"}, map[string]any{"a": "2", "b": "1"},
		int64(12), int64(-12), uint64(math.MaxUint64), 0.1, 1000.0,
		math.Copysign(0, -1), 1.5, 1e20, 0.0, 5e-324,
	}, m.List)
}

func TestMsgpackWritesFreeMapsSorted(t *testing.T) {
	m := map[string]any{}
	for c := 'z'; c >= 'a'; c-- {
		m[string(c)] = map[string]string{string(c): "", "0": ""}
	}
	w := NewMsgpackWriter(nil)
	want := "\xde\x00\x1a"
	for c := 'a'; c <= 'z'; c++ {
		want += "\xa1" + string(c) + "\x82\xa10\xa0\xa1" + string(c) + "\xa0"
	}
	assert.Equal(t, want, string(w.Struct(nil, m)))
}

func TestMsgpackWriterRefuses(t *testing.T) {
	cycle := map[string]any{}
	cycle["a"] = []any{cycle, cycle}
	deep := any("x")
	for range MaxDepth {
		deep = []any{deep}
	}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	good := kit{Name: "g", At: at, Wait: 1, Data: []byte("x"), Free: []any{[]any{}, map[string]any{"a": nil}, at, 1e300, strings.Repeat("x", 300)},
		Kits: []kit{}, ByBool: map[bool]string{true: ""}, Unknown: Unknown{{"u", Msgpack, []byte("\xc7\x01\x05\x00")}}}
	for _, c := range []struct {
		name  string
		m     kit
		cause error
		path  string
		text  string
	}{
		{"missing", kit{}, ErrMissing, "name", ""},
		{"missing within", kit{Name: "k", Any: kitKit{kit{Kits: []kit{}}}}, ErrMissing, "kit.name", ""},
		{"missing in a list", kit{Name: "k", Kits: []kit{good, {}, {}}}, ErrMissing, "kits[1].name", ""},
		{"missing in a map", kit{Name: "k", ByU64: map[uint64]kit{7: {}}}, ErrMissing, `by_u64["7"].name`, ""},
		{"text no UTF-8", kit{Name: "a\xff"}, ErrUTF8, "name", `found the string "a\xff"`},
		{"long text no UTF-8", kit{Name: "aaaaaaaaaaaaa\xff"}, ErrUTF8, "name", ""},
		{"enum no UTF-8", kit{Name: "k", Color: "\xff"}, ErrUTF8, "color", ""},
		{"label no UTF-8", kit{Name: "k", Labels: map[string]string{"a b": "\xff"}}, ErrUTF8, `labels["a b"]`, ""},
		{"key no UTF-8", kit{Name: "k", Labels: map[string]string{"\xff": ""}}, ErrUTF8, "labels", ""},
		{"within", kit{Name: "k", Kits: []kit{good, good, {Name: "k", Kits: []kit{{Name: "\xff"}}}}}, ErrUTF8, "kits[2].kits[0].name", ""},
		{"late year", kit{Name: "k", At: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}, ErrRange, "at", "year 10000"},
		{"late year by its zone", kit{Name: "k", At: time.Date(9999, 12, 31, 23, 59, 59, 0, time.FixedZone("", -1))}, ErrRange, "at", "year 10000"},
		{"early year", kit{Name: "k", At: time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC)}, ErrRange, "at", "year 0"},
		{"free type", kit{Name: "k", Free: kit{}}, ErrType, "free", "a Go value of type wire.kit can't be written"},
		{"free within", kit{Name: "k", Meta: map[string]any{"a": []any{0, "x", []any{}, map[string]any{"b": "", "c.d": make(chan int)}}}}, ErrType, `meta["a"][3]["c.d"]`, "chan int"},
		{"free text", kit{Name: "k", List: []any{"a", []string{"b", "\xff"}}}, ErrUTF8, "list[1][1]", ""},
		{"free key", kit{Name: "k", List: []any{map[string]string{"\xff": "b"}}}, ErrUTF8, "list[0]", ""},
		{"free time", kit{Name: "k", Free: time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC)}, ErrRange, "free", "year -1"},
		{"number too long", kit{Name: "k", Free: json.Number("0.1000000000000000000001")}, ErrRange, "free", "exactly 0.1000000000000000000001"},
		{"number above uint64", kit{Name: "k", Free: json.Number("18446744073709551617")}, ErrRange, "free", ""},
		{"number too large", kit{Name: "k", Free: json.Number("1e99999999999")}, ErrRange, "free", ""},
		{"number too small", kit{Name: "k", Free: json.Number("1e-99999999999")}, ErrRange, "free", ""},
		{"no number", kit{Name: "k", Free: json.Number("Infinity")}, ErrValue, "free", `found "Infinity"`},
		{"hexadecimal", kit{Name: "k", Free: json.Number("0x10")}, ErrValue, "free", ""},
		{"leading zero", kit{Name: "k", Free: json.Number("01")}, ErrValue, "free", ""},
		{"empty number", kit{Name: "k", Free: json.Number("")}, ErrValue, "free", ""},
		{"bare point", kit{Name: "k", Free: json.Number("1.")}, ErrValue, "free", ""},
		{"bare exponent", kit{Name: "k", Free: json.Number("1e+")}, ErrValue, "free", ""},
		{"plus", kit{Name: "k", Free: json.Number("+1")}, ErrValue, "free", ""},
		{"too deep", kit{Name: "k", Free: deep}, ErrDepth, "free" + strings.Repeat("[0]", MaxDepth-1), "100 levels"},
		{"cycle", kit{Name: "k", Meta: cycle}, ErrDepth, "meta" + strings.Repeat(`["a"][0]`, 49) + `["a"]`, "holds itself"},
		{"oneof", kit{Name: "k", Any: kitLost{}}, ErrType, "any", "a wire.kitLost is no member of the oneof"},
		{"oneof within", kit{Name: "k", Kits: []kit{good, {Name: "k", Any: kitLost{}}, good}}, ErrType, "kits[1].any", ""},
		{"unknown key", kit{Name: "k", Unknown: Unknown{{"\xff", Msgpack, []byte{1}}}}, ErrUTF8, "", ""},
		{"unknown empty", kit{Name: "k", Unknown: Unknown{{"u", Msgpack, nil}}}, ErrTruncated, "u", "raw value"},
		{"unknown broken", kit{Name: "k", Unknown: Unknown{{"u", Msgpack, []byte{0xc1}}}}, ErrSyntax, "u", "raw value"},
		{"unknown with more", kit{Name: "k", Unknown: Unknown{{"t", Msgpack, []byte{1}}, {"u", Msgpack, []byte{1, 2}}}}, ErrTrailing, "u", "at byte 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := []byte("before")
			b, err := c.m.AppendMsgpack(before)
			assert.Equal(t, "before", string(b), "the buffer is as it was")
			require.ErrorIs(t, err, c.cause)
			var e *Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "test.Kit", e.Message)
			assert.Equal(t, c.path, e.Field)
			assert.Equal(t, -1, e.Offset)
			assert.Contains(t, err.Error(), c.text)
			assert.Less(t, len(err.Error()), 1000)
		})
	}
}

func TestMsgpackWriterNamesTheMissingFieldWhereverItStands(t *testing.T) {
	// The field that is missing is last in its message, and what comes next
	// belongs to the one around it.
	w := NewMsgpackWriter([]byte("x"))
	b := w.MapHeader([]byte("x"), 2)
	b = append(b, "\xa2in"...)
	b = w.MapHeader(b, 2)
	b = w.Int64(append(b, "\xa1n"...), 1)
	w.Missing(b, "m")
	b = w.Int64(append(b, "\xa1z"...), 1)
	_, err := w.Close(b, "test.Out")
	require.EqualError(t, err, "test.Out: in.m: required field is missing")

	w = NewMsgpackWriter(nil)
	b = w.MapHeader(nil, 1)
	w.Missing(b, "m")
	w.Missing(b, "n")
	_, err = w.Close(b, "test.Out")
	require.EqualError(t, err, "test.Out: m: required field is missing", "nothing comes behind it")
}

// What comes behind a failure changes neither the buffer nor what is reported.
func TestMsgpackWriterStopsAtAFailure(t *testing.T) {
	for name, more := range map[string]func(w *MsgpackWriter, b []byte) []byte{
		"map":      func(w *MsgpackWriter, b []byte) []byte { return w.MapHeader(b, 1) },
		"list":     func(w *MsgpackWriter, b []byte) []byte { return w.ArrayHeader(b, 1) },
		"string":   func(w *MsgpackWriter, b []byte) []byte { return w.String(b, "\xff") },
		"bytes":    func(w *MsgpackWriter, b []byte) []byte { return w.Bytes(b, nil) },
		"bool":     func(w *MsgpackWriter, b []byte) []byte { return w.Bool(b, true) },
		"int":      func(w *MsgpackWriter, b []byte) []byte { return w.Int64(b, -1) },
		"uint":     func(w *MsgpackWriter, b []byte) []byte { return w.Uint64(b, 1) },
		"float":    func(w *MsgpackWriter, b []byte) []byte { return w.Float64(b, 1) },
		"float32":  func(w *MsgpackWriter, b []byte) []byte { return w.Float32(b, 1) },
		"time":     func(w *MsgpackWriter, b []byte) []byte { return w.Time(b, time.Unix(1<<40, 0)) },
		"duration": func(w *MsgpackWriter, b []byte) []byte { return w.Duration(b, 1) },
		"enum":     func(w *MsgpackWriter, b []byte) []byte { return w.Enum(b, &kitColors, "a") },
		"value":    func(w *MsgpackWriter, b []byte) []byte { return w.Value(b, t) },
		"struct":   func(w *MsgpackWriter, b []byte) []byte { return w.Struct(b, map[string]any{"a": t}) },
		"values":   func(w *MsgpackWriter, b []byte) []byte { return w.ListValue(b, []any{t}) },
		"unknown": func(w *MsgpackWriter, b []byte) []byte {
			return w.Unknown(b, Unknown{{"a", Msgpack, []byte{0xc1}}}, &Fields{})
		},
	} {
		start := []byte("before")
		w := NewMsgpackWriter(start)
		b := w.MapHeader(start, 2)
		w.Missing(b, "m")
		b, err := w.Close(more(&w, more(&w, b)), "test.Out")
		assert.Equal(t, "before", string(b), name)
		require.EqualError(t, err, "test.Out: m: required field is missing", name)
	}
}

func TestMsgpackAllocations(t *testing.T) {
	m := sampleBeat()
	m.Unknown = Unknown{{"later", Msgpack, []byte{1}}}
	buf, err := m.AppendMsgpack(nil)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = m.AppendMsgpack(buf[:0]) }), "encode into a used buffer")

	w := NewMsgpackWriter(nil)
	free := map[string]any{"b": []any{"x", int64(1)}, "a": map[string]any{"c": nil, "d": 0.5}}
	var out []byte
	out = w.Struct(out[:0], free)
	assert.Zero(t, testing.AllocsPerRun(100, func() { out = w.Struct(out[:0], free) }), "encode a free value")

	var stream bytes.Buffer
	enc := msgpack.NewEncoder(&stream)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		stream.Reset()
		_ = EncodeMsgpack(enc, m)
	}), "encode by msgpack/v5 into a buffer with room")

	m = sampleBeat()
	data, err := m.AppendMsgpack(nil)
	require.NoError(t, err)
	var got beat
	result := 2. // the strings share a piece, and there is a list of them
	assert.Equal(t, result, testing.AllocsPerRun(100, func() {
		r := NewMsgpackReader(data)
		_ = r.Close(got.readMsgpack(&r, data))
	}), "decode costs its results")
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		r := NewMsgpackReader(data)
		for o := r.place(&beatFields); r.nextField(&o); {
			if o.field == 1 {
				r.time()
			} else {
				r.skip()
			}
		}
	}), "keys, times and skipping")
}
