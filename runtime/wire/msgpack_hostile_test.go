package wire

import (
	"bytes"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
)

// measured is how many bytes a function allocates, and how long it takes, without the
// time that it takes to count them.
func measured(f func()) (bytes uint64, took time.Duration) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	f()
	took = time.Since(start)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

// allocated is how many bytes a function allocates.
func allocated(f func()) uint64 {
	bytes, _ := measured(f)
	return bytes
}

// readers are the ways by which bytes come in.
var readers = map[string]func(data []byte) error{
	"message": func(data []byte) error { return new(kit).UnmarshalMsgpack(data) },
	"v5":      func(data []byte) error { return msgpack.Unmarshal(data, new(kit)) },
	"v5 in a list": func(data []byte) error {
		return msgpack.Unmarshal(append([]byte{0x91}, data...), new([]kit))
	},
}

// Claims that nothing stands behind, with a few bytes of what they promise.
var bombs = map[string]string{
	"array16": "\xdc\xff\xff", "array32": "\xdd\xff\xff\xff\xff",
	"map16": "\xde\xff\xff", "map32": "\xdf\xff\xff\xff\xff", "map32 of 2^31": "\xdf\x80\x00\x00\x00",
	"str16": "\xda\xff\xff", "str32": "\xdb\xff\xff\xff\xff",
	"bin16": "\xc5\xff\xff", "bin32": "\xc6\xff\xff\xff\xff",
	"ext16": "\xc8\xff\xff\x05", "ext32": "\xc9\xff\xff\xff\xff\x05", "ext32 time": "\xc9\xff\xff\xff\xff\xff",
}

func TestMsgpackBombsAreRefusedAtOnce(t *testing.T) {
	nested := func(bomb string) rawBytes { return rawBytes(strings.Repeat("\x91", 50) + bomb) }
	for name, bomb := range bombs {
		bomb += "\xa1a\xc0"
		places := map[string][]byte{
			"top":            []byte(bomb),
			"key":            packMap("name", "k", rawBytes(bomb), 1),
			"name":           packMap("name", rawBytes(bomb)),
			"unknown":        kitWith("x", rawBytes(bomb)),
			"unknown nested": kitWith("x", nested(bomb)),
			"free nested":    kitWith("free", nested(bomb)),
			"free map":       kitWith("meta", rawBytes("\x81\xa1a"+bomb)),
			"free map key":   kitWith("meta", rawBytes("\x81"+bomb)),
			"list nested":    kitWith("list", nested(bomb)),
			"in a list":      kitWith("kits", rawBytes("\x91"+bomb)),
			"map field":      kitWith("labels", rawBytes("\x81\xa1a"+bomb)),
			"map field key":  kitWith("labels", rawBytes("\x81"+bomb)),
			"integer key":    kitWith("by_i32", rawBytes("\x81"+bomb)),
		}
		for _, field := range kitFields.Names[1:] {
			places[field] = kitWith(field, rawBytes(bomb))
		}
		for place, data := range places {
			for by, read := range readers {
				var err error
				n := allocated(func() { err = read(data) })
				require.Error(t, err, "%s in %s by %s", name, place, by)
				assert.Less(t, n, uint64(128<<10), "%s in %s by %s", name, place, by)
			}
		}
	}
}

// What is there may claim a lot at each level: the room that is made for it must
// not add up.
func TestMsgpackNestedClaimsDoNotAddUp(t *testing.T) {
	const size = 1 << 20
	for name, level := range map[string]string{
		"lists": "\xdd\x00\x0f\x00\x00", "maps": "\xdf\x00\x07\x00\x00\xa1a",
	} {
		for _, field := range []string{"free", "x"} {
			value := strings.Repeat(level, MaxDepth-5) + strings.Repeat("\x00", size)
			data := kitWith(field, rawBytes(value))
			var err error
			n := allocated(func() { err = new(kit).UnmarshalMsgpack(data) })
			require.Error(t, err)
			assert.Less(t, n, uint64(24*len(data)+64<<10), "%s in %s", name, field)
		}
	}
}

func TestMsgpackDeepInputIsRefused(t *testing.T) {
	const levels = 10_000_000
	for name, level := range map[string]string{"lists": "\x91", "maps": "\x81\xa1a"} {
		deep := strings.Repeat(level, levels)
		for place, data := range map[string][]byte{
			"top":     []byte(deep),
			"free":    kitWith("free", rawBytes(deep)),
			"meta":    kitWith("meta", rawBytes(deep)),
			"list":    kitWith("list", rawBytes(deep)),
			"kits":    kitWith("kits", rawBytes(deep)),
			"unknown": kitWith("x", rawBytes(deep)),
		} {
			for by, read := range readers {
				if strings.HasPrefix(by, "v5 in") {
					continue // the list makes a copy of the input
				}
				var err error
				n, took := measured(func() { err = read(data) })
				require.Error(t, err, "%s in %s by %s", name, place, by)
				if place != "top" && place != "kits" && place != "list" && place != "meta" {
					require.ErrorIs(t, err, ErrDepth, "%s in %s by %s", name, place, by)
				}
				assert.Less(t, n, uint64(512<<10), "%s in %s by %s", name, place, by)
				assert.Less(t, took, time.Second, "%s in %s by %s", name, place, by)
			}
		}
	}
}

// The costliest inputs that are well formed: small values that become large.
func TestMsgpackMemoryStaysNearTheInput(t *testing.T) {
	const n = 1 << 16
	list := func(element string) rawBytes {
		return rawBytes("\xdd\x00\x01\x00\x00" + strings.Repeat(element, n))
	}
	var keys bytes.Buffer
	keys.WriteString("\xdf\x00\x01\x00\x00")
	for i := range n {
		keys.Write([]byte{0xa4, 'k', byte(i>>8)%26 + 'a', byte(i)>>4&15 + 'a', byte(i)&15 + 'a'})
		keys.WriteByte(0xc0)
	}
	for name, c := range map[string]struct {
		data  []byte
		times uint64
	}{
		"nils":         {kitWith("list", list("\xc0")), 20},
		"empty lists":  {kitWith("list", list("\x90")), 50},
		"empty maps":   {kitWith("list", list("\x80")), 80},
		"empty text":   {kitWith("list", list("\xa0")), 20},
		"integers":     {kitWith("list", list("\xd0\x80")), 24},
		"one in a map": {kitWith("list", list("\x81\xa0\xc0")), 150},
		"unknown":      {kitWith("x", list("\xc0")), 2},
	} {
		var err error
		used := allocated(func() { err = new(kit).UnmarshalMsgpack(c.data) })
		require.NoError(t, err, name)
		assert.Less(t, used, c.times*uint64(len(c.data))+64<<10, "%s: %d times the input", name, used/uint64(len(c.data)))
		used = allocated(func() { err = msgpack.Unmarshal(c.data, new(kit)) })
		require.NoError(t, err, name)
		assert.Less(t, used, (c.times+8)*uint64(len(c.data))+64<<10, "%s by v5", name)
	}
	used := allocated(func() { _ = new(kit).UnmarshalMsgpack(kitWith("meta", rawBytes(keys.String()))) })
	assert.Less(t, used, uint64(100*keys.Len()))
}

func TestMsgpackManyUnknownKeysTakeLinearTime(t *testing.T) {
	const n = 200_000
	w := NewMsgpackWriter(nil)
	data := w.MapHeader(nil, n+1)
	data = w.String(w.String(data, "name"), "k")
	for i := range n {
		data = append(data, 0xa5, 'u', byte(i>>14)&0x7f, byte(i>>7)&0x7f, byte(i)&0x7f, 'x', 0xc0)
	}
	var m kit
	used, took := measured(func() { require.NoError(t, m.UnmarshalMsgpack(data)) })
	assert.Less(t, took, 5*time.Second, "quadratic would take minutes")
	assert.Less(t, used, uint64(100*len(data)))
	assert.Len(t, m.Unknown, n)
}

func TestMsgpackLongErrorsInDepthStaySmall(t *testing.T) {
	// Each level has a long key, and the path of the failure passes them all.
	key := pack(strings.Repeat("k", 50_000))
	value := strings.Repeat("\x81"+string(key), MaxDepth-5) + "\xc1"
	data := kitWith("meta", rawBytes(value))
	var err error
	used := allocated(func() { err = new(kit).UnmarshalMsgpack(data) })
	require.ErrorIs(t, err, ErrSyntax)
	assert.Less(t, used, uint64(4*len(data)))
	assert.Less(t, len(err.Error()), 20_000)
}

func TestMsgpackEveryPrefixAndEveryFlipIsHarmless(t *testing.T) {
	m := kit{
		Name: "k", I32: -7, I64: math.MinInt64, U32: 7, U64: math.MaxUint64, F32: 1, F64: 2, Flag: true, Data: []byte("data"),
		At: time.Unix(1, 1).UTC(), Wait: time.Second, Color: "red", Free: []any{nil, map[string]any{"a": []byte("b")}},
		Meta: map[string]any{"a": int64(1)}, List: []any{time.Unix(1<<34, 0).UTC()}, Kits: []kit{{Name: "in"}},
		Labels: map[string]string{"a": "b"}, ByI32: map[int32]string{1: "x"}, ByU64: map[uint64]kit{1: {Name: "in"}},
		ByBool: map[bool]string{true: "x"}, Any: kitKit{kit{Name: "in"}}, Unknown: Unknown{{"x", Msgpack, pack(rawExt{})}},
	}
	data, err := m.AppendMsgpack(nil)
	require.NoError(t, err)
	for n := range data {
		var m kit
		require.ErrorIs(t, m.UnmarshalMsgpack(data[:n]), ErrTruncated, "%d bytes", n)
		require.ErrorIs(t, m.DecodeMsgpack(msgpack.NewDecoder(bytes.NewReader(append([]byte(nil), data[:n]...)))), eofOrTruncated(n), "%d bytes", n)
	}
	for at := range data {
		old := data[at]
		for c := range 256 {
			data[at] = byte(c)
			var m kit
			_ = m.UnmarshalMsgpack(data)
		}
		data[at] = old
	}
}

func eofOrTruncated(n int) error {
	if n == 0 {
		return io.EOF
	}
	return ErrTruncated
}

// A key that is there twice is the fault, whatever its second value is like.
func TestFreeValueNamesTheKeyThatIsThereTwice(t *testing.T) {
	packed := []byte("\x82\xa1a\x01\xa1a\xc1 and more")
	m := NewMsgpackReader(packed)
	_, _ = m.Struct(packed)
	assert.EqualError(t, m.close(), `: ["a"] (byte 4): duplicate key: "a"`)

	text := []byte(`{"a":1,"a":x} and more`)
	j := NewJSONReader(text)
	_, _ = j.Struct(text)
	assert.EqualError(t, j.close(), `: ["a"] (byte 7): duplicate key: "a"`)
}
