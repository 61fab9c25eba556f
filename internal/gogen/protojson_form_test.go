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
	"google.golang.org/protobuf/reflect/protoreflect"
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
	// in is a message in JSON, msgpack and protobuf, each of which may be a fault.
	in := func(codec string, data []byte) [3]string {
		line := string(generated(fmt.Appendf(nil, "form.Kinds %s %s", codec, base64.StdEncoding.EncodeToString(data))))
		var forms [3]string
		for i, form := range strings.Split(line, "\t") {
			forms[i] = form
			if raw, err := hex.DecodeString(form[1:]); err == nil {
				forms[i] = string(raw)
			}
		}
		return forms
	}
	kinds := descriptor(t, "testdata/protojson", "form.proto", "form.Kinds")
	rapid.Check(t, func(t *rapid.T) {
		m := randompb.Message(t, kinds)
		if proto.CheckInitialized(m) != nil {
			t.Skip("a required field is missing where it would be too deep")
		}
		data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
		require.NoError(t, err)
		want := compact(t, m)
		got := in("protobuf", data)
		require.Equal(t, want, got[0])
		got = in("msgpack", []byte(got[1]))
		require.Equal(t, want, got[0])

		text, err := protojson.MarshalOptions{
			Multiline:         rapid.Bool().Draw(t, "multiline"),
			UseProtoNames:     rapid.Bool().Draw(t, "names"),
			UseEnumNumbers:    rapid.Bool().Draw(t, "numbers"),
			EmitUnpopulated:   rapid.Bool().Draw(t, "unpopulated"),
			EmitDefaultValues: rapid.Bool().Draw(t, "defaults"),
		}.Marshal(m)
		require.NoError(t, err)
		theirs := dynamicpb.NewMessage(kinds)
		require.NoError(t, protojson.Unmarshal(text, theirs))
		dropAbsent(theirs)
		got = in("json", text)
		require.Equal(t, compact(t, theirs), got[0])
		again := dynamicpb.NewMessage(kinds)
		require.NoError(t, proto.Unmarshal([]byte(got[2]), again))
		require.True(t, proto.Equal(theirs, again), "%s", text)

		// A change that protojson reads is read as it reads it, if it is JSON, but for
		// long durations and keys of maps such as "01".
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[at] = rapid.SampledFrom([]byte("0123456789eE+-._ \"\\nul")).Draw(t, "byte")
		if !json.Valid(text) || protojson.Unmarshal(text, theirs) != nil {
			return
		}
		got = in("json", text)
		if strings.Contains(got[0], "want one of at most 292 years") || strings.Contains(got[0], "found the key ") {
			return
		}
		require.NoError(t, protojson.Unmarshal([]byte(got[0]), again), "%s\ngave %s", text, got[0])
		dropAbsent(theirs)
		require.True(t, proto.Equal(theirs, again), "%s\n%v\n%v", text, theirs, again)
	})
	for _, text := range []string{
		`{"fDouble":"NaN","fFloat":"-Infinity","rDouble":["Infinity",-0,1e21,1e-7,123456789012345680000,0.000001]}`,
		`{"rFloat":[1e21,1e-7,1e-6,16777216,3.4028235e38,"NaN"],"wDouble":0,"wFloat":"Infinity"}`,
		`{"f_bytes":"-_","fInt64":-1,"fUint64":"1e2","fString":"<b>&\u2028\u0000\u007f"}`,
		`{"fColor":"COLOR_ROT","rColor":[1,7,-5]}`, `{"oColor":0}`, `{"mask":"a.bC,d"}`, `{"rMask":["","aB"]}`, `{"mask":""}`,
		`{"fTime":"2024-02-29T13:30:00.5+01:30"}`, `{"fTime":"2024-02-29T12:00:00.000001Z"}`, `{"fDuration":"-1.5s"}`,
		`{"fValue":[1.0,1e3,-0,0.5,1e21,4611686018427388000,1e-7,null]}`, `{"choiceValue":null}`,
		`{"fStruct":{"b":1,"a":{}},"fList":[]}`, `{"part":{"name":"","level":7}}`, `{"choiceMask":"a"}`, `{"choiceNull":null,"oNull":null,"rNull":[null,"NULL_VALUE",0],"mNull":{"a":null}}`, `{"choiceDouble":"NaN"}`,
	} {
		m := dynamicpb.NewMessage(kinds)
		require.NoError(t, protojson.Unmarshal([]byte(text), m), text)
		require.Equal(t, compact(t, m), in("json", []byte(text))[0])
	}
}

// compact is what protojson writes, without blanks.
func compact(t require.TestingT, m proto.Message) string {
	text, err := protojson.Marshal(m)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, text))
	return b.String()
}

// dropAbsent takes out of a message what is the same as absent in Go.
func dropAbsent(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap() && f.MapValue().Message() != nil:
			v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
				dropAbsent(v.Message())
				return true
			})
		case f.IsMap() || f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				dropAbsent(v.List().Get(i).Message())
			}
		case f.ContainingOneof() == nil && randompb.Absent(f, v):
			m.Clear(f)
		default:
			dropAbsent(v.Message())
		}
		return true
	})
}
