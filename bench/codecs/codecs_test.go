package codecs

import (
	"fmt"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	peer "github.com/coordgen/coordgen/bench/codecs/peer"
)

func heartbeat() *Heartbeat {
	return &Heartbeat{
		InstanceID: "projection-worker-7", Timestamp: time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC),
		Subscriptions: []string{"order-projection", "billing-projection", "audit"},
		InFlightCount: 42, IsLeader: true, LoadFactor: 0.75,
	}
}

func order() *Order {
	m := &Order{
		ID: "order-2026-0000042", Customer: "customer-17", PlacedAt: time.Date(2026, 3, 4, 5, 6, 7, 123456000, time.UTC),
		Status: StatusOpen, Total: 1234.5, Paid: true,
	}
	for i := range 20 {
		m.Items = append(m.Items, Item{
			Sku: fmt.Sprintf("sku-%06d", i), Name: fmt.Sprintf("Blue widget, number %d", i), Quantity: int32(i + 1), Price: float64(i) + 0.25,
		})
	}
	return m
}

// ours is a message of coordgen.
type ours interface {
	AppendProto(b []byte) ([]byte, error)
	UnmarshalProto(data []byte) error
}

// theirs is a message of protobuf-go with the methods of vtprotobuf.
type theirs interface {
	proto.Message
	MarshalVT() ([]byte, error)
	MarshalToSizedBufferVT(b []byte) (int, error)
	SizeVT() int
	UnmarshalVT(data []byte) error
	UnmarshalVTUnsafe(data []byte) error
}

// BenchmarkProto measures protobuf's binary wire.
func BenchmarkProto(b *testing.B) {
	for _, c := range []struct {
		name   string
		ours   ours
		theirs theirs
		empty  func() (ours, theirs)
	}{
		{"heartbeat", heartbeat(), new(peer.Heartbeat), func() (ours, theirs) { return new(Heartbeat), new(peer.Heartbeat) }},
		{"order", order(), new(peer.Order), func() (ours, theirs) { return new(Order), new(peer.Order) }},
	} {
		data, err := c.ours.AppendProto(nil)
		check(b, err)
		check(b, proto.Unmarshal(data, c.theirs))
		again, err := proto.MarshalOptions{Deterministic: true}.Marshal(c.theirs)
		check(b, err)
		if string(again) != string(data) {
			b.Fatalf("%s: the codecs differ:\n%x\n%x", c.name, data, again)
		}
		buf := make([]byte, 0, 2*len(data))
		run := func(what, tool string, f func() error) {
			b.Run(c.name+"/"+what+"/tool="+tool, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					check(b, f())
				}
			})
		}
		run("encode", "coordgen", func() error { _, err := c.ours.AppendProto(buf); return err })
		run("encode", "vtprotobuf", func() error {
			_, err := c.theirs.MarshalToSizedBufferVT(buf[:c.theirs.SizeVT()])
			return err
		})
		run("encode", "protobuf-go", func() error { _, err := proto.MarshalOptions{}.MarshalAppend(buf, c.theirs); return err })
		run("encode-new", "coordgen", func() error { _, err := c.ours.AppendProto(nil); return err })
		run("encode-new", "vtprotobuf", func() error { _, err := c.theirs.MarshalVT(); return err })
		run("decode", "coordgen", func() error { m, _ := c.empty(); return m.UnmarshalProto(data) })
		run("decode", "vtprotobuf", func() error { _, m := c.empty(); return m.UnmarshalVT(data) })
		run("decode", "vtprotobuf-unsafe", func() error { _, m := c.empty(); return m.UnmarshalVTUnsafe(data) })
		run("decode", "protobuf-go", func() error { _, m := c.empty(); return proto.Unmarshal(data, m) })
	}
}

func check(b *testing.B, err error) {
	if err != nil {
		b.Fatal(err)
	}
}
