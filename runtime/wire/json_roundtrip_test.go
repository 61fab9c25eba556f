package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func fullKit() kit {
	return kit{
		Name: "k\"\u2028<ö>", I32: math.MinInt32, I64: math.MinInt64, U32: math.MaxUint32, U64: math.MaxUint64, F32: 0.1, F64: -0.5, Flag: true,
		Data: []byte{0xfb, 0xff}, At: time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC), Wait: -1500 * time.Millisecond, Color: "red",
		Free: []any{nil, true, int64(-1), uint64(math.MaxUint64), 1.5, "x", json.Number("1e400"), map[string]any{}, []any{}},
		Meta: map[string]any{"b": int64(1), "a": map[string]any{"c": 2.0}}, List: []any{}, Kits: []kit{{Name: "in", Color: "mauve"}, {Name: "two", Color: "7"}},
		Labels: map[string]string{"": "empty", "b": "c"}, ByI32: map[int32]string{-1: "x", 1: "y"}, ByI64: map[int64]string{math.MinInt64: "x"},
		ByU32: map[uint32]string{math.MaxUint32: "x"}, ByU64: map[uint64]kit{math.MaxUint64: {Name: "in", Color: "blue"}},
		ByBool: map[bool]string{true: "t", false: "f"}, Any: kitText{"x"},
		Unknown: Unknown{{"later", JSON, []byte(`{"a": 1}`)}, {"new", JSON, []byte("null")}},
	}
}

func TestJSONMessage(t *testing.T) {
	want := `{"name":"k\"` + "\u2028" + `<ö>","i32":-2147483648,"i64":-9223372036854775808,"u32":4294967295,"u64":18446744073709551615,` +
		`"f32":0.1,"f64":-0.5,"flag":true,"wait":"-1.500s","color":"red","data":"+/8=","at":"2026-03-04T05:06:07.123456+00:00",` +
		`"free":[null,true,-1,18446744073709551615,1.5,"x",1e400,{},[]],"meta":{"a":{"c":2.0},"b":1},"list":[],` +
		`"kits":[{"name":"in","i32":0,"i64":0,"u32":0,"u64":0,"f32":0.0,"f64":0.0,"flag":false,"wait":"0s","color":"mauve"},` +
		`{"name":"two","i32":0,"i64":0,"u32":0,"u64":0,"f32":0.0,"f64":0.0,"flag":false,"wait":"0s","color":"7"}],` +
		`"labels":{"":"empty","b":"c"},"by_i32":{"-1":"x","1":"y"},"by_i64":{"-9223372036854775808":"x"},"by_u32":{"4294967295":"x"},` +
		`"by_u64":{"18446744073709551615":{"name":"in","i32":0,"i64":0,"u32":0,"u64":0,"f32":0.0,"f64":0.0,"flag":false,"wait":"0s","color":"blue"}},` +
		`"by_bool":{"false":"f","true":"t"},"text":"x","later":{"a": 1},"new":null}`
	m := fullKit()
	b, err := m.AppendJSON([]byte("before"))
	require.NoError(t, err)
	assert.Equal(t, "before"+want, string(b))
	assert.True(t, json.Valid(b[6:]))
	var again kit
	require.NoError(t, again.UnmarshalJSON(b[6:]))
	assert.Equal(t, m, again)
	var spaced bytes.Buffer
	require.NoError(t, json.Indent(&spaced, []byte(want), " ", "\t"))
	m.Unknown[0].Raw = []byte("{\n \t\t\"a\": 1\n \t}")
	require.NoError(t, again.UnmarshalJSON(spaced.Bytes()))
	assert.Equal(t, m, again)
}

func TestJSONAbsentAndNull(t *testing.T) {
	for text, want := range map[string]memo{
		`{}`:                               {},
		`{"count":null}`:                   {},
		`{"count":0,"text":""}`:            {Count: new(int64(0)), Text: new("")},
		`{"count":3,"next":{"text":null}}`: {Count: new(int64(3)), Next: &memo{}},
		`{"x":{"a":[1,{}]},"z":2,"until":"2026-03-04T05:06:07Z","y":"\u0000"}`: {Until: new(time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))},
	} {
		var got memo
		require.NoError(t, got.UnmarshalJSON([]byte(text)), text)
		assert.Equal(t, want, got, text)
		b, err := got.AppendJSON(nil)
		require.NoError(t, err)
		var again memo
		require.NoError(t, again.UnmarshalJSON(b))
		assert.Equal(t, got, again)
	}
	// What is dropped has to be JSON all the same.
	for text, want := range map[string]error{`{"x":[1,]}`: ErrSyntax, "{\"x\":\"\xff\"}": ErrUTF8, `{"x":` + strings.Repeat("[", 200): ErrDepth} {
		assert.ErrorIs(t, new(memo).UnmarshalJSON([]byte(text)), want, text)
	}
}

func TestJSONKeysInAnyOrder(t *testing.T) {
	m := fullKit()
	b, err := m.AppendJSON(nil)
	require.NoError(t, err)
	var parts map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(b, &parts))
	keys := slices.Sorted(maps.Keys(parts))
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		for i, key := range rapid.Permutation(keys).Draw(t, "keys") {
			text.WriteString([]string{"{", ","}[min(i, 1)] + strconv.Quote(key) + ":" + string(parts[key]))
		}
		text.WriteByte('}')
		var got kit
		require.NoError(t, got.UnmarshalJSON([]byte(text.String())))
		slices.SortFunc(got.Unknown, func(a, b UnknownField) int { return strings.Compare(a.Key, b.Key) })
		require.Equal(t, m, got)
	})
}

// An integer comes back as it was, from all the forms in which it may come.
func TestJSONIntegersComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, u := rapid.Int64().Draw(t, "i"), rapid.Uint64().Draw(t, "u")
		w := NewJSONWriter(nil)
		signed, unsigned := string(w.Int64(nil, i)), string(w.Uint64(nil, u))
		require.Equal(t, strconv.FormatInt(i, 10), signed)
		require.Equal(t, strconv.FormatUint(u, 10), unsigned)
		forms := []string{"%", `"%"`, "%.0", "%.000e+0", `"%E-0"`}
		if i != 0 && u != 0 {
			forms = append(forms, "%00e-2", `"%0E-1"`) // else they have leading zeros
		}
		for _, form := range forms {
			r := NewJSONReader([]byte(strings.Replace(form, "%", signed, 1)))
			require.Equal(t, i, r.int64(), form)
			require.NoError(t, r.close())
			r = NewJSONReader([]byte(strings.Replace(form, "%", unsigned, 1)))
			require.Equal(t, u, r.uint64(), form)
			require.NoError(t, r.close())
		}
		// One of 32 bits, or a failure: never a part of the number.
		r := NewJSONReader([]byte(signed))
		got := r.int32()
		if err := r.close(); err == nil {
			require.Equal(t, i, int64(got))
		} else {
			require.ErrorIs(t, err, ErrRange)
			require.True(t, i > math.MaxInt32 || i < math.MinInt32)
		}
	})
}

// A float's text is what Python's repr gives: the same digits, in the same form.
func TestJSONFloatsHaveTheFormOfRepr(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float64().Draw(t, "f")
		if rapid.Bool().Draw(t, "short") {
			f = float64(rapid.Int64Range(-1e12, 1e12).Draw(t, "n")) / rapid.SampledFrom([]float64{1, 10, 100, 1e3, 1e4, 1e5, 3}).Draw(t, "d")
		}
		if math.IsInf(f, 0) || math.IsNaN(f) {
			return
		}
		text := string(new(JSONWriter).Float64(nil, f))
		scientific := strconv.FormatFloat(f, 'e', -1, 64)
		_, exponent, _ := strings.Cut(scientific, "e")
		power, err := strconv.Atoi(exponent)
		require.NoError(t, err)
		if f != 0 && (power < -4 || power >= 16) {
			require.Equal(t, scientific, text)
		} else {
			plain := strconv.FormatFloat(f, 'f', -1, 64)
			if !strings.Contains(plain, ".") {
				plain += ".0"
			}
			require.Equal(t, plain, text)
		}
		r := NewJSONReader([]byte(text))
		back := r.value()
		require.NoError(t, r.close())
		require.Equal(t, f, back, "without the schema, too, it is a float")
		f32 := rapid.Float32().Draw(t, "f32")
		if f64 := float64(f32); math.IsInf(f64, 0) || math.IsNaN(f64) {
			return
		}
		r = NewJSONReader(new(JSONWriter).Float32(nil, f32))
		require.Equal(t, f32, r.float32())
		require.NoError(t, r.close())
	})
}

// A text is read as encoding/json reads it, whatever it holds, or both refuse it;
// but encoding/json puts U+FFFD for what is not Unicode, which is refused here.
func TestJSONStringsAreReadAsEncodingJSONReadsThem(t *testing.T) {
	parts := rapid.SampledFrom([]string{
		"a", "plain text", "ö", "€", "🚀", `\n`, `\"`, `\\`, `\/`, `\u0000`, `\u00e9`, `\uFFFF`, `\ud83d\ude80`, `\ud83d`, `\ude80`, `\u12`, `\x`, `\`,
		"\x00", "\x1f", "\x7f", "\xff", "\xc3", "\xed\xa0\x80", "\ufffd", "\u2028", "1234567", "'", " ", "\t",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := `"` + strings.Join(rapid.SliceOf(parts).Draw(t, "parts"), "") + `"`
		var want string
		peer := json.Unmarshal([]byte(text), &want)
		r := NewJSONReader([]byte(text))
		got := r.string()
		err := r.close()
		if err == nil {
			require.NoError(t, peer, "%q", text)
			require.Equal(t, want, got)
			return
		}
		if peer == nil {
			require.ErrorIs(t, err, ErrUTF8)
			require.Contains(t, want, "\ufffd")
		}
	})
}

// Other numbers that Go programs put into a free value.
func TestJSONWritesGoValues(t *testing.T) {
	for want, v := range map[string]any{
		"-1": int(-1), "-8": int8(-8), "-16": int16(-16), "-32": int32(-32), "1": uint(1), "8": uint8(8), "16": uint16(16), "32": uint32(32),
		"64": uint64(64), "0.1": float32(0.1), `["a","b"]`: []string{"a", "b"}, `{"a":"b","c":"d"}`: map[string]string{"c": "d", "a": "b"},
		`"AQI="`: []byte{1, 2}, `"2026-03-04T05:06:07+00:00"`: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC), "-0.10e5": json.Number("-0.10e5"),
		"[]": []any(nil), "{}": map[string]any(nil), `""`: []byte(nil), "null": nil,
	} {
		w := NewJSONWriter(nil)
		b, err := w.Close(w.Value(nil, v), "test.M")
		require.NoError(t, err, want)
		assert.Equal(t, want, string(b))
	}
	w := NewJSONWriter(nil)
	assert.Equal(t, "{}[]", string(w.ListValue(w.Struct(nil, nil), nil)))
	for _, c := range []struct {
		v    any
		want error
		text string
	}{
		{struct{}{}, ErrType, "struct {}"}, {new(1), ErrType, "*int"}, {json.Number("01"), ErrValue, `"01"`}, {json.Number(""), ErrValue, `""`},
		{json.Number("1 "), ErrValue, "a number"}, {json.Number("NaN"), ErrValue, "a number"}, {[]any{"\xff"}, ErrUTF8, `"\xff"`},
		{map[string]any{"\xff": 1}, ErrUTF8, `"\xff"`}, {float32(math.Inf(1)), ErrRange, "+Inf"},
	} {
		w := NewJSONWriter(nil)
		b, err := w.Close(w.Value([]byte{}, c.v), "test.M")
		require.ErrorIs(t, err, c.want, "%#v", c.v)
		require.ErrorContains(t, err, c.text)
		assert.Empty(t, b)
	}
}
