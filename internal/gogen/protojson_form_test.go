package gogen_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/randompb"
)

// In protojson's form generated code writes what protojson writes, byte for byte but
// for the blanks that protojson puts in at random, and reads what it writes with any
// of its options. What Go has no room for is left out of the messages: a time or a
// duration that is zero, and a null in a field of type Value.
func TestFormOfProtojson(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	generated := startConverter(t)
	in := func(t require.TestingT, codec string, data []byte) (text, packed, wire string) {
		line := string(generated(fmt.Appendf(nil, "form.Kinds %s %s", codec, base64.StdEncoding.EncodeToString(data))))
		forms := strings.Split(line, "\t=")
		require.Len(t, forms, 3, "%s %q gave %s", codec, data, line)
		forms[0] = strings.TrimPrefix(forms[0], "=")
		for i := range forms {
			raw, err := hex.DecodeString(forms[i])
			require.NoError(t, err, "%s %q gave %s", codec, data, line)
			forms[i] = string(raw)
		}
		return forms[0], forms[1], forms[2]
	}
	kinds := descriptor(t, "testdata/protojson", "form.proto", "form.Kinds")
	rapid.Check(t, func(t *rapid.T) {
		m := randompb.Message(t, kinds)
		if proto.CheckInitialized(m) != nil {
			t.Skip("a required field is missing where it would be too deep")
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		require.NoError(t, err)
		text, err := protojson.Marshal(m)
		require.NoError(t, err)
		var want bytes.Buffer
		require.NoError(t, json.Compact(&want, text))

		got, packed, _ := in(t, "protobuf", data)
		require.Equal(t, want.String(), got)
		got, _, _ = in(t, "msgpack", []byte(packed))
		require.Equal(t, want.String(), got)

		text, err = protojson.MarshalOptions{
			Multiline:         rapid.Bool().Draw(t, "multiline"),
			UseProtoNames:     rapid.Bool().Draw(t, "names"),
			UseEnumNumbers:    rapid.Bool().Draw(t, "numbers"),
			EmitUnpopulated:   rapid.Bool().Draw(t, "unpopulated"),
			EmitDefaultValues: rapid.Bool().Draw(t, "defaults"),
		}.Marshal(m)
		require.NoError(t, err)
		got, _, wire := in(t, "json", text)
		require.Equal(t, want.String(), got)
		again := dynamicpb.NewMessage(kinds)
		require.NoError(t, proto.Unmarshal([]byte(wire), again))
		require.True(t, proto.Equal(m, again), "%s", text)
	})
	for _, text := range []string{
		`{"fDouble":"NaN","fFloat":"-Infinity","rDouble":["Infinity",-0,1e21,1e-7,123456789012345680000,0.000001]}`,
		`{"rFloat":[1e21,1e-7,1e-6,16777216,3.4028235e38,"NaN"],"wDouble":0,"wFloat":"Infinity"}`,
		`{"f_bytes":"-_","fInt64":-1,"fUint64":"1e2","fString":"<b>&\u2028\u0000\u007f"}`,
		`{"fColor":"COLOR_ROT","rColor":[1,7,-5]}`, `{"oColor":0}`, `{"mask":"a.bC,d"}`, `{"rMask":["","aB"]}`, `{"mask":""}`,
		`{"fTime":"2024-02-29T13:30:00.5+01:30"}`, `{"fTime":"2024-02-29T12:00:00.000001Z"}`, `{"fDuration":"-1.5s"}`,
		`{"fValue":[1.0,1e3,-0,0.5,1e21,4611686018427388000,1e-7,null]}`, `{"choiceValue":null}`,
		`{"fStruct":{"b":1,"a":{}},"fList":[]}`, `{"part":{"name":"","level":7}}`, `{"choiceMask":"a"}`, `{"choiceDouble":"NaN"}`,
	} {
		m := dynamicpb.NewMessage(kinds)
		require.NoError(t, protojson.Unmarshal([]byte(text), m), text)
		want, err := protojson.Marshal(m)
		require.NoError(t, err)
		var compact bytes.Buffer
		require.NoError(t, json.Compact(&compact, want))
		got, _, _ := in(t, "json", []byte(text))
		require.Equal(t, compact.String(), got, text)
	}
}
