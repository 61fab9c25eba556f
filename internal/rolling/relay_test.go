package rolling_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
