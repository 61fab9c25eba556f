package wire_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/wire"
)

// theirs is what protojson writes. One value has no blanks in it.
func theirs(t require.TestingT, m proto.Message) string {
	b, err := protojson.Marshal(m)
	require.NoError(t, err)
	return string(b)
}

func TestProtojsonFloats(t *testing.T) {
	w := wire.NewJSONWriter(nil)
	check := func(t require.TestingT, v float64) {
		require.Equal(t, theirs(t, wrapperspb.Double(v)), string(w.ProtojsonFloat64(nil, v)))
		require.Equal(t, theirs(t, wrapperspb.Float(float32(v))), string(w.ProtojsonFloat32(nil, float32(v))))
		data := w.ProtojsonFloat64(nil, v)
		r := wire.NewJSONReader(data)
		got, rest := r.ProtojsonFloat64(data)
		if !math.IsNaN(v) || !math.IsNaN(got) {
			require.Equal(t, math.Float64bits(v), math.Float64bits(got))
		}
		require.NoError(t, r.Close(rest))
	}
	for _, edge := range []float64{0, 1e-6, 1e21, 1e-7, 1e-10, 1e-100, math.MaxFloat32, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53, math.Inf(1), math.NaN()} {
		for _, v := range []float64{edge, -edge, math.Nextafter(edge, 0), math.Nextafter(edge, math.MaxFloat64), float64(math.Nextafter32(float32(edge), 0)), float64(math.Nextafter32(float32(edge), math.MaxFloat32))} {
			check(t, v)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t, math.Float64frombits(rapid.Uint64().Draw(t, "bits")))
		check(t, float64(rapid.Int64Range(-1e12, 1e12).Draw(t, "digits"))/rapid.SampledFrom([]float64{1, 1e2, 1e6, 1e9}).Draw(t, "unit"))
	})
	for _, text := range []string{`"nan"`, `"+Infinity"`, `"inf"`, `NaN`, `"NaN`, `""`, `true`} {
		r := wire.NewJSONReader([]byte(text))
		_, rest := r.ProtojsonFloat64([]byte(text))
		require.Error(t, r.Close(rest), text)
	}
}

func TestProtojsonTimes(t *testing.T) {
	w := wire.NewJSONWriter(nil)
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]int64{1, 1e3, 1e6, 1e9}).Draw(t, "unit")
		at := time.Unix(rapid.Int64Range(-62135596800, 253402300799).Draw(t, "seconds"), unit*rapid.Int64Range(0, 1e9/unit-1).Draw(t, "nanos"))
		require.Equal(t, theirs(t, timestamppb.New(at)), string(w.ProtojsonTime(nil, at)))
	})
	_, err := w.Close(w.ProtojsonTime(nil, time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)), "m")
	require.ErrorIs(t, err, wire.ErrRange)
}

// A mask is written and read as protojson does it, or refused as protojson does it.
func TestProtojsonFieldMasks(t *testing.T) {
	path := rapid.OneOf(rapid.StringMatching(`[a-z]+(_[a-z]+|\.[a-z]+)*`), rapid.StringMatching(`[a-zA-Z0-9_.]{0,6}`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		paths := rapid.SliceOfN(path, 0, 3).Draw(t, "paths")
		w := wire.NewJSONWriter(nil)
		got, err := w.Close(w.ProtojsonFieldMask(nil, paths), "m")
		want, fault := protojson.Marshal(&fieldmaskpb.FieldMask{Paths: paths})
		require.Equal(t, fault != nil, err != nil, "%v, %v", fault, err)
		require.Equal(t, string(want), string(got))

		camel := append([]string{}, paths...)
		for i := range camel {
			camel[i] = strings.ToUpper(camel[i][:min(1, len(camel[i]))]) + camel[i][min(1, len(camel[i])):]
		}
		text, err := json.Marshal(rapid.SampledFrom([]string{"", " ", "\t"}).Draw(t, "blank") + strings.Join(camel, ","))
		require.NoError(t, err)
		var m fieldmaskpb.FieldMask
		fault = protojson.Unmarshal(text, &m)
		r := wire.NewJSONReader(text)
		read, rest := r.ProtojsonFieldMask(text)
		err = r.Close(rest)
		require.Equal(t, fault != nil, err != nil, "%s: %v, %v", text, fault, err)
		if err == nil {
			require.Equal(t, m.GetPaths(), read)
		}
	})
}

// Numbers of any type are written as the floats that they are in protobuf, and those
// that are none as they are.
func TestProtojsonValues(t *testing.T) {
	for _, v := range []any{1, uint8(2), int64(1) << 62, uint64(1) << 63, float32(0.5), json.Number("1.50"), json.Number("1e21"), math.Copysign(0, -1), 1e21, nil, true, "x"} {
		w := wire.NewJSONWriter(nil)
		got := w.ProtojsonValue(nil, []any{map[string]any{"a": v}})
		float := v
		if n, ok := v.(json.Number); ok {
			f, err := n.Float64()
			require.NoError(t, err)
			float = f
		}
		want, err := structpb.NewValue(float)
		require.NoError(t, err)
		assert.Equal(t, `[{"a":`+theirs(t, want)+`}]`, string(got))
	}
	for v, want := range map[any]string{
		int64(9007199254740993): "9007199254740993", uint64(math.MaxUint64): "18446744073709551615", json.Number("0.10000000000000000001"): "0.10000000000000000001",
	} {
		w := wire.NewJSONWriter(nil)
		assert.Equal(t, want, string(w.ProtojsonValue(nil, v)))
	}
	for _, v := range []any{math.NaN(), float32(math.Inf(-1)), json.Number("x"), struct{}{}} {
		w := wire.NewJSONWriter(nil)
		_, err := w.Close(w.ProtojsonStruct(nil, map[string]any{"a": []any{v}}), "m")
		require.Error(t, err, "%v", v)
	}
}

func TestProtojsonNull(t *testing.T) {
	for text, ok := range map[string]bool{"null": true, `"NULL_VALUE"`: true, "0": true, "1": false, `"x"`: false, "": false, "nul": false} {
		r := wire.NewJSONReader([]byte(text))
		null, rest := wire.ProtojsonNull(&r, []byte(text), "one")
		assert.Equal(t, "one", null)
		assert.Equal(t, ok, r.Close(rest) == nil, text)
	}
}

func TestProtojsonEnums(t *testing.T) {
	e := wire.Enum{Name: "Color", Values: []wire.EnumValue{
		{Name: "COLOR_NONE"}, {Name: "COLOR_RED", Number: 1}, {Name: "COLOR_ROT", Number: 1}, {Name: "red", Number: 1, Alias: true},
	}}
	for name, want := range map[string]string{
		"": `"COLOR_NONE"`, "COLOR_RED": `"COLOR_RED"`, "COLOR_ROT": `"COLOR_RED"`, "red": `"COLOR_RED"`,
		"7": `7`, "-5": `-5`, "1": `"COLOR_RED"`, "LATER": `"LATER"`, "99999999999": `"99999999999"`,
	} {
		w := wire.NewJSONWriter(nil)
		assert.Equal(t, want, string(w.ProtojsonEnum(nil, &e, name)))
	}
}
