package convert_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/runtime/wire"
)

// Any bytes are refused with a [wire.Error], or are a message that comes back from
// any other codec that can carry it.
func FuzzConvert(f *testing.F) {
	rules, _ := converter(f, "testdata", "rules.proto", "rules.Rules")
	plain, _ := converter(f, "testdata", "plain.proto", "plain.Plain")
	types, _ := broad(f)
	converters := []*convert.Converter{rules, plain, types}
	for i, text := range []string{
		`{"key":"x","must":"2020-01-01T00:00:00Z","wrapped":3,"part":{"deep":[{"b":"1"}]},"free":null,"new":[1,{"a":1.5}],"level":"top"}`,
		`{"must":"red","inner":[{"f":1.5}],"at":"2020-01-01T00:00:00Z","hold":"1.5s","raw":"AQ==","meta":{"a":[1]},"value":2,"one":{},"colors":{"1":"7"}}`,
		`{"r_value":[null,1,1e30,"a",[{}]],"m_fixed32":{"3":{"f_time":"2020-01-01T00:00:00.5Z"}},"first_broad":{"o_color":"12"},"w_bytes":"AQ"}`,
	} {
		for _, codec := range convert.Codecs() {
			data, _, err := converters[i].Convert([]byte(text), convert.JSON, codec)
			if err == nil {
				f.Add(uint8(i), data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, message uint8, data []byte) {
		c := converters[int(message)%len(converters)]
		for _, from := range convert.Codecs() {
			text, leftOut, err := c.Convert(data, from, convert.JSON)
			if err != nil {
				require.ErrorAs(t, err, new(*wire.Error))
				continue
			}
			for _, to := range convert.Codecs() {
				out, _, err := c.Convert(data, from, to)
				if err != nil {
					require.ErrorAs(t, err, new(*wire.Error))
					continue
				}
				again, left, err := c.Convert(out, to, convert.JSON)
				require.NoError(t, err, "%s to %s: %q", from, to, out)
				if to != convert.Protobuf { // which keeps what the schema lacks
					require.Empty(t, left)
				}
				require.Equal(t, meaning(t, text), meaning(t, again), "%s to %s, left out %v", from, to, leftOut)
			}
		}
	})
}

// meaning is a JSON document with its numbers exact: through protobuf, 3.0 is 3.
func meaning(t testing.TB, document []byte) any {
	d := json.NewDecoder(strings.NewReader(string(document)))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return exact(v)
}

func exact(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = exact(value)
		}
	case []any:
		for i, value := range v {
			v[i] = exact(value)
		}
	case json.Number:
		if _, exponent, _ := strings.Cut(strings.ToLower(v.String()), "e"); len(exponent) < 5 {
			if n, ok := new(big.Rat).SetString(v.String()); ok {
				return n.RatString()
			}
		}
	}
	return v
}
