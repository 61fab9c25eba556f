package wire

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every kind of fault: where it is said to be, and what is said of it. The
// offset is where "^" stands in text.
func TestJSONRefusesMessages(t *testing.T) {
	for _, c := range []struct {
		text    string
		cause   error
		field   string
		message string
	}{
		{`^`, ErrTruncated, "", "want an object"},
		{`^null`, ErrType, "", "found null, want an object"},
		{`^[]`, ErrType, "", "found a list, want an object"},
		{`^x`, ErrSyntax, "", `found "x", want an object`},
		{`{"name":"k"}^x`, ErrTrailing, "", "1 more"},
		{`{"name":"k"} ^{}`, ErrTrailing, "", "2 more"},
		{`{}^`, ErrMissing, "name", ""},
		{`{"name":null}^`, ErrMissing, "name", ""},
		{`{"name":"k","kits":[{"name":"k"},{"i32":1}^]}`, ErrMissing, "kits[1].name", ""},
		{`{"name":"k",^"name":"k"}`, ErrDuplicate, "name", `"name"`},
		{`{"name":"k",^"title":"k"}`, ErrDuplicate, "name", `"title"`},
		{`{"name":"k",^"n\u0061me":"k"}`, ErrDuplicate, "name", `"name"`},
		{`{"x":1,^"x":2}`, ErrDuplicate, "x", `"x"`},
		{`{"name":^7}`, ErrType, "name", "found a number, want a string"},
		{`{"name":^true}`, ErrType, "name", "found a boolean, want a string"},
		{`{"name":^{}}`, ErrType, "name", "found an object, want a string"},
		{`{"name":"k" ^"i32":1}`, ErrSyntax, "", `found "\"", want "}" or a comma`},
		{`{"name":"k",^}`, ErrSyntax, "", `found "}" behind a comma`},
		{`{^name:1}`, ErrSyntax, "", `found "n", want a key`},
		{`{"name" ^"k"}`, ErrSyntax, "", `want a colon`},
		{`{"name":"k",^1:2}`, ErrSyntax, "", `found "1", want a key`},
		{`{"i32":^"7x"}`, ErrType, "i32", `found the string "7x", want an integer`},
		{`{"i32":^1.5}`, ErrType, "i32", "found 1.5, want an integer"},
		{`{"i32":^3000000000}`, ErrRange, "i32", "found 3000000000, want an integer of 32 bits"},
		{`{"u64":^-1}`, ErrRange, "u64", "found -1, want an integer that is not negative"},
		{`{"u32":^1e10}`, ErrRange, "u32", "found 1e10, want an integer of 32 bits"},
		{`{"f64":^1e999}`, ErrRange, "f64", "found 1e999, want a float of 64 bits"},
		{`{"f32":^1e39}`, ErrRange, "f32", "found 1e39, want a float of 32 bits"},
		{`{"f64":^NaN}`, ErrSyntax, "f64", `found "N", want a number`},
		{`{"f64":^01}`, ErrSyntax, "f64", "found a number that JSON does not have"},
		{`{"flag":^1}`, ErrType, "flag", "found a number, want a boolean"},
		{`{"flag":^trux}`, ErrSyntax, "flag", `found "trux", want true`},
		{`{"data":^"A"}`, ErrValue, "data", "found a string that is no base64"},
		{`{"at":^"2026-03-04T05:06:07"}`, ErrValue, "at", "has no offset from UTC"},
		{`{"at":^1}`, ErrType, "at", `found a number, want a time such as`},
		{`{"at":^"0000-01-01T00:00:00Z"}`, ErrRange, "at", "want one in the years 1 to 9999"},
		{`{"wait":^"1m"}`, ErrValue, "wait", `want seconds such as "1.5s"`},
		{`{"color":^""}`, ErrValue, "color", "found an empty string"},
		{`{"color":^true}`, ErrType, "color", "found a boolean"},
		{`{"kits":^{}}`, ErrType, "kits", "found an object, want a list"},
		{`{"kits":[{"name":"k"},^7]}`, ErrType, "kits[1]", "found a number, want an object"},
		{`{"kits":[{"name":"k"},^null]}`, ErrType, "kits[1]", "found null, want an object"},
		{`{"kits":[{"name":"k"}^;]}`, ErrSyntax, "kits", `found ";", want "]" or a comma`},
		{`{"kits":[{"name":"k","kits":[{"name":^0}]}]}`, ErrType, "kits[0].kits[0].name", "found a number"},
		{`{"labels":{"a":^1}}`, ErrType, `labels["a"]`, "found a number"},
		{`{"labels":{"a":^null}}`, ErrType, `labels["a"]`, "found null"},
		{`{"labels":{"a":"x",^"a":"y"}}`, ErrDuplicate, `labels["a"]`, `"a"`},
		{`{"labels":{"a\"\n":^1}}`, ErrType, `labels["a\"\n"]`, "found a number"},
		{`{"by_i32":{^"x":"y"}}`, ErrType, `by_i32["x"]`, `found the key "x", want an integer`},
		{`{"by_i32":{^"3000000000":"y"}}`, ErrRange, `by_i32["3000000000"]`, "want an integer"},
		{`{"by_u32":{^"-1":"y"}}`, ErrType, `by_u32["-1"]`, "want an integer"},
		{`{"by_u64":{"7":{"name":^1}}}`, ErrType, `by_u64["7"].name`, "found a number"},
		{`{"by_i64":{"7":"x",^"7":"y"}}`, ErrDuplicate, `by_i64["7"]`, `"7"`},
		{`{"by_i64":{^"07":"y"}}`, ErrType, `by_i64["07"]`, "want an integer"},
		{`{"by_i64":{^"+1":"y"}}`, ErrType, `by_i64["+1"]`, "want an integer"},
		{`{"by_u64":{^"-0":{}}}`, ErrType, `by_u64["-0"]`, "want an integer"},
		{`{"name":null,^"name":"k"}`, ErrDuplicate, "name", `"name"`},
		{`{"name":"k",^"name":null}`, ErrDuplicate, "name", `"name"`},
		{`{"x":1,"y":2,^"x":3}`, ErrDuplicate, "x", `"x"`},
		{`{"x":[{"a":1,^"a":2}]}`, ErrDuplicate, "x", `"a"`},
		{`{"data":^"===="}`, ErrValue, "data", "no base64"},
		{`{"data":^"AA==="}`, ErrValue, "data", "no base64"},
		{`{"data":^"AQ\nI="}`, ErrValue, "data", "no base64"},
		{`{"by_bool":{^"yes":"y"}}`, ErrType, `by_bool["yes"]`, "want true or false"},
		{`{"text":"x","kit":^{"name":"k"}}`, ErrDuplicate, "kit", `another member of the oneof "any"`},
		{`{"meta":^[]}`, ErrType, "meta", "found a list, want an object"},
		{`{"list":^{}}`, ErrType, "list", "found an object, want a list"},
		{`{"meta":{"a":[1,{"b":^x}]}}`, ErrSyntax, `meta["a"][1]["b"]`, `found "x", want a value`},
		{`{"meta":{"a":1,^"a":2}}`, ErrDuplicate, `meta["a"]`, `"a"`},
		{`{"free":[1,{"b":0,^"b":2}]}`, ErrDuplicate, `free[1]["b"]`, `"b"`},
		{`{"x":{"a":[^01]}}`, ErrSyntax, "x", "found a number that JSON does not have"},
		{`{"name":"` + "^\xff" + `"}`, ErrUTF8, "name", "byte 0xff in a string"},
		{`{"name":"ö\n` + "^\xc3" + `("}`, ErrUTF8, "name", "byte 0xc3 in a string"},
		{`{"name":"^\ud800x"}`, ErrUTF8, "name", `found the half of a surrogate pair, \ud800`},
		{`{"name":"` + "^\x1f" + `"}`, ErrSyntax, "name", "found the control character 0x1f"},
		{`{"name":"a\n` + "^\x00" + `"}`, ErrSyntax, "name", "found the control character 0x00"},
		{`{"name":"^\'"}`, ErrSyntax, "name", "found the escape"},
		{`{"name":"^\u00g0"}`, ErrSyntax, "name", "want four hexadecimal digits"},
		{`{"` + "^\xff" + `":1}`, ErrUTF8, "", "byte 0xff in a string"},
		{`{"x":` + strings.Repeat(`[`, MaxDepth-1) + `^[`, ErrDepth, "x", "more than 100 levels"},
		{`{"list":` + strings.Repeat(`[`, MaxDepth-1) + `^[`, ErrDepth, "list" + strings.Repeat("[0]", MaxDepth-1), "more than 100 levels"},
	} {
		offset := strings.Index(c.text, "^")
		data := []byte(strings.Replace(c.text, "^", "", 1))
		err := new(kit).UnmarshalJSON(data)
		require.ErrorIs(t, err, c.cause, "%s", data)
		var e *Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "test.Kit", e.Message)
		assert.Equal(t, c.field, e.Field, "%s", data)
		assert.Equal(t, offset, e.Offset, "%s", data)
		assert.ErrorContains(t, e.Err, c.message, "%s", data)
	}
}

func TestJSONDepthIsCounted(t *testing.T) {
	for levels, want := range map[int]error{MaxDepth - 1: nil, MaxDepth: ErrDepth} {
		nested := strings.Repeat("[", levels) + strings.Repeat("]", levels)
		for _, key := range []string{"x", "free", "list"} {
			var m kit
			require.ErrorIs(t, m.UnmarshalJSON([]byte(`{"name":"k","`+key+`":`+nested+`}`)), want, "%s %d", key, levels)
			if want == nil {
				b, err := m.AppendJSON(nil)
				require.NoError(t, err, "what can be read can be written")
				require.NoError(t, m.UnmarshalJSON(b))
			}
		}
		memos := strings.Repeat(`{"next":`, levels) + `{}` + strings.Repeat("}", levels)
		var m memo
		require.ErrorIs(t, m.UnmarshalJSON([]byte(memos)), want)
		if want == nil {
			b, err := m.AppendJSON(nil)
			require.NoError(t, err)
			assert.Equal(t, memos, string(b))
			_, err = (&memo{Next: &m}).AppendJSON(nil)
			require.ErrorIs(t, err, ErrDepth)
		}
	}
}

func TestJSONEveryPrefixIsTruncatedAndEveryFlipIsHarmless(t *testing.T) {
	data := []byte(`{"name":"k\u00e9\ud83d\ude80ö\n","i32":-7,"u64":"18446744073709551615","f64":-1.5e-07,"flag":false,"data":"AQID",` +
		`"at":"2026-03-04T05:06:07.123456+01:00","wait":"1.5s","color":"red","free":[null,true,{"a":[-0.5E+2]}],"kits":[{"name":"in"}],` +
		`"by_u64":{"7":{"name":"in"}},"by_bool":{"true":"x"},"kit":{"name":"in"},"x":[{"a":[null,"\\\ud83d\ude80é\n"]},-1.0e-9,false]}`)
	var m kit
	require.NoError(t, m.UnmarshalJSON(data))
	for n := range data {
		require.ErrorIs(t, m.UnmarshalJSON(data[:n]), ErrTruncated, "%s", data[:n])
	}
	for at := range data {
		old := data[at]
		for c := range 256 {
			data[at] = byte(c)
			if m.UnmarshalJSON(data) == nil {
				require.True(t, json.Valid(data), "%s", data)
			}
		}
		data[at] = old
	}
}

func TestJSONErrorReadsWell(t *testing.T) {
	err := new(kit).UnmarshalJSON([]byte(`{"name":"k","kits":[{"name":7}]}`))
	assert.EqualError(t, err, "test.Kit: kits[0].name (byte 28): wrong type: found a number, want a string")
}
