package convert_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/runtime/wire"
)

// field is a field of protobuf's wire with bytes in it.
func field(number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), value)
}

// Bytes that are no message of the schema are refused, with the place.
func TestWhatIsNoProtobuf(t *testing.T) {
	c, _ := broad(t)
	var deep []byte
	for range 101 {
		deep = field(26, deep)
	}
	var free []byte
	for range 40 {
		free = field(6, field(1, free)) // a Value with a ListValue
	}
	endless := free
	for range 80 {
		endless = field(6, field(1, endless))
	}
	seconds := func(n uint64) []byte { return protowire.AppendVarint([]byte{1 << 3}, n) }
	for _, test := range []struct {
		name   string
		data   []byte
		want   error
		field  string
		offset int
	}{
		{"a tag", []byte{0x80}, wire.ErrTruncated, "", 0},
		{"number 0", []byte{0}, wire.ErrSyntax, "", 0},
		{"a number", protowire.AppendTag(nil, 12, protowire.VarintType), wire.ErrTruncated, "f_int32", 1},
		{"text", field(23, []byte("a\xff")), wire.ErrUTF8, "f_string", 4},
		{"in a list", append(field(68, nil), field(68, []byte{0xba, 1, 5})...), wire.ErrTruncated, "r_broad[1].f_string", 8},
		{"packed", field(62, []byte{1, 0x80}), wire.ErrTruncated, "r_int64[1]", 4},
		{"deep messages", deep, wire.ErrDepth, "", -1},
		{"deep values", field(31, endless), wire.ErrDepth, "", -1},
		{"a late time", field(28, seconds(1<<40)), wire.ErrRange, "f_time", 2},
		{"a long duration", field(29, seconds(1<<40)), wire.ErrRange, "f_duration", 2},
		{"signs", field(29, append(seconds(1), 0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)), wire.ErrValue, "f_duration", 2},
		{"many messages", bytes.Repeat(field(68, nil), convert.MaxInput/3), wire.ErrTooLarge, "", -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, _, err := c.Convert(test.data, convert.Protobuf, convert.JSON)
			var at *wire.Error
			require.ErrorAs(t, err, &at)
			require.ErrorIs(t, err, test.want)
			assert.Equal(t, "broad.Broad", at.Message)
			if test.field != "" || test.offset >= 0 {
				assert.Equal(t, test.field, at.Field)
				assert.Equal(t, test.offset, at.Offset)
			}
		})
	}
	_, _, err := c.Convert(field(31, free), convert.Protobuf, convert.JSON)
	require.NoError(t, err, "40 levels of free values")
}

// What has no form in protobuf is refused, with the field.
func TestWhatProtobufCannotCarry(t *testing.T) {
	c, _ := broad(t)
	for text, want := range map[string]string{
		`{"r_broad":[{},{"new":1}]}`:                    "r_broad[1].new",
		`{"m_sint64":{"-4":"PURPLE"}}`:                  `m_sint64["-4"]`,
		`{"f_value":{"a":[9007199254740993]}}`:          `f_value["a"][0]`,
		`{"f_struct":{"a":0.1000000000000000000001}}`:   `f_struct["a"]`,
		`{"f_list":[18446744073709551615]}`:             "f_list[0]",
		`{"f_broad":{"r_value":[9223372036854775807]}}`: "f_broad.r_value[0]",
	} {
		_, _, err := c.Convert([]byte(text), convert.JSON, convert.Protobuf)
		var at *wire.Error
		require.ErrorAs(t, err, &at, text)
		require.ErrorIs(t, err, convert.ErrProtobuf)
		assert.Equal(t, want, at.Field)
	}
	packed := []byte("\x81\xa7f_value\xc4\x01a")
	_, _, err := c.Convert(packed, convert.Msgpack, convert.Protobuf)
	require.ErrorIs(t, err, convert.ErrProtobuf)
}

// Fields, extensions and wire types that the schema does not have are told, each
// once.
func TestWhatIsLeftOut(t *testing.T) {
	c, _ := broad(t)
	data := append(field(200, nil), field(68, append(field(201, nil), field(12, nil)...))...)
	data = append(data, field(200, nil)...)
	text, leftOut, err := c.Convert(data, convert.Protobuf, convert.JSON)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"r_broad":[{`)
	assert.Equal(t, []string{
		"broad.Broad has no field 200; its 2 values are left out",
		"broad.Broad has no field 201; its value is left out",
		"field 12 of broad.Broad is of another type; its value is left out",
	}, leftOut)
	again, leftOut, err := c.Convert(data, convert.Protobuf, convert.Protobuf)
	require.NoError(t, err)
	assert.Empty(t, leftOut)
	assert.Len(t, again, len(data))
}

// Entries of maps need neither key nor value.
func TestEntriesInPart(t *testing.T) {
	c, _ := broad(t)
	data := append(field(80, nil), append(field(84, nil), append(field(83, nil), field(86, nil)...)...)...)
	text, _, err := c.Convert(data, convert.Protobuf, convert.JSON)
	require.NoError(t, err)
	assert.Contains(t, string(text), `"m_string":{"":""}`)
	assert.Contains(t, string(text), `"m_sint64":{"0":"COLOR_NONE"}`)
	assert.Contains(t, string(text), `"m_fixed32":{"0":{"f_double":0.0`)
}

// Absence on protobuf's wire is the default where the schema has presence, and
// zero where it has none.
func TestDefaults(t *testing.T) {
	c, _ := converter(t, "testdata", "plain.proto", "plain.Plain")
	text := `{"five":0,"color":"none","must":"none","inner":[],"at":"2020-01-01T00:00:00+00:00",` +
		`"hold":"0s","raw":"","meta":{},"value":1,"one":{"f":0.0},"colors":{}}`
	assert.Equal(t, text, through(t, c, []byte(text), convert.JSON, convert.Protobuf, convert.JSON))

	c, _ = converter(t, "testdata", "rules.proto", "rules.Rules")
	text = through(t, c, []byte(`{"id":"x","must":"2020-01-01T00:00:00Z","wrapped":0}`), convert.JSON, convert.JSON)
	data := append(field(1, []byte("x")), append(field(23, protowire.AppendVarint([]byte{8}, 1577836800)), field(26, nil)...)...)
	assert.Equal(t, text, through(t, c, data, convert.Protobuf, convert.JSON))
	_, _, err := c.Convert(nil, convert.Protobuf, convert.JSON)
	require.EqualError(t, err, "rules.Rules: id (byte 0): required field is missing")
}

// A schema with a Timestamp of its own making is refused rather than misread.
func TestCopiesOfProtobufsMessages(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"google/protobuf/timestamp.proto": `syntax = "proto3"; package google.protobuf; message Timestamp { string text = 1; }`,
		"own.proto":                       `syntax = "proto3"; package own; option go_package = "example.com/own"; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp at = 1; }`,
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	r, err := load.Load(t.Context(), load.Options{Files: []string{"own.proto"}, Include: []string{folder}})
	require.NoError(t, err)
	m := r.Schema.Files[len(r.Schema.Files)-1].Messages[0]
	_, err = convert.New(m, r.Descriptor(m))
	require.ErrorContains(t, err, `a copy of "google.protobuf.Timestamp"`)
}
