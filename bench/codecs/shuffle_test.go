package codecs

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// shuffled returns the keys of m in an order that looks random, and is always the same.
func shuffled[V any](m map[string]V) []string {
	keys := slices.Sorted(maps.Keys(m))
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// shuffleJSON returns data with the keys of every object in another order.
func shuffleJSON(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	switch data[0] {
	case '{':
		fields := map[string]json.RawMessage{}
		if err := json.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('{')
		for i, key := range shuffled(fields) {
			if i > 0 {
				out.WriteByte(',')
			}
			name, err := json.Marshal(key)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(name)
			out.WriteByte(':')
			out.Write(shuffleJSON(t, fields[key]))
		}
		out.WriteByte('}')
	case '[':
		var list []json.RawMessage
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('[')
		for i, element := range list {
			if i > 0 {
				out.WriteByte(',')
			}
			out.Write(shuffleJSON(t, element))
		}
		out.WriteByte(']')
	default:
		return data
	}
	return out.Bytes()
}

// shuffleMsgpack returns data with the keys of every map in another order.
func shuffleMsgpack(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	e := msgpack.NewEncoder(&out)
	switch code := data[0]; {
	case code&0xf0 == 0x80, code == 0xde: // a map
		fields := map[string]msgpack.RawMessage{}
		if err := msgpack.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
		must(t, e.EncodeMapLen(len(fields)))
		for _, key := range shuffled(fields) {
			must(t, e.EncodeString(key))
			out.Write(shuffleMsgpack(t, fields[key]))
		}
	case code&0xf0 == 0x90, code == 0xdc: // a list
		var list []msgpack.RawMessage
		if err := msgpack.Unmarshal(data, &list); err != nil {
			t.Fatal(err)
		}
		must(t, e.EncodeArrayLen(len(list)))
		for _, element := range list {
			out.Write(shuffleMsgpack(t, element))
		}
	default:
		return data
	}
	return out.Bytes()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
