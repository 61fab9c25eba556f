package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// value reads one free value, and nothing but it.
func value(text string) (any, error) {
	r := NewJSONReader([]byte(text))
	v := r.value()
	return v, r.close()
}

func TestJSONReadsFreeValuesExactly(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, `true`: true, `false`: false, `""`: "", `[]`: []any{}, `{}`: map[string]any{},
		`0`: int64(0), `-1`: int64(-1), `9007199254740993`: int64(9007199254740993), `9223372036854775807`: int64(math.MaxInt64),
		`18446744073709551615`:                  uint64(math.MaxUint64),
		`18446744073709551616`:                  json.Number("18446744073709551616"),
		`-9223372036854775809`:                  json.Number("-9223372036854775809"),
		`1.0`:                                   1.0,
		`0.1`:                                   0.1,
		`1e+300`:                                1e300,
		`5e-324`:                                5e-324,
		`1e400`:                                 json.Number("1e400"),
		`1e-400`:                                json.Number("1e-400"),
		`0.1000000000000000055511151231257827`:  json.Number("0.1000000000000000055511151231257827"),
		`1.7976931348623157e308`:                math.MaxFloat64,
		`100000000000000000000.0`:               1e20,
		`0e999999999999999999999`:               0.0,
		`"a\u00e9\ud83d\ude80\/\"\\\b\f\n\r\t"`: "aé🚀/\"\\\b\f\n\r\t",
		`[1,[2.5,{"a":null}],"x"]`:              []any{int64(1), []any{2.5, map[string]any{"a": nil}}, "x"},
		`"` + strings.Repeat("ö", 40) + `\u0000"`: strings.Repeat("ö", 40) + "\x00",
	} {
		got, err := value(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		again, err := value(string(new(JSONWriter).Value(nil, got)))
		require.NoError(t, err, text)
		assert.Equal(t, got, again, text)
	}
	spaced, err := value(" \t\r\n[ 1 , 2 ]\n")
	require.NoError(t, err)
	assert.Equal(t, []any{int64(1), int64(2)}, spaced)
	minus, err := value(`-0`)
	require.NoError(t, err)
	assert.True(t, math.Signbit(minus.(float64)))
}

func TestJSONRefuses(t *testing.T) {
	for text, want := range map[string]error{
		``: ErrTruncated, ` `: ErrTruncated, `[`: ErrTruncated, `{`: ErrTruncated, `{"a"`: ErrTruncated, `{"a":`: ErrTruncated,
		`"abc`: ErrTruncated, `-`: ErrTruncated, `1.`: ErrTruncated, `1e`: ErrTruncated, `1e+`: ErrTruncated, `tru`: ErrTruncated,
		`f`: ErrTruncated, `nul`: ErrTruncated, `"\u12`: ErrTruncated, `"\ud83d\u`: ErrTruncated, "\"\\n\xc3": ErrTruncated, "\"\xc3": ErrTruncated,
		`"a\`: ErrTruncated, `[1,`: ErrTruncated, `[1`: ErrTruncated, `{"a":1,`: ErrTruncated,
		`[1,]`: ErrSyntax, `[,1]`: ErrSyntax, `[1 2]`: ErrSyntax, `{"a":1,}`: ErrSyntax, `{,}`: ErrSyntax, `{"a" 1}`: ErrSyntax,
		`{a:1}`: ErrSyntax, `{1:2}`: ErrSyntax, `{"a":1 "b":2}`: ErrSyntax, `[1}`: ErrSyntax, `{"a":1]`: ErrSyntax,
		`01`: ErrSyntax, `-x`: ErrSyntax, `+1`: ErrSyntax, `.5`: ErrSyntax, `1.x`: ErrSyntax, `1e.`: ErrSyntax, `-01`: ErrSyntax,
		`0x1`: ErrTrailing, `NaN`: ErrSyntax, `Infinity`: ErrSyntax, `-Infinity`: ErrSyntax, `trux`: ErrSyntax, `nulx`: ErrSyntax, `fals"`: ErrSyntax,
		`True`: ErrSyntax, `'a'`: ErrSyntax, "\"\x01\"": ErrSyntax, "\"a\nb\"": ErrSyntax, `"\x"`: ErrSyntax, `"\u12g4"`: ErrSyntax,
		`"\u123"`: ErrSyntax, `"\u12x`: ErrSyntax, `"\ud800"`: ErrUTF8, `"\udc00"`: ErrUTF8, `"\ud800\u0041"`: ErrUTF8, "\"\xff\"": ErrUTF8, "\"\xc0\x80\"": ErrUTF8,
		"\"\xed\xa0\x80\"": ErrUTF8, "\xef\xbb\xbf1": ErrSyntax, `1 2`: ErrTrailing, `{}x`: ErrTrailing, "1\x00": ErrTrailing,
		"\u00a01": ErrSyntax, "/**/1": ErrSyntax, `{"a":1,"a":2}`: ErrDuplicate, `{"a":1,"\u0061":2}`: ErrDuplicate,
		`"\ud83d\u"`: ErrUTF8, `"\ud83d\n"`: ErrUTF8, "\"aaaaaaaaaaaa\xe2\x28\xa1\"": ErrUTF8, `[1,,2]`: ErrSyntax, `{"a"::1}`: ErrSyntax,
	} {
		_, err := value(text)
		assert.ErrorIs(t, err, want, "%q", text)
		var e *Error
		if assert.ErrorAs(t, err, &e, "%q", text) {
			assert.LessOrEqual(t, e.Offset, len(text), "%q", text)
			assert.GreaterOrEqual(t, e.Offset, 0, "%q", text)
		}
		assert.False(t, json.Valid([]byte(text)) && !errors.Is(want, ErrDuplicate) && !errors.Is(want, ErrUTF8), "%q", text)
	}
}

func TestJSONFields(t *testing.T) {
	for _, c := range []struct {
		text string
		read func(*JSONReader) any
		want any
	}{
		{`3`, func(r *JSONReader) any { return r.int32() }, int32(3)},
		{`"-3"`, func(r *JSONReader) any { return r.int64() }, int64(-3)},
		{`3.0`, func(r *JSONReader) any { return r.int64() }, int64(3)},
		{`3e2`, func(r *JSONReader) any { return r.uint32() }, uint32(300)},
		{`-0`, func(r *JSONReader) any { return r.uint64() }, uint64(0)},
		{`0.0`, func(r *JSONReader) any { return r.int32() }, int32(0)},
		{`9223372036854775807`, func(r *JSONReader) any { return r.int64() }, int64(math.MaxInt64)},
		{`18446744073709551615`, func(r *JSONReader) any { return r.uint64() }, uint64(math.MaxUint64)},
		{`2147483648`, func(r *JSONReader) any { return r.int32() }, ErrRange},
		{`9223372036854775808`, func(r *JSONReader) any { return r.int64() }, ErrRange},
		{`1e100000`, func(r *JSONReader) any { return r.int64() }, ErrRange},
		{`-1`, func(r *JSONReader) any { return r.uint32() }, ErrRange},
		{`1.5`, func(r *JSONReader) any { return r.int32() }, ErrType},
		{`"x"`, func(r *JSONReader) any { return r.int32() }, ErrType},
		{`" 1"`, func(r *JSONReader) any { return r.int32() }, ErrType},
		{`true`, func(r *JSONReader) any { return r.int32() }, ErrType},
		{`null`, func(r *JSONReader) any { return r.int32() }, ErrType},
		{`7`, func(r *JSONReader) any { return r.float64() }, 7.0},
		{`"1.5"`, func(r *JSONReader) any { return r.float32() }, float32(1.5)},
		{`1e400`, func(r *JSONReader) any { return r.float64() }, ErrRange},
		{`1e40`, func(r *JSONReader) any { return r.float32() }, ErrRange},
		{`"NaN"`, func(r *JSONReader) any { return r.float64() }, ErrType},
		{`1`, func(r *JSONReader) any { return r.bool() }, ErrType},
		{`1`, func(r *JSONReader) any { return r.string() }, ErrType},
		{`"AQI="`, func(r *JSONReader) any { return r.bytes() }, []byte{1, 2}},
		{`"AQI"`, func(r *JSONReader) any { return r.bytes() }, []byte{1, 2}},
		{`"-_8"`, func(r *JSONReader) any { return r.bytes() }, []byte{0xfb, 0xff}},
		{`""`, func(r *JSONReader) any { return r.bytes() }, []byte(nil)},
		{`"@"`, func(r *JSONReader) any { return r.bytes() }, ErrValue},
		{`"1.5s"`, func(r *JSONReader) any { return r.duration() }, 1500 * time.Millisecond},
		{`"1m"`, func(r *JSONReader) any { return r.duration() }, ErrValue},
		{`{}`, func(r *JSONReader) any { return r.time() }, ErrType},
		{`2`, func(r *JSONReader) any { return r.enum(&kitColors) }, kitColors.ByNumber(2)},
		{`77`, func(r *JSONReader) any { return r.enum(&kitColors) }, "77"},
		{`"mauve"`, func(r *JSONReader) any { return r.enum(&kitColors) }, "mauve"},
		{`""`, func(r *JSONReader) any { return r.enum(&kitColors) }, ErrValue},
		{`1.5`, func(r *JSONReader) any { return r.enum(&kitColors) }, ErrType},
	} {
		r := NewJSONReader([]byte(c.text))
		got := c.read(&r)
		err := r.close()
		if want, fails := c.want.(error); fails {
			assert.ErrorIs(t, err, want, c.text)
			continue
		}
		require.NoError(t, err, c.text)
		assert.Equal(t, c.want, got, c.text)
	}
}

func TestJSONBombs(t *testing.T) {
	const many = 10_000_000
	fields := Fields{Message: "test.Bomb", Names: []string{"known"}}
	for name, bomb := range map[string]string{
		"lists":             strings.Repeat("[", many),
		"objects":           strings.Repeat(`{"a":`, many/5),
		"known lists":       `{"known":` + strings.Repeat("[", many),
		"unknown lists":     `{"unknown":` + strings.Repeat("[", many),
		"unknown objects":   `{"unknown":` + strings.Repeat(`{"a":`, many/5),
		"a million digits":  `{"known":` + strings.Repeat("9", 1_000_000) + `x}`,
		"a million in text": `{"known":"` + strings.Repeat("9", 1_000_000) + `"`,
	} {
		data := []byte(bomb)
		used := allocated(func() {
			r := NewJSONReader(data)
			var u Unknown
			for o := r.place(&fields); r.nextField(&o); {
				if o.field == 0 {
					r.value()
				} else {
					r.keep(&o, &u)
				}
			}
			assert.Error(t, r.close(), name)
		})
		assert.Less(t, used, uint64(4_000_000), name)
	}
}

func TestJSONUnknownKeysTakeLinearTime(t *testing.T) {
	var b bytes.Buffer
	b.WriteString(`{"x":0`)
	for i := range 200_000 {
		b.WriteString(`,"key` + strconv.Itoa(i) + `":1`)
	}
	b.WriteString(`}`)
	fields := Fields{Message: "test.Wide", Names: []string{"known"}}
	r := NewJSONReader(b.Bytes())
	var u Unknown
	for o := r.place(&fields); r.nextField(&o); {
		r.keep(&o, &u)
	}
	require.NoError(t, r.close())
	assert.Equal(t, 200_001, u.Len())
}

// FuzzJSONValue holds the reader against encoding/json, and the writer against
// the reader.
func FuzzJSONValue(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5,"x\u00e9",null,true]}`, `1e400`, `-0`, `"\ud83d\ude80"`, `[[[]]]`, `{"a":{"a":1e-7}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewJSONReader(data)
		got := r.value()
		err := r.close()
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		var want any
		peer := d.Decode(&want)
		if peer == nil {
			if _, err := d.Token(); !errors.Is(err, io.EOF) {
				peer = errors.New("trailing")
			}
		}
		if err != nil {
			// What only this reader refuses.
			refused := errors.Is(err, ErrDuplicate) || errors.Is(err, ErrUTF8) || errors.Is(err, ErrDepth)
			require.True(t, peer != nil || refused, "%q: %v", data, err)
			return
		}
		require.NoError(t, peer, "%q", data)
		text := new(JSONWriter).Value(nil, got)
		d = json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		var again any
		require.NoError(t, d.Decode(&again))
		require.Equal(t, plainNumbers(t, want), plainNumbers(t, again), "%q", data)
	})
}

// plainNumbers makes numbers that denote the same comparable.
func plainNumbers(t *testing.T, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, x := range v {
			v[key] = plainNumbers(t, x)
		}
	case []any:
		for i, x := range v {
			v[i] = plainNumbers(t, x)
		}
	case json.Number:
		digits, power, ok := significant(v.String())
		require.True(t, ok)
		return [3]any{strings.HasPrefix(v.String(), "-"), digits, power}
	}
	return v
}
