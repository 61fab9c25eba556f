package wire

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inKit puts a JSON value into a field of a kit.
func inKit(field, value string) []byte { return []byte(`{"name":"k","` + field + `":` + value + `}`) }

func TestJSONDeepInputIsRefused(t *testing.T) {
	const levels = 10_000_000
	for name, level := range map[string]string{"lists": "[", "objects": `{"a":`, "both": `[{"a":`, "spaced": " [\n"} {
		deep := strings.Repeat(level, levels/len(level))
		for _, place := range []string{"free", "list", "meta", "kits", "labels", "by_u64", "kit", "x", "name", "u64", "flag", "at"} {
			data := inKit(place, deep)
			var err error
			n, took := measured(func() { err = new(kit).UnmarshalJSON(data) })
			require.Error(t, err, "%s in %s", name, place)
			if place == "free" || place == "x" {
				require.ErrorIs(t, err, ErrDepth, "%s in %s", name, place)
			}
			assert.Less(t, n, uint64(512<<10), "%s in %s", name, place)
			assert.Less(t, took, time.Second, "%s in %s", name, place)
			require.Error(t, new(memo).UnmarshalJSON(data))
		}
	}
	memos := strings.Repeat(`{"next":`, levels/8)
	require.ErrorIs(t, new(memo).UnmarshalJSON([]byte(memos)), ErrDepth)
}

// The costliest inputs that are well formed: small values that become large.
func TestJSONMemoryStaysNearTheInput(t *testing.T) {
	const n = 1 << 16
	list := func(element string) string { return "[" + strings.Repeat(element+",", n) + element + "]" }
	var keys strings.Builder
	for i := range n {
		keys.WriteString(`"` + strconv.Itoa(i) + `":0,`)
	}
	keys.WriteString(`"":0`)
	for name, c := range map[string]struct {
		data  []byte
		times uint64
	}{
		"digits":         {inKit("list", list("9")), 64},
		"nulls":          {inKit("list", list("null")), 28},
		"empty lists":    {inKit("list", list("[]")), 56},
		"empty objects":  {inKit("list", list("{}")), 64},
		"one in a map":   {inKit("list", list(`{"":0}`)), 90},
		"empty strings":  {inKit("list", list(`""`)), 44},
		"floats":         {inKit("list", list("1.0")), 36},
		"keys":           {inKit("meta", "{"+keys.String()+"}"), 48},
		"labels":         {inKit("labels", "{"+strings.ReplaceAll(keys.String(), ":0", `:""`)+"}"), 48},
		"unknown keys":   {[]byte(`{"name":"k",` + keys.String() + "}"), 64},
		"unknown list":   {inKit("x", list("9")), 2},
		"unknown object": {inKit("x", "{"+keys.String()+"}"), 16}, // its keys are looked at
		"text":           {inKit("text", `"`+strings.Repeat("x", n)+`"`), 2},
		"escapes":        {inKit("text", `"`+strings.Repeat(`\n`, n)+`"`), 6},
		"many digits":    {inKit("free", strings.Repeat("9", n)), 4},
		"many decimals":  {inKit("free", "0."+strings.Repeat("9", n)), 10},
		"whole decimals": {inKit("i64", "1."+strings.Repeat("0", n)), 10},
		"base64":         {inKit("data", `"`+strings.Repeat("A", n)+`"`), 4},
	} {
		var err error
		used := allocated(func() { err = new(kit).UnmarshalJSON(c.data) })
		require.NoError(t, err, name)
		assert.Less(t, used, c.times*uint64(len(c.data))+64<<10, "%s: %d times the input", name, used/uint64(len(c.data)))
	}
}

// Twice the input takes about twice the time: no input of a megabyte takes a second.
func TestJSONTimeIsLinear(t *testing.T) {
	const size = 1 << 20
	for name, data := range map[string][]byte{
		"white space":      inKit("text", strings.Repeat(" \n", size/2)+`"k"`),
		"text of escapes":  inKit("free", `"`+strings.Repeat(`\u00e9`, size/6)+`"`),
		"text of pairs":    inKit("free", `"`+strings.Repeat(`\ud83d\ude80`, size/12)+`"`),
		"not ASCII":        inKit("free", `"`+strings.Repeat("é", size/2)+`"`),
		"almost valid":     inKit("free", `"`+strings.Repeat("é", size/2)+"\xff\""),
		"escapes and text": inKit("free", `"`+strings.Repeat(`aaaaaaaaé\n`, size/12)+"\xff\""),
		"exponent":         inKit("f64", "1e"+strings.Repeat("9", size)),
		"tiny exponent":    inKit("free", "1e-"+strings.Repeat("9", size)),
		"digits":           inKit("f64", strings.Repeat("9", size)),
		"bad digits":       inKit("u64", `"`+strings.Repeat("9", size)+`x"`),
		"zeros":            inKit("i64", "0."+strings.Repeat("0", size)+"1e"+strconv.Itoa(size+1)),
		"leading zero":     inKit("i64", strings.Repeat("0", size)),
		"time":             inKit("at", `"`+strings.Repeat("2", size)+`"`),
		"duration":         inKit("wait", `"`+strings.Repeat("9", size)+`s"`),
		"bad base64":       inKit("data", `"`+strings.Repeat("A", size)+`*"`),
		"enum":             inKit("color", `"`+strings.Repeat("r", size)+`"`),
		"bad key":          inKit("by_i32", `{"`+strings.Repeat("9", size)+`":""}`),
		"null fields":      []byte(`{"name":"k"` + strings.Repeat(`,"i32":null`, size/11) + `}`),
	} {
		start := time.Now()
		err := new(kit).UnmarshalJSON(data)
		assert.Less(t, time.Since(start), time.Second, name)
		if err != nil {
			assert.Less(t, len(err.Error()), 500, name)
		}
	}
}

// What protojson's form reads otherwise is bounded too: in time, in memory, and in the
// words of its errors.
func TestProtojsonOfHostileInput(t *testing.T) {
	const size = 1 << 20
	readers := map[string]func(r *JSONReader, b []byte) []byte{
		"double": func(r *JSONReader, b []byte) []byte { _, b = r.ProtojsonFloat64(b); return b },
		"float":  func(r *JSONReader, b []byte) []byte { _, b = r.ProtojsonFloat32(b); return b },
		"mask":   func(r *JSONReader, b []byte) []byte { _, b = r.ProtojsonFieldMask(b); return b },
		"null":   func(r *JSONReader, b []byte) []byte { _, b = ProtojsonNull(r, b, 0); return b },
	}
	for name, text := range map[string]string{
		"short paths": `"a` + strings.Repeat(",a", size/2) + `"`,
		"capitals":    `"a` + strings.Repeat("A", size) + `"`,
		"names":       `"a` + strings.Repeat(".a", size/2) + `"`,
		"commas":      `"` + strings.Repeat(",", size) + `"`,
		"a bad end":   `"a` + strings.Repeat(",a", size/2) + `,_"`,
		"a long word": `"` + strings.Repeat("?", size) + `"`,
		"blanks":      `"` + strings.Repeat(" ", size) + `x "`,
		"escapes":     `"` + strings.Repeat(`\u0061`, size/6) + `"`,
		"no end":      `"NaN` + strings.Repeat("a", size),
		"digits":      `"` + strings.Repeat("9", size) + `"`,
		"lists":       strings.Repeat("[", size),
		"white space": strings.Repeat(" \n", size/2),
	} {
		for kind, read := range readers {
			data := []byte(text)
			r := NewJSONReader(data)
			var err error
			used, took := measured(func() { err = r.Close(read(&r, data)) })
			assert.Less(t, took, time.Second, "%s as %s", name, kind)
			assert.Less(t, used, uint64(20*size), "%s as %s: %d times the input", name, kind, used/size)
			if err != nil {
				assert.Less(t, len(err.Error()), 500, "%s as %s", name, kind)
			}
		}
	}
}

func TestJSONLongErrorsInDepthStaySmall(t *testing.T) {
	// Each level has a long key, and the path of the failure passes them all.
	level := `{"` + strings.Repeat("k", 50_000) + `":`
	for _, field := range []string{"meta", "x"} {
		data := inKit(field, strings.Repeat(level, MaxDepth-5)+"?")
		var err error
		used := allocated(func() { err = new(kit).UnmarshalJSON(data) })
		require.ErrorIs(t, err, ErrSyntax)
		assert.Less(t, used, uint64(2*len(data)))
		assert.Less(t, len(err.Error()), 20_000)
	}
}

func TestJSONFindsDuplicatesAmongManyUnknownKeys(t *testing.T) {
	many := func(n int, last string) string {
		var b bytes.Buffer
		b.WriteString(`{"name":"in"`)
		for i := range n {
			fmt.Fprintf(&b, `,"x%d":%d`, i, i)
		}
		return b.String() + `,"` + last + `":0}`
	}
	for n := range 40 {
		var m kit
		require.NoError(t, m.UnmarshalJSON(inKit("kits", "["+many(n, "y")+","+many(n+1, "y")+","+many(n, "y")+"]")), n)
		assert.Len(t, m.Kits[2].Unknown, n+1)
		if n > 0 {
			err := m.UnmarshalJSON(inKit("kits", "["+many(n, "y")+","+many(n, "x0")+"]"))
			require.ErrorIs(t, err, ErrDuplicate, n)
			assert.Contains(t, err.Error(), "test.Kit: kits[1].x0 ")
		}
	}
}
