package convert_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/generated/wellknown"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/randompb"
	"github.com/coordgen/coordgen/runtime/wire"
)

// converter returns a converter of a message of the schema in the folder, and the
// message's descriptor.
func converter(t testing.TB, folder, file, name string) (*convert.Converter, protoreflect.MessageDescriptor) {
	r, err := load.Load(t.Context(), load.Options{Files: []string{file}, Include: []string{folder}})
	require.NoError(t, err)
	for _, f := range r.Schema.Files {
		for _, m := range f.Messages {
			if m.Name == name {
				c, err := convert.New(m, r.Descriptor(m))
				require.NoError(t, err)
				return c, r.Descriptor(m)
			}
		}
	}
	require.FailNow(t, "no such message", name)
	return nil, nil
}

func broad(t testing.TB) (*convert.Converter, protoreflect.MessageDescriptor) {
	return converter(t, "../gogen/testdata/broad", "broad.proto", "broad.Broad")
}

// through converts bytes along a path of codecs.
func through(t require.TestingT, c *convert.Converter, data []byte, codecs ...string) string {
	for i := range codecs[1:] {
		out, leftOut, err := c.Convert(data, codecs[i], codecs[i+1])
		require.NoError(t, err, "%v %q", codecs, data)
		require.Empty(t, leftOut)
		data = out
	}
	return string(data)
}

// Random messages of the schemas whose generated code is checked in are written
// by it and by the converter alike, byte for byte.
func TestAgreesWithGeneratedCode(t *testing.T) {
	for _, test := range []struct {
		file, name string
		message    func() any
	}{
		{"coordination.proto", "coordination.HeartbeatMessage", func() any { return new(coordination.HeartbeatMessage) }},
		{"coordination.proto", "coordination.ShutdownNotification", func() any { return new(coordination.ShutdownNotification) }},
		{"coordination.proto", "coordination.WorkAssignment", func() any { return new(coordination.WorkAssignment) }},
		{"google/protobuf/any.proto", "google.protobuf.Any", func() any { return new(wellknown.Any) }},
		{"google/protobuf/field_mask.proto", "google.protobuf.FieldMask", func() any { return new(wellknown.FieldMask) }},
		{"google/protobuf/type.proto", "google.protobuf.Type", func() any { return new(wellknown.Type) }},
		{"google/protobuf/api.proto", "google.protobuf.Api", func() any { return new(wellknown.API) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, d := converter(t, ".", test.file, test.name)
			rapid.Check(t, func(t *rapid.T) {
				data, err := proto.Marshal(randompb.Message(t, d))
				require.NoError(t, err)
				text, _, err := c.Convert(data, convert.Protobuf, convert.JSON)
				if err != nil {
					require.ErrorIs(t, err, wire.ErrMissing)
					return
				}
				extra := `,"x_new":{"a":[1,2.5,"ü",null],"b":18446744073709551615}}`
				if string(text) == "{}" {
					extra = extra[1:]
					extra = "{" + extra
				} else {
					extra = string(text[:len(text)-1]) + extra
				}
				for _, input := range []string{string(text), extra} {
					m := test.message()
					require.NoError(t, wire.Unmarshal(wire.JSON, []byte(input), m))
					packed, err := wire.Append(wire.Msgpack, nil, m)
					require.NoError(t, err)
					assert.Equal(t, string(packed), through(t, c, []byte(input), convert.JSON, convert.Msgpack))
					written, err := wire.Append(wire.JSON, nil, m)
					require.NoError(t, err)
					assert.Equal(t, string(written), through(t, c, packed, convert.Msgpack, convert.JSON))
				}
			})
		})
	}
}

// The reference's messages pass through all codecs and come back.
func TestTheReferencesMessages(t *testing.T) {
	raw, err := os.ReadFile("../../generated/coordination/testdata/vectors.json")
	require.NoError(t, err)
	var rows []struct{ Message, JSON string }
	require.NoError(t, json.Unmarshal(raw, &rows))
	require.NotEmpty(t, rows)
	for _, r := range rows {
		c, _ := converter(t, ".", "coordination.proto", "coordination."+r.Message)
		text := through(t, c, []byte(r.JSON), convert.JSON, convert.JSON)
		assert.Equal(t, text, through(t, c, []byte(r.JSON), convert.JSON, convert.Msgpack, convert.JSON))
		data, _, err := c.Convert([]byte(text), convert.JSON, convert.Protobuf)
		if strings.Contains(text, "9007199254740993") {
			require.ErrorIs(t, err, convert.ErrProtobuf, "no float is that number")
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, meaning(t, []byte(text)), meaning(t, []byte(through(t, c, data, convert.Protobuf, convert.JSON))))
	}
}

// Protobuf's bytes are read and written as protobuf-go does it, and its JSON is.
func TestAgreesWithProtobuf(t *testing.T) {
	c, d := broad(t)
	rapid.Check(t, func(t *rapid.T) {
		want := randompb.Message(t, d)
		data, err := proto.Marshal(want)
		require.NoError(t, err)
		equal := func(data string, unmarshal func([]byte, proto.Message) error) {
			got := dynamicpb.NewMessage(d)
			require.NoError(t, unmarshal([]byte(data), got), "%s", data)
			require.True(t, proto.Equal(want, got), "%v\n%v", want, got)
		}
		text := through(t, c, data, convert.Protobuf, convert.JSON)
		equal(text, protojson.Unmarshal)
		equal(through(t, c, data, convert.Protobuf, convert.Protobuf), proto.Unmarshal)
		equal(through(t, c, data, convert.Protobuf, convert.Msgpack, convert.Protobuf), proto.Unmarshal)
		equal(through(t, c, []byte(text), convert.JSON, convert.Protobuf), proto.Unmarshal)
		assert.Equal(t, text, through(t, c, []byte(text), convert.JSON, convert.Msgpack, convert.Protobuf, convert.JSON))
	})
}

// So do messages of proto2, with groups, defaults and names of their own.
func TestRules(t *testing.T) {
	c, d := converter(t, "testdata", "rules.proto", "rules.Rules")
	rapid.Check(t, func(t *rapid.T) {
		data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(randompb.Message(t, d))
		require.NoError(t, err)
		text, _, err := c.Convert(data, convert.Protobuf, convert.JSON)
		if err != nil {
			require.ErrorIs(t, err, wire.ErrMissing)
			return
		}
		assert.Equal(t, string(text), through(t, c, text, convert.JSON, convert.Msgpack, convert.Protobuf, convert.JSON))
	})
}
