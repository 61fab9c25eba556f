package prototest_test

import (
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/coordgen/coordgen/internal/prototest"
	pb "github.com/coordgen/coordgen/internal/prototest/pb"
	"github.com/coordgen/coordgen/runtime/wire"
)

// allocated is how many bytes a function allocates.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// read reads a message, and fails if that takes more memory or time than any few
// bytes may.
func read(t *testing.T, f wire.Format, data string) (*prototest.Kinds, error) {
	t.Helper()
	var m prototest.Kinds
	input := []byte(data)
	var err error
	var took time.Duration
	bytes := allocated(func() {
		start := time.Now()
		err = wire.Unmarshal(f, input, &m)
		took = time.Since(start)
	})
	what := data[:min(len(data), 40)]
	assert.Less(t, bytes, 256<<10, "%q", what)
	assert.Less(t, took, 2*time.Second, "%q", what)
	return &m, err
}

// packed is a message in msgpack with one field.
func packed(name, value string) string { return "\x81\xd9" + string(byte(len(name))) + name + value }

// fieldNames are those of a Kinds, and one that it does not have.
func fieldNames() []string {
	names := []string{"unheard"}
	fields := new(pb.Kinds).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		names = append(names, string(fields.Get(i).Name()))
	}
	return names
}

// Headers that claim four thousand million of something are believed by some: they
// allocate it, or read for minutes.
func TestClaimsAreNotBelieved(t *testing.T) {
	for _, name := range fieldNames() {
		for _, claim := range []string{"\xdd\xff\xff\xff\xff", "\xdf\xff\xff\xff\xff", "\xc6\xff\xff\xff\xff", "\xdb\xff\xff\xff\xff", "\xc9\xff\xff\xff\xff\xff"} {
			for _, value := range []string{claim, "\x91" + claim, "\x81\xa1a" + claim, "\x81" + claim} {
				_, err := read(t, wire.Msgpack, packed(name, value))
				require.Error(t, err, "%s %x", name, value)
			}
		}
	}
	fields := new(pb.Kinds).ProtoReflect().Descriptor().Fields()
	for i := range fields.Len() {
		for _, length := range []uint64{math.MaxInt32, math.MaxUint32, math.MaxInt64, math.MaxUint64} {
			claim := string(protowire.AppendVarint(tag(fields.Get(i).Number(), protowire.BytesType), length))
			for _, data := range []string{claim, claim + "\x01\x02", string(field(26, []byte(claim)))} {
				_, err := read(t, wire.Proto, data)
				require.ErrorIs(t, err, wire.ErrTruncated, "%x", data)
			}
		}
	}
}

// Ten million levels overflow the stack of those that go down with them.
func TestLevelsAreCounted(t *testing.T) {
	const levels = 10_000_000
	names := []string{"unheard", "self", "f_value", "r_kinds", "m_uint64"}
	for _, level := range []string{"\x91", "\x81\xa1a", "\x81\xa4self"} {
		deep := strings.Repeat(level, levels)
		for _, name := range names {
			_, err := read(t, wire.Msgpack, packed(name, deep))
			require.Error(t, err, name)
		}
	}
	for _, level := range []string{"[", `{"a":`, `{"self":`, `[{"self":`} {
		deep := strings.Repeat(level, levels)
		for _, name := range names {
			_, err := read(t, wire.JSON, `{"`+name+`":`+deep)
			require.Error(t, err, name)
		}
	}
	unknown, part := string(tag(300, protowire.StartGroupType)), string(tag(3, protowire.StartGroupType))
	for _, data := range []string{strings.Repeat(unknown, levels), string(tag(100, protowire.StartGroupType)) + strings.Repeat(part, levels)} {
		_, err := read(t, wire.Proto, data)
		require.ErrorIs(t, err, wire.ErrDepth)
	}
}

// What some take for something else, or let pass.
func TestWhatOthersLetPass(t *testing.T) {
	type refused struct {
		format wire.Format
		data   string
		want   error
	}
	all := []refused{
		{wire.Msgpack, packed("f_int64", "\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), wire.ErrRange},
		{wire.Msgpack, packed("f_string", "\xa1a") + "\xc0", wire.ErrTrailing},
		{wire.JSON, `{"f_string":"a"}{}`, wire.ErrTrailing},
		{wire.Msgpack, packed("f_string", "\xa1\xff"), wire.ErrUTF8},
		{wire.Msgpack, packed("f_struct", "\x81\xa1\xff\xc0"), wire.ErrUTF8},
		{wire.Msgpack, packed("unheard", "\xa1\xff"), wire.ErrUTF8},
		{wire.Msgpack, packed("\xff", "\xc0"), wire.ErrUTF8},
		{wire.JSON, "{\"f_string\":\"\xff\"}", wire.ErrUTF8},
		{wire.JSON, "{\"unheard\":\"\xff\"}", wire.ErrUTF8},
		{wire.JSON, "{\"\xff\":0}", wire.ErrUTF8},
		{wire.JSON, `{"f_int64":01}`, wire.ErrSyntax},
		{wire.JSON, `{"f_string":"a","f_string":"a"}`, wire.ErrDuplicate},
		{wire.JSON, `{"unheard":1,"unheard":1}`, wire.ErrDuplicate},
		{wire.JSON, `{"f_value":{"a":1,"a":1}}`, wire.ErrDuplicate},
		{wire.Msgpack, "\x82\xa1a\xc0\xa1a\xc0", wire.ErrDuplicate},
		{wire.Msgpack, packed("m_string", "\x82\xa1a\xa0\xa1a\xa0"), wire.ErrDuplicate},
	}
	for c := range byte(0x20) {
		for _, data := range []string{`{"f_string":"~"}`, `{"unheard":"~"}`, `{"~":1}`, `{"f_value":{"~":1}}`} {
			all = append(all, refused{wire.JSON, strings.ReplaceAll(data, "~", "a"+string(c)), wire.ErrSyntax})
		}
	}
	for _, at := range []string{
		"2024-02-29T0:00:00Z", "2024-02-29T00:00:00,5Z", "2024-02-29T00:00:00+24:00", "2024-02-29T00:00:00+00:60", "2024-02-29T24:00:00Z",
		"2024-2-29T00:00:00Z", "2024-02-29t00:00:00Z\n", "2024-02-29T00:00:00.Z", "2024-02-29T00:00:00+0000", "+2024-02-29T00:00:00Z", "",
	} {
		all = append(all, refused{wire.JSON, `{"f_time":"` + strings.ReplaceAll(at, "\n", `\n`) + `"}`, wire.ErrValue},
			refused{wire.Msgpack, packed("f_time", string([]byte{0xa0 | byte(len(at))})+at), wire.ErrValue})
	}
	for _, one := range all {
		_, err := read(t, one.format, one.data)
		require.ErrorIs(t, err, one.want, "%q", one.data)
	}
}

// Nil is absence for every field, in msgpack and in JSON. A oneof keeps it where a
// member has room for it.
func TestNilIsAbsence(t *testing.T) {
	for _, name := range fieldNames() {
		m, err := read(t, wire.Msgpack, packed(name, "\xc0"))
		require.NoError(t, err, name)
		j, err := read(t, wire.JSON, `{"`+name+`":null}`)
		require.NoError(t, err, name)
		m.Unknown, j.Unknown = nil, nil
		if m.Choice == nil {
			assert.True(t, m.Equal(new(prototest.Kinds)), name)
		}
		assert.True(t, m.Equal(j), name)
	}
}

// Integers of free values are exact, and keys are what they are.
func TestNothingIsRounded(t *testing.T) {
	for text, want := range map[string]any{
		"9007199254740993": int64(9007199254740993), "-9223372036854775808": int64(math.MinInt64), "18446744073709551615": uint64(math.MaxUint64),
	} {
		m, err := read(t, wire.JSON, `{"f_value":`+text+`,"F_VALUE":2}`)
		require.NoError(t, err)
		assert.Equal(t, want, m.FValue)
		assert.Equal(t, "F_VALUE", m.Unknown[0].Key)
	}
}
