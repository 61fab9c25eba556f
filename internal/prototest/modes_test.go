package prototest_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/prototest"
	"github.com/coordgen/coordgen/runtime/wire"
)

// A mode is what a caller can ask of a reader.
type mode struct{ alias, reuse bool }

func (mode mode) set(in *wire.Input) {
	if mode.alias {
		in.AliasInput()
	}
	if mode.reuse {
		in.ReuseMemory()
	}
}

func (mode mode) json(m *prototest.Kinds, data []byte) error {
	r := wire.NewJSONReader(data)
	mode.set(&r.Input)
	return r.Close(m.ReadJSON(&r, data))
}

func (mode mode) msgpack(m *prototest.Kinds, data []byte) error {
	r := wire.NewMsgpackReader(data)
	mode.set(&r.Input)
	return r.Close(m.ReadMsgpack(&r, data))
}

func (mode mode) proto(m *prototest.Kinds, data []byte) error {
	r := wire.NewProtoReader(data)
	mode.set(&r.Input)
	if !mode.reuse {
		*m = prototest.Kinds{}
	}
	m.ReadProto(&r, false)
	return r.Close()
}

// However a message is read, and whatever was read into it before, it holds the same.
func TestModes(t *testing.T) {
	modes := []mode{{}, {alias: true}, {reuse: true}, {alias: true, reuse: true}}
	used := make([]prototest.Kinds, 3*len(modes))
	rapid.Check(t, func(t *rapid.T) {
		var m prototest.Kinds
		data := random(t)
		if err := m.UnmarshalProto(data); err != nil {
			t.Skip("a required field is missing where it would be too deep")
		}
		text, err := m.MarshalJSON()
		if err != nil {
			t.Skip("JSON has no such value")
		}
		packed, err := m.MarshalMsgpack()
		require.NoError(t, err)
		damage := func(b []byte) []byte {
			damaged := append(bytes.Clone(b), 0)
			damaged[rapid.IntRange(0, len(b)).Draw(t, "at")]++
			return damaged
		}
		packedDamaged, dataDamaged := damage(packed), damage(data)
		for i, mode := range modes {
			require.NoError(t, mode.json(&used[i], text))
			require.True(t, used[i].Equal(&m), "%v of %s", mode, text)

			_ = mode.msgpack(&used[len(modes)+i], packedDamaged)
			require.NoError(t, mode.msgpack(&used[len(modes)+i], packed))
			require.True(t, used[len(modes)+i].Equal(&m), "%v of %x", mode, packed)

			_ = mode.proto(&used[2*len(modes)+i], dataDamaged)
			require.NoError(t, mode.proto(&used[2*len(modes)+i], data))
			require.True(t, used[2*len(modes)+i].Equal(&m), "%v of %x", mode, data)
		}
	})
}

func TestAliasIsPartOfTheInput(t *testing.T) {
	var plain, escaped, copied prototest.Kinds
	data := []byte(`{"f_string":"a plain text"}`)
	require.NoError(t, mode{alias: true}.json(&plain, data))
	require.NoError(t, copied.UnmarshalJSON(data))
	withEscape := []byte(`{"f_string":"an escaped\ttext"}`)
	require.NoError(t, mode{alias: true}.json(&escaped, withEscape))
	copy(data[len(`{"f_string":"a `):], "other")
	clear(withEscape)
	assert.Equal(t, "a other text", plain.FString)
	assert.Equal(t, "a plain text", copied.FString)
	assert.Equal(t, "an escaped\ttext", escaped.FString)

	data, err := copied.MarshalProto()
	require.NoError(t, err)
	require.NoError(t, mode{alias: true}.proto(&plain, data))
	copy(data[len(data)-len("plain text"):], "other")
	assert.Equal(t, "a other text", plain.FString)
}

func TestReuseKeepsMemory(t *testing.T) {
	var m prototest.Kinds
	require.NoError(t, mode{reuse: true}.msgpack(&m, []byte("\x81\xa8r_string\x93\xa1a\xa1b\xa1c")))
	first := &m.RString[0]
	require.NoError(t, mode{reuse: true}.msgpack(&m, []byte("\x81\xa8r_string\x92\xa1d\xa1e")))
	assert.Same(t, first, &m.RString[0])
	assert.Equal(t, []string{"d", "e"}, m.RString)
	require.NoError(t, m.UnmarshalMsgpack([]byte("\x81\xa8r_string\x91\xa1f")))
	assert.Equal(t, "d", *first, "without being asked to, nothing is used again")
}

func TestReuseOfProtobufKeepsMemory(t *testing.T) {
	item := func(sku, name string) []byte { return field(4, field(1, []byte(sku)), field(2, []byte(name))) }
	label := func(key string) []byte { return field(5, field(1, []byte(key))) }
	var m, want prototest.Order
	read := func(data []byte) {
		r := wire.NewProtoReader(data)
		r.ReuseMemory()
		m.ReadProto(&r, false)
		require.NoError(t, r.Close())
	}
	read(slices.Concat(item("a", "first"), item("b", "second"), label("x"), field(2, []byte("customer"))))
	first, labels := &m.Items[0], m.Labels
	second := slices.Concat(item("c", ""), label("y"))
	read(second)
	assert.Same(t, first, &m.Items[0])
	assert.Contains(t, labels, "y")
	require.NoError(t, want.UnmarshalProto(second))
	assert.True(t, m.Equal(&want), "%+v", m)
	require.NoError(t, m.UnmarshalProto(item("d", "")))
	assert.Equal(t, "c", first.Sku, "without being asked to, nothing is used again")
}

func TestDepthIsAnOption(t *testing.T) {
	const levels = 300
	lists := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	var m prototest.Kinds
	deep := []byte(`{"f_value":` + lists(levels-1) + `}`)
	require.ErrorIs(t, m.UnmarshalJSON(deep), wire.ErrDepth)
	for limit, want := range map[int]error{levels: nil, levels - 1: wire.ErrDepth, 3: wire.ErrDepth} {
		r := wire.NewJSONReader(deep)
		r.LimitDepth(limit)
		require.ErrorIs(t, r.Close(m.ReadJSON(&r, deep)), want)
	}
	data := []byte("\x81\xa7f_value\x91\x91\x90")
	for limit, want := range map[int]error{4: nil, 3: wire.ErrDepth} {
		r := wire.NewMsgpackReader(data)
		r.LimitDepth(limit)
		require.ErrorIs(t, r.Close(m.ReadMsgpack(&r, data)), want)
	}
}
