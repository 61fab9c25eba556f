package rolling_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	v1 "github.com/coordgen/coordgen/internal/rolling/v1"
	v2 "github.com/coordgen/coordgen/internal/rolling/v2"
	v3 "github.com/coordgen/coordgen/internal/rolling/v3"
	"github.com/coordgen/coordgen/runtime/wire"
)

// relayed returns data as a program passes it on that reads it as a message M.
func relayed[M any](t *testing.T, format wire.Format, data []byte) []byte {
	m := new(M)
	require.NoError(t, wire.Unmarshal(format, data, m))
	data, err := wire.Append(format, nil, m)
	require.NoError(t, err)
	return data
}

// A relay of an older version keeps what it does not know, and must not call the
// message one of its own version: the next reader would migrate it once more.
func TestARelayLeavesAMessageOfItsVersion(t *testing.T) {
	sent := &v3.Order{ID: "1", Tons: 2.5, Buyer: "me"}
	for _, format := range formats {
		data, err := wire.Append(format, nil, sent)
		require.NoError(t, err)
		for name, relay := range map[string]func(*testing.T, wire.Format, []byte) []byte{
			"version 2": relayed[v2.Order], "version 3": relayed[v3.Order],
			"2, 3 and 2": func(t *testing.T, f wire.Format, b []byte) []byte {
				return relayed[v2.Order](t, f, relayed[v3.Order](t, f, relayed[v2.Order](t, f, b)))
			},
		} {
			var got v3.Order
			require.NoError(t, wire.Unmarshal(format, relay(t, format, data), &got))
			assert.True(t, sent.Equal(&got), "%s %s: %s", format, name, got)
		}
		var relay v2.Order
		require.NoError(t, wire.Unmarshal(format, data, &relay))
		_, err = wire.AppendAt(format, first, nil, &relay)
		require.ErrorIs(t, err, wire.ErrVersion, "how to take back what version 3 did is not known")
		assert.ErrorContains(t, err, "the message is of version 3, and this program knows versions up to 2")
	}
}

// A migration that changes the stamp by itself skips none of those that follow.
func TestAllMigrationsRunWhateverTheyDoToTheStamp(t *testing.T) {
	weight := int64(5_000_000)
	for _, format := range formats {
		data, err := wire.Append(format, nil, &v1.Order{ID: "stamped", Weight: &weight})
		require.NoError(t, err)
		var got v3.Order
		require.NoError(t, wire.Unmarshal(format, data, &got))
		assert.InDelta(t, 5, got.Tons, 0, format)
		assert.EqualValues(t, 3, got.SchemaVersion)
	}
}

// Protobuf may have a message in parts. Those of the present version are put together;
// what an older one wrote was migrated when the first part was read.
func TestAMessageInParts(t *testing.T) {
	order := func(parts ...interface{ MarshalProto() ([]byte, error) }) []byte {
		data, err := v2.Order{ID: "1"}.MarshalProto()
		require.NoError(t, err)
		for _, p := range parts {
			part, err := p.MarshalProto()
			require.NoError(t, err)
			data = protowire.AppendBytes(protowire.AppendTag(data, 15, protowire.BytesType), part)
		}
		return data
	}
	var got v2.Order
	require.NoError(t, got.UnmarshalProto(order(v1.Line{Dozens: 2}, v2.Line{Sku: "a"}, v2.Line{Color: "red"})))
	assert.Equal(t, &v2.Line{Sku: "a", Color: "red", Size: v2.SizeUnspecified, Pieces: 24, SchemaVersion: 2}, got.Gift)

	err := got.UnmarshalProto(order(v2.Line{Sku: "a"}, v1.Line{Dozens: 2}))
	require.ErrorIs(t, err, wire.ErrVersion)
	var fault *wire.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, "gift", fault.Field)
	require.ErrorIs(t, got.UnmarshalProto(order(v1.Line{Dozens: 1}, v1.Line{Dozens: 2})), wire.ErrVersion)
}

func TestVersionsThatThereAreNone(t *testing.T) {
	order := &v2.Order{ID: "1"}
	for _, format := range formats {
		want, err := wire.Append(format, nil, order)
		require.NoError(t, err)
		got, err := wire.AppendAt(format, wire.Version{Schema: "shop", Number: 99}, nil, order)
		require.NoError(t, err)
		assert.Equal(t, want, got, "one to come is the present one")
		for _, number := range []int{0, -1, math.MinInt} {
			got, err = wire.AppendAt(format, wire.Version{Schema: "shop", Number: number}, []byte("x"), order)
			require.ErrorIs(t, err, wire.ErrVersion)
			assert.Equal(t, "x", string(got))
		}
	}
}
