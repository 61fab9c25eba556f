package convert_test

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/runtime/wire"
)

// No payload of the size that is taken makes the converter allocate more than a
// gigabyte, all that is given back on the way included.
func TestMemoryIsBounded(t *testing.T) {
	const ceiling = 1 << 30
	c, _ := broad(t)
	full := func(part []byte) []byte { return bytes.Repeat(part, convert.MaxInput/len(part)) }
	packed := func(number protowire.Number) []byte {
		return field(number, bytes.Repeat([]byte{1}, convert.MaxInput-8))
	}
	json := func(key, value string) []byte {
		part := "," + value
		return []byte(`{"` + key + `":[` + strings.Repeat(part, (convert.MaxInput-32)/len(part))[1:] + "]}")
	}
	msgpack := func(key string, value byte) []byte {
		const n = convert.MaxInput - 32
		b := append([]byte{0x81, 0xa0 | byte(len(key))}, key...)
		b = binary.BigEndian.AppendUint32(append(b, 0xdd), n)
		return append(b, bytes.Repeat([]byte{value}, n)...)
	}
	var distinct []byte
	for n := protowire.Number(1000); len(distinct) < convert.MaxInput-8; n++ {
		distinct = append(protowire.AppendTag(distinct, n, protowire.VarintType), 0)
	}
	for _, test := range []struct {
		name, from string
		data       []byte
	}{
		{"packed numbers", convert.Protobuf, packed(62)},
		{"packed enums", convert.Protobuf, packed(67)},
		{"strings", convert.Protobuf, full(field(65, nil))},
		{"one string again and again", convert.Protobuf, full(field(23, nil))},
		{"free values", convert.Protobuf, full(field(73, nil))},
		{"messages", convert.Protobuf, full(field(68, nil))},
		{"unknown fields", convert.Protobuf, distinct},
		{"numbers", convert.JSON, json("r_int64", "1")},
		{"objects", convert.JSON, json("r_value", "{}")},
		{"messages", convert.JSON, json("r_broad", "{}")},
		{"lists", convert.JSON, json("f_value", "[]")},
		{"numbers", convert.Msgpack, msgpack("r_int64", 1)},
		{"objects", convert.Msgpack, msgpack("r_value", 0x80)},
		{"messages", convert.Msgpack, msgpack("r_broad", 0x80)},
		{"lists", convert.Msgpack, msgpack("f_value", 0x90)},
	} {
		to := convert.Protobuf
		if test.from == to {
			to = convert.JSON
		}
		t.Run(test.name+" from "+test.from, func(t *testing.T) {
			require.LessOrEqual(t, len(test.data), convert.MaxInput)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, leftOut, err := c.Convert(test.data, test.from, to)
			runtime.ReadMemStats(&after)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(ceiling))
			assert.LessOrEqual(t, len(leftOut), 21)
			if err != nil {
				require.ErrorIs(t, err, wire.ErrTooLarge)
			}
		})
	}
}
