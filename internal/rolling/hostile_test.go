package rolling_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"
	"google.golang.org/protobuf/encoding/protowire"

	v1 "github.com/coordgen/coordgen/internal/rolling/v1"
	v2 "github.com/coordgen/coordgen/internal/rolling/v2"
	"github.com/coordgen/coordgen/runtime/wire"
)

// line is a line of two dozens, as version 1 wrote it, and what else says its version.
func line(t *testing.T, format wire.Format, stamps ...any) []byte {
	t.Helper()
	switch format {
	case wire.JSON:
		text := `{"sku":"a","dozens":2`
		for _, s := range stamps {
			text += fmt.Sprintf(`,"schema_version":%#v`, s)
		}
		return []byte(text + "}")
	case wire.Msgpack:
		data := append([]byte{0x82 + byte(len(stamps))}, "\xa3sku\xa1a\xa6dozens\x02"...)
		for _, s := range stamps {
			value, err := msgpack.Marshal(s)
			require.NoError(t, err)
			data = append(append(data, "\xaeschema_version"...), value...)
		}
		return data
	}
	data := []byte("\x0a\x01a\x28\x02")
	for _, s := range stamps {
		switch s := s.(type) {
		case string:
			data = protowire.AppendString(protowire.AppendTag(data, 7, protowire.BytesType), s)
		case int:
			data = protowire.AppendVarint(protowire.AppendTag(data, 7, protowire.VarintType), uint64(s)) //nolint:gosec // as it is on the wire
		}
	}
	return data
}

// Whatever a message says its version is, it is migrated once, left alone or refused.
func TestStampsThatNobodyWrites(t *testing.T) {
	for _, c := range []struct {
		name     string
		stamps   []any
		migrated bool
		refused  []wire.Format
	}{
		{"none", nil, true, nil},
		{"zero", []any{0}, true, nil},
		{"negative", []any{-1}, true, nil},
		{"the least", []any{math.MinInt32}, true, nil},
		{"the present one", []any{2}, false, nil},
		{"one to come", []any{3}, false, nil},
		{"the greatest", []any{math.MaxInt32}, false, nil},
		{"beyond its type", []any{math.MaxInt32 + 1}, true, []wire.Format{wire.JSON, wire.Msgpack}}, // as protobuf cuts it
		{"twice", []any{2, 1}, true, []wire.Format{wire.JSON, wire.Msgpack}},
		{"as text", []any{"x"}, true, []wire.Format{wire.JSON, wire.Msgpack}}, // another field, to protobuf
	} {
		for _, format := range formats {
			var got v2.Line
			err := wire.Unmarshal(format, line(t, format, c.stamps...), &got)
			refused := false
			for _, f := range c.refused {
				refused = refused || f == format
			}
			if refused {
				require.Error(t, err, "%s %s", c.name, format)
				continue
			}
			require.NoError(t, err, "%s %s", c.name, format)
			assert.Equal(t, c.migrated, got.Pieces == 24 && got.Dozens == 0, "%s %s: %s", c.name, format, got)
			assert.Equal(t, !c.migrated, got.Pieces == 0 && got.Dozens == 2, "%s %s: %s", c.name, format, got)
			data, err := wire.Append(format, nil, &got)
			require.NoError(t, err)
			var again v2.Line
			require.NoError(t, wire.Unmarshal(format, data, &again))
			assert.True(t, got.Equal(&again), "%s %s: %s became %s", c.name, format, got, again)
		}
	}
}

// What is unknown in a message is there still when it was migrated, and taken back.
func TestMigrationsKeepWhatIsUnknown(t *testing.T) {
	packed, err := msgpack.Marshal(map[string]any{"sku": "a", "dozens": 2, "size": "giant", "count": 0, "later": []int{1, 2}})
	require.NoError(t, err)
	for format, data := range map[wire.Format][]byte{
		wire.JSON:    []byte(`{"sku":"a","dozens":2,"size":"giant","later":[1,2]}`),
		wire.Msgpack: packed,
		wire.Proto:   append(line(t, wire.Proto), 0x18, 9, 0x92, 0x03, 2, 1, 2), // size 9, field 50
	} {
		var want, got v1.Line
		require.NoError(t, wire.Unmarshal(format, data, &want))
		var recent v2.Line
		require.NoError(t, wire.Unmarshal(format, data, &recent))
		assert.EqualValues(t, 24, recent.Pieces)
		assert.EqualValues(t, want.Size, recent.Size)
		assert.NotEmpty(t, recent.Unknown)
		old, err := wire.AppendAt(format, first, nil, &recent)
		require.NoError(t, err)
		require.NoError(t, wire.Unmarshal(format, old, &got))
		assert.True(t, want.Equal(&got), "%s: %s became %s", format, want, got)

		var again v2.Line
		require.NoError(t, wire.Unmarshal(format, relayed[v1.Line](t, format, relayed[v2.Line](t, format, data)), &again))
		assert.True(t, recent.Equal(&again), "%s: %s became %s", format, recent, again)
	}
}
