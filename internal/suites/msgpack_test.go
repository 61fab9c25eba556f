//go:build servers

package suites_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/prototest"
	"github.com/coordgen/coordgen/runtime/wire"
)

// msgpackRefused are the inputs of msgpack-test-suite that free values have no room
// for, by what the suite says they are.
var msgpackRefused = map[string]error{
	// Years are 1 to 9999, as in a google.protobuf.Timestamp.
	`timestamp [-62167219200,0]`: wire.ErrRange,
	// An extension says nothing to who does not know its type. A message that has
	// one in an unknown field is relayed with it.
	`ext [1,"10"]`:                      wire.ErrType,
	`ext [2,"20-21"]`:                   wire.ErrType,
	`ext [3,"30-31-32-33"]`:             wire.ErrType,
	`ext [4,"40-41-42-43-44-45-46-47"]`: wire.ErrType,
	`ext [5,"50-51-52-53-54-55-56-57-58-59-5a-5b-5c-5d-5e-5f"]`: wire.ErrType,
	`ext [6,""]`:         wire.ErrType,
	`ext [7,"70-71-72"]`: wire.ErrType,
}

// A value of msgpack-test-suite, with the encodings that it may have.
type packed struct {
	Bool                   *bool
	Binary, Bignum, String *string
	Number, Array, Map     json.RawMessage
	Timestamp              []int64
	Ext                    json.RawMessage
	Encodings              []string `json:"msgpack"`
}

// Every encoding of every value is read as that value, and the value is written in
// one of them. An unknown field comes out as it came in.
func TestMsgpackTestSuite(t *testing.T) {
	text, err := os.ReadFile(npm + "/node_modules/msgpack-test-suite/dist/msgpack-test-suite.json")
	require.NoError(t, err, "run make test-servers, which installs the suite")
	var groups map[string][]packed
	require.NoError(t, json.Unmarshal(text, &groups))
	read, refused := 0, map[string]int{}
	for group, values := range groups {
		t.Run(group, func(t *testing.T) {
			for _, p := range values {
				name, want := p.value(t)
				for _, encoding := range p.Encodings {
					data, err := hex.DecodeString(strings.ReplaceAll(encoding, "-", ""))
					require.NoError(t, err)
					relayed(t, data)
					r := wire.NewMsgpackReader(data)
					got, rest := r.Value(data)
					err = r.Close(rest)
					field := new(prototest.Kinds).UnmarshalMsgpack(append([]byte("\x81\xa7f_value"), data...))
					if cause := msgpackRefused[name]; cause != nil {
						refused[name]++
						require.ErrorIs(t, err, cause, "%s %s", name, encoding)
						require.ErrorIs(t, field, cause, "%s %s", name, encoding)
						continue
					}
					read++
					require.NoError(t, err, "%s %s", name, encoding)
					require.NoError(t, field, "%s %s", name, encoding)
					require.Equal(t, want, number(got), "%s %s", name, encoding)
					w := wire.NewMsgpackWriter(nil)
					out, err := w.Close(w.Value(nil, got), "test")
					require.NoError(t, err)
					require.Contains(t, p.Encodings, strings.ReplaceAll(fmt.Sprintf("% x", out), " ", "-"), "%s %s", name, encoding)
				}
			}
		})
	}
	for name := range msgpackRefused {
		assert.Positive(t, refused[name], "the suite has %s", name)
	}
	require.Equal(t, 221, read)
	t.Logf("%d encodings read, of %d values refused", read, len(refused))
}

// value says what the suite has, and gives it as free values have it, numbers as
// number makes them.
func (p packed) value(t *testing.T) (name string, value any) {
	free := func(text []byte) any {
		r := wire.NewJSONReader(text)
		v, rest := r.Value(text)
		require.NoError(t, r.Close(rest))
		return v
	}
	switch {
	case p.Bool != nil:
		return "bool", *p.Bool
	case p.Binary != nil:
		data, err := hex.DecodeString(strings.ReplaceAll(*p.Binary, "-", ""))
		require.NoError(t, err)
		return "binary " + *p.Binary, data
	case p.Bignum != nil:
		r, ok := new(big.Rat).SetString(*p.Bignum)
		require.True(t, ok)
		return "bignum " + *p.Bignum, r.String()
	case p.Number != nil:
		return "number " + string(p.Number), number(free(p.Number))
	case p.String != nil:
		return "string " + *p.String, *p.String
	case p.Array != nil:
		return "array", free(p.Array)
	case p.Map != nil:
		return "map", free(p.Map)
	case p.Timestamp != nil:
		name, err := json.Marshal(p.Timestamp)
		require.NoError(t, err)
		return "timestamp " + string(name), time.Unix(p.Timestamp[0], p.Timestamp[1]).UTC()
	case p.Ext != nil:
		var compact strings.Builder
		require.NoError(t, json.NewEncoder(&compact).Encode(p.Ext))
		return "ext " + strings.TrimSpace(compact.String()), nil
	}
	return "nil", nil
}

// number gives what a number denotes, whatever its type: the suite has integers
// that are encoded as floats. Other values stay.
func number(v any) any {
	switch v := v.(type) {
	case int64:
		return new(big.Rat).SetInt64(v).String()
	case uint64:
		return new(big.Rat).SetUint64(v).String()
	case float64:
		return new(big.Rat).SetFloat64(v).String()
	}
	return v
}

// relayed fails unless a message with the value in an unknown field is written as
// it is read.
func relayed(t *testing.T, data []byte) {
	message := append([]byte("\x81\xa7unknown"), data...)
	var m prototest.Order
	require.NoError(t, m.UnmarshalMsgpack(message))
	require.Len(t, m.Unknown, 1)
	require.Equal(t, data, m.Unknown[0].Raw)
	out, err := m.MarshalMsgpack()
	require.NoError(t, err)
	require.Equal(t, message[1:], out[len(out)-len(message)+1:])
}
