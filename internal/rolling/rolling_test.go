// Package rolling_test runs versions of one schema side by side, as a fleet does in a
// rolling update. The folders hold their code.
package rolling_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	v1 "github.com/coordgen/coordgen/internal/rolling/v1"
	v2 "github.com/coordgen/coordgen/internal/rolling/v2"
	"github.com/coordgen/coordgen/runtime/wire"
)

var formats = []wire.Format{wire.JSON, wire.Msgpack, wire.Proto}

// first is version 1 of the schema.
var first = wire.Version{Schema: "shop", Number: 1}

// both draws one order as both versions have it.
func both(t *rapid.T) (*v1.Order, *v2.Order) {
	text := rapid.StringN(0, 6, 30)
	line := func() (v1.Line, v2.Line) {
		size := rapid.SampledFrom([]string{"", "unspecified", "small", "large"}).Draw(t, "size")
		old := v1.Line{Sku: text.Draw(t, "sku"), Count: rapid.Int32().Draw(t, "count"), Size: v1.Size(size), Dozens: rapid.Int32Range(0, 9).Draw(t, "dozens")}
		if size == "large" {
			size = "big"
		}
		return old, v2.Line{Sku: old.Sku, Count: old.Count, Size: v2.Size(size), Color: text.Draw(t, "color"), Pieces: 12 * old.Dozens}
	}
	weight := rapid.Int64Range(0, 1000).Draw(t, "weight") * 1000
	kilograms := float64(weight) / 1000
	old := &v1.Order{ID: text.Draw(t, "id"), Customer: text.Draw(t, "customer"), GiftNote: text.Draw(t, "note"), Weight: &weight}
	recent := &v2.Order{ID: old.ID, Buyer: old.Customer, Note: old.GiftNote, Kilograms: &kilograms, Tags: []string{"new"}}
	for range rapid.IntRange(0, 3).Draw(t, "lines") {
		a, b := line()
		old.Lines, recent.Lines = append(old.Lines, a), append(recent.Lines, b)
	}
	for range rapid.IntRange(0, 3).Draw(t, "extras") {
		if old.Extras == nil {
			old.Extras, recent.Extras = map[string]v1.Line{}, map[string]v2.Line{}
		}
		key := text.Draw(t, "key")
		old.Extras[key], recent.Extras[key] = line()
	}
	switch rapid.IntRange(0, 2).Draw(t, "payment") {
	case 1:
		old.Payment, recent.Payment = v1.OrderCard{Card: "4"}, v2.OrderCard{Card: "4"}
	case 2:
		old.Payment, recent.Payment = v1.OrderIban{Iban: "DE"}, v2.OrderIban{Iban: "DE"}
	}
	return old, recent
}

func TestAnOlderVersionIsWrittenAsItsProgramsWriteIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		old, recent := both(t)
		for _, format := range formats {
			want, err := wire.Append(format, nil, old)
			require.NoError(t, err)
			got, err := wire.AppendAt(format, first, nil, recent)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(got), format)

			var read v2.Order
			require.NoError(t, wire.Unmarshal(format, want, &read))
			assert.Equal(t, old.Customer, read.Buyer)
			assert.Equal(t, old.GiftNote, read.Note)
			require.NotNil(t, read.Kilograms)
			assert.InDelta(t, *recent.Kilograms, *read.Kilograms, 0)
			assert.Nil(t, read.Weight)
			for i, line := range recent.Lines {
				assert.Equal(t, line.Pieces, read.Lines[i].Pieces)
				assert.Zero(t, read.Lines[i].Dozens)
			}
			again, err := wire.AppendAt(format, first, nil, &read)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(again), "the way back")
		}
	})
}

// A fleet that writes at an older version, such as one that does not know its members
// yet, is read by its newest instances too.
func TestWhatIsRequiredIsWrittenAtAnyVersion(t *testing.T) {
	parcel := v2.Parcel{ID: "p1", Carrier: "post"}
	for _, format := range formats {
		data, err := wire.AppendAt(format, first, nil, &parcel)
		require.NoError(t, err)
		var old v1.Parcel
		require.NoError(t, wire.Unmarshal(format, data, &old))
		assert.Equal(t, "p1", old.ID)
		var recent v2.Parcel
		require.NoError(t, wire.Unmarshal(format, data, &recent))
		assert.True(t, parcel.Equal(&recent), format)
	}
}

func TestTheRelayOfAnOlderVersionLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 6, 30)
		recent := v2.Line{
			Sku: text.Draw(t, "sku"), Count: rapid.Int32().Draw(t, "count"), Color: text.Draw(t, "color"),
			Size: rapid.SampledFrom([]v2.Size{v2.SizeSmall, v2.SizeBig, v2.SizeHuge}).Draw(t, "size"),
		}
		for _, format := range formats {
			data, err := wire.Append(format, nil, &recent)
			require.NoError(t, err)
			var old v1.Line
			require.NoError(t, wire.Unmarshal(format, data, &old))
			relayed, err := wire.Append(format, nil, &old)
			require.NoError(t, err)
			var got v2.Line
			require.NoError(t, wire.Unmarshal(format, relayed, &got))
			assert.True(t, recent.Equal(&got), "%s: %s became %s", format, recent, got)
		}
	})
}

func TestWhatAnOlderVersionCannotExpress(t *testing.T) {
	weight := 1.0
	for _, c := range []struct {
		name, field, fault string
		order              v2.Order
	}{
		{"a newer value of an enum", "lines[1].size", `"huge" is there since version 2, and shop version 1 is written`,
			v2.Order{Kilograms: &weight, Lines: []v2.Line{{}, {Size: v2.SizeHuge}}}},
		{"one in a map", `extras.a.size`, `"huge" is there since version 2, and shop version 1 is written`,
			v2.Order{Kilograms: &weight, Extras: map[string]v2.Line{"a": {Size: v2.SizeHuge}}}},
		{"a newer member of a oneof", "voucher", "it is there since version 2, and shop version 1 is written",
			v2.Order{Kilograms: &weight, Payment: v2.OrderVoucher{Voucher: "x"}}},
		{"what a migration refuses to take back", "lines[0]", `migration "dozens" of version 2: the pieces are no dozens`,
			v2.Order{Kilograms: &weight, Lines: []v2.Line{{Pieces: 5}}}},
		{"nothing where that version demands something", "weight", "required field is missing", v2.Order{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, format := range formats {
				written, err := wire.AppendAt(format, first, []byte("x"), &c.order)
				var fault *wire.Error
				require.ErrorAs(t, err, &fault, format)
				if format == wire.Proto {
					c.field = strings.Replace(c.field, ".a.", `["a"].`, 1)
				}
				assert.Equal(t, c.field, fault.Field, format)
				assert.ErrorContains(t, err, c.fault, format)
				assert.Equal(t, "x", string(written))
				if c.field != "weight" {
					assert.ErrorIs(t, err, wire.ErrVersion)
				}
				_, err = wire.Append(format, nil, &c.order)
				assert.NoError(t, err, "at the present version")
			}
		})
	}
}

func TestTheOldNameIsWrittenWhileAVersionSaysSo(t *testing.T) {
	order := &v2.Order{ID: "1", Note: "hello", Buyer: "me", Lines: []v2.Line{{Size: v2.SizeBig}}}
	data, err := order.MarshalJSON()
	require.NoError(t, err)
	assert.JSONEq(t, `{"id":"1","buyer":"me","lines":[{"sku":"","count":0,"size":"big","color":"","pieces":0,"schema_version":2}],"extras":{},"gift_note":"hello","schema_version":2,"tags":[]}`, string(data))
	var read v2.Order
	require.NoError(t, read.UnmarshalJSON([]byte(`{"id":"1","note":"new","buyer":"me","schema_version":2}`)))
	assert.Equal(t, "new", read.Note)
}

func TestAMigrationThatFails(t *testing.T) {
	var order v2.Order
	err := order.UnmarshalJSON([]byte(`{"id":"1"}`))
	require.ErrorIs(t, err, wire.ErrVersion)
	assert.EqualError(t, err, `shop.Order (byte 10): not in that version of the schema: migration "weight" of version 2: no weight`)
	require.NoError(t, order.UnmarshalJSON([]byte(`{"id":"1","schema_version":2}`)), "there is nothing to migrate")
	require.NoError(t, order.UnmarshalJSON([]byte(`{"id":"1","schema_version":9}`)), "nor in a message of a version to come")
}
