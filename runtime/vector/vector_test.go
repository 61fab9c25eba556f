package vector_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

const order = `# What version 1 of orders.proto writes of shop.Order. Made by "coordgen vectors"; DO NOT EDIT.
# sha256 a1c8fa501d10a8f59e9b55017a39c311ea126449fa8eb2a7c6703870538695c7

least
  proto

full
  json {"id":"#  é","total":2}
  msgpack 82a26964
  proto 0a02
`

func file() vector.File {
	return vector.File{Schema: "orders.proto", Version: 1, Message: "shop.Order", Samples: []vector.Sample{
		{Name: "least", Payloads: []vector.Payload{{Format: wire.Proto, Data: []byte{}}}},
		{Name: "full", Payloads: []vector.Payload{
			{Format: wire.JSON, Data: []byte(`{"id":"#  é","total":2}`)},
			{Format: wire.Msgpack, Data: []byte("\x82\xa2id")},
			{Format: wire.Proto, Data: []byte("\n\x02")},
		}},
	}}
}

func TestFormat(t *testing.T) {
	text := file().Format()
	assert.Equal(t, order, string(text))
	for _, text := range [][]byte{text, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))} {
		assert.True(t, vector.Made(text))
		assert.True(t, vector.Intact(text))
		samples, err := vector.Parse(text)
		require.NoError(t, err)
		assert.Equal(t, file().Samples, samples)
	}
	edited := bytes.Replace(text, []byte("0a02"), []byte("0a03"), 1)
	assert.True(t, vector.Made(edited))
	assert.False(t, vector.Intact(edited))
	assert.False(t, vector.Made([]byte("# What version is this?\n")))
}

func TestParseFaults(t *testing.T) {
	for text, want := range map[string]string{
		"  json {}\n":         "line 1: a payload without a sample that it is of",
		"full\n  xml <a/>\n":  `line 2: no codec "xml"`,
		"a\n\n  proto 0g\n":   "line 3: encoding/hex: invalid byte: U+0067 'g'",
		"a\n  msgpack 012\n":  "line 2: encoding/hex: odd length hex string",
		"a\n  json {}\n   \n": `line 3: no codec ""`,
	} {
		_, err := vector.Parse([]byte(text))
		assert.EqualError(t, err, want)
	}
}

// FuzzParse reads any text.
func FuzzParse(f *testing.F) {
	f.Add([]byte(order))
	f.Fuzz(func(t *testing.T, text []byte) {
		samples, err := vector.Parse(text)
		if err != nil {
			return
		}
		again, err := vector.Parse(vector.File{Samples: samples}.Format())
		require.NoError(t, err)
		assert.Equal(t, samples, again)
	})
}
