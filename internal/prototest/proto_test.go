// Package prototest_test tests the generated protobuf codec against protobuf-go.
package prototest_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/prototest"
	pb "github.com/coordgen/coordgen/internal/prototest/pb"
	"github.com/coordgen/coordgen/internal/randompb"
	"github.com/coordgen/coordgen/runtime/wire"
)

// ours is what generated code makes of the bytes of a Kinds.
func ours(data []byte) ([]byte, error) {
	var m prototest.Kinds
	if err := m.UnmarshalProto(data); err != nil {
		return nil, err
	}
	out, err := m.MarshalProto()
	if err != nil {
		return nil, fmt.Errorf("written: %w", err)
	}
	return out, nil
}

// theirs is what protobuf-go makes of them, without what the Go of coordgen has no
// room for.
func theirs(data []byte) ([]byte, error) {
	var m pb.Kinds
	if err := proto.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	normalize(m.ProtoReflect())
	return proto.MarshalOptions{Deterministic: true}.Marshal(&m)
}

// normalize takes away what is the same as absence in Go, and what protobuf's own
// messages have that their schema does not know.
func normalize(m protoreflect.Message) {
	m.Range(func(f protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		switch {
		case f.IsMap():
			if f.MapValue().Message() != nil {
				v.Map().Range(func(_ protoreflect.MapKey, v protoreflect.Value) bool {
					normalizeValue(v.Message())
					return true
				})
			}
		case f.Message() == nil:
		case f.IsList():
			for i := range v.List().Len() {
				normalizeValue(v.List().Get(i).Message())
			}
		default:
			normalizeValue(v.Message())
			if f.ContainingOneof() == nil && isAbsent(v.Message()) {
				m.Clear(f)
			}
		}
		return true
	})
}

func normalizeValue(m protoreflect.Message) {
	if d := m.Descriptor(); d.FullName().Parent() == "google.protobuf" && !slices.Contains([]protoreflect.Name{"Any", "FieldMask", "Empty"}, d.Name()) {
		m.SetUnknown(nil)
		if d.Name() == "Value" && m.WhichOneof(d.Oneofs().Get(0)) == nil {
			m.Set(d.Fields().ByName("null_value"), protoreflect.ValueOfEnum(0))
		}
		if null := d.Fields().ByName("null_value"); null != nil && m.Has(null) {
			m.Set(null, protoreflect.ValueOfEnum(0))
		}
	}
	normalize(m)
}

func isAbsent(m protoreflect.Message) bool {
	fields := m.Descriptor().Fields()
	seconds := func() int64 { return m.Get(fields.ByName("seconds")).Int() }
	switch m.Descriptor().FullName() {
	case "google.protobuf.Timestamp":
		return seconds() == time.Time{}.Unix() && !m.Has(fields.ByName("nanos"))
	case "google.protobuf.Duration":
		return seconds() == 0 && !m.Has(fields.ByName("nanos"))
	case "google.protobuf.Value":
		return m.Has(fields.ByName("null_value"))
	}
	return false
}

func random(t *rapid.T) []byte {
	m := randompb.Message(t, new(pb.Kinds).ProtoReflect().Descriptor())
	data, err := proto.MarshalOptions{AllowPartial: true}.Marshal(m)
	require.NoError(t, err)
	return data
}

// What protobuf-go writes is read, and written as it writes it.
func TestBytesOfProtobufGo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m pb.Kinds
		err := proto.Unmarshal(random(t), &m)
		if err != nil {
			t.Skip("a required field is missing where it would be too deep")
		}
		want, err := proto.MarshalOptions{Deterministic: true}.Marshal(&m)
		require.NoError(t, err)
		got, err := ours(want)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// Messages in parts, with fields of others in between, are read as protobuf-go
// reads them.
func TestMessagesInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var data []byte
		for range rapid.IntRange(2, 3).Draw(t, "parts") {
			data = append(data, random(t)...)
			if rapid.Bool().Draw(t, "unknown") {
				number := protowire.Number(rapid.IntRange(1, 210).Draw(t, "number"))
				data = protowire.AppendVarint(protowire.AppendTag(data, number, protowire.VarintType), rapid.Uint64().Draw(t, "value"))
			}
		}
		compare(t, data)
	})
}

// compare fails if generated code and protobuf-go make different messages of data.
// What one of them refuses alone is what follows.
func compare(t require.TestingT, data []byte) {
	got, err := ours(data)
	want, other := theirs(data)
	if other == nil && err != nil {
		var e *wire.Error
		require.ErrorAs(t, err, &e, "%x", data)
		for _, cause := range []error{
			wire.ErrDepth, wire.ErrTooLarge, // limits of ours
			wire.ErrRange, wire.ErrValue, // times and durations that Go or JSON don't have
			wire.ErrMissing, // in one part of a message, where another has it
		} {
			if errors.Is(err, cause) {
				return
			}
		}
	}
	if other != nil {
		require.Error(t, err, "%x: %v", data, other)
		return
	}
	require.NoError(t, err, "%x", data)
	require.Equal(t, fmt.Sprintf("%x", want), fmt.Sprintf("%x", got), "%x", data)
}

// Any bytes are refused by both, or mean the same to both.
func FuzzProto(f *testing.F) {
	for i := range 20 {
		f.Add(rapid.Custom(random).Example(i))
	}
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, data) })
}

func TestAllocations(t *testing.T) {
	m := order()
	buf, err := m.AppendProto(nil)
	require.NoError(t, err)
	assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = m.AppendProto(buf[:0]) }))
	assert.Equal(t, 1., testing.AllocsPerRun(100, func() { _, _ = m.AppendProto(nil) }))
	for name, write := range map[string]func([]byte) ([]byte, error){"JSON": m.AppendJSON, "msgpack": m.AppendMsgpack} {
		buf, err := write(nil)
		require.NoError(t, err)
		assert.Zero(t, testing.AllocsPerRun(100, func() { buf, _ = write(buf[:0]) }), name)
		// It is 1, but the race detector makes the pool of buffers forget some.
		assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = write(nil) }), 3., name)
	}
}

// Messages that are written at once do not get into each other's buffers, and what a
// caller was given stays as it is.
func TestWritersShareNothing(t *testing.T) {
	var all errgroup.Group
	for i := range 8 {
		all.Go(func() error {
			m := order()
			m.ID = strings.Repeat(strconv.Itoa(i), 1<<(2*i)) // up to 16 KiB, and 128 KiB below
			if i == 7 {
				m.ID = strings.Repeat("7", 128<<10)
			}
			first, err := m.AppendJSON(nil)
			if err != nil {
				return err
			}
			want := bytes.Clone(first)
			for range 200 {
				again, err := m.AppendJSON(nil)
				if err != nil || !bytes.Equal(again, want) || !bytes.Equal(first, want) {
					return fmt.Errorf("message %d became another, or failed: %w", i, err)
				}
				m.Customer = "\xff"
				if _, err := m.AppendJSON(nil); !errors.Is(err, wire.ErrUTF8) {
					return fmt.Errorf("message %d: %w", i, err)
				}
				m.Customer = order().Customer
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
}

func order() *prototest.Order {
	m := &prototest.Order{ID: "order-0000042", Customer: "customer-17", PlacedAt: time.Unix(1772600767, 123456000).UTC(), Color: prototest.ColorRed, Total: 1234.5}
	for i := range 20 {
		m.Items = append(m.Items, prototest.Item{
			Sku: fmt.Sprintf("sku-%04d", i), Name: fmt.Sprintf("A thing of which there are many, number %d", i),
			Quantity: int32(i), Price: float64(i) + 0.25,
		})
	}
	return m
}

func BenchmarkOrder(b *testing.B) {
	m := order()
	data, err := m.MarshalProto()
	require.NoError(b, err)
	b.Run("encode", func(b *testing.B) {
		b.ReportAllocs()
		buf := slices.Clone(data)
		for b.Loop() {
			buf, _ = m.AppendProto(buf[:0])
		}
	})
	b.Run("encode new", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, _ = m.AppendProto(nil)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var m prototest.Order
			if err := m.UnmarshalProto(data); err != nil {
				b.Fatal(err)
			}
		}
	})
}
