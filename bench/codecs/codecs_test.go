// Package codecs measures coordgen's codecs beside those of others, on the same
// messages in one run.
package codecs

import (
	"bytes"
	"strings"
	"testing"

	"github.com/coordgen/coordgen/bench/codecs/ours"
	"github.com/coordgen/coordgen/bench/codecs/pb"
)

// A cell is a message in a codec, with the tools for it; the first is coordgen's,
// where it has the codec.
type cell struct {
	codec, message, variant string
	tools                   []tool
	// shuffle changes the order of keys, where that is measured.
	shuffle func(t testing.TB, data []byte) []byte
	// same says of a decoded message of any tool whether it is the one encoded.
	same func(t testing.TB, decoded any) bool
}

// name is the cell's part of a benchmark's name, for an operation.
func (c *cell) name(op string) string {
	return "codec=" + c.codec + "/message=" + c.message + "/op=" + op + c.variant
}

// cells returns all cells in the order of the report.
func cells(t testing.TB) []cell {
	h, n := customHeartbeat(*heartbeat()), customNotice(*notice())
	of := [][]cell{
		cellsOf[ours.Heartbeat, pb.Heartbeat](t, "heartbeat", "", heartbeat(), msgpackV5("msgpack-v5-custom", &h)),
		cellsOf[ours.Notice, pb.Notice](t, "notice", "", notice(), msgpackV5("msgpack-v5-custom", &n)),
		cellsOf[ours.Order, pb.Order](t, "order", "", order(ascii)),
		cellsOf[ours.Order, pb.Order](t, "order", "/text=nonascii", order(nonASCII)),
	}
	var all []cell
	for codec := range of[0] {
		for message := range of {
			all = append(all, of[message][codec])
		}
	}
	return all
}

// cellsOf returns the cells of one message, a cell for each codec.
func cellsOf[O, B, M any, PO generated[O], PB protos[B], PM structs[M]](t testing.TB, message, variant string, m PM, more ...tool) []cell {
	o, b := PO(new(O)), PB(new(B))
	convert(t, m, o)
	convert(t, m, b)
	same := func(t testing.TB, decoded any) bool {
		got := PO(new(O))
		convert(t, decoded, got)
		return got.Equal(o)
	}
	peers := []struct {
		codec   string
		tools   []tool
		shuffle func(testing.TB, []byte) []byte
	}{
		{"json", jsonTools(m), shuffleJSON},
		{"msgpack", append(msgpackTools(m), more...), shuffleMsgpack},
		{"protobuf", protobufTools(b), nil},
	}
	coordgen := coordgenTools(o)
	all := make([]cell, 0, len(peers))
	for _, p := range peers {
		c := cell{codec: p.codec, message: message, variant: variant, same: same}
		c.tools = append([]tool{coordgen[p.codec]}, p.tools...)
		if message == "order" && variant == "" {
			c.shuffle = p.shuffle
		}
		all = append(all, c)
	}
	return all
}

func TestRoundTrip(t *testing.T) {
	for _, c := range cells(t) {
		for _, tool := range c.tools {
			t.Run(c.name("round-trip")+"/tool="+tool.name, func(t *testing.T) {
				data, err := tool.marshal()
				if err != nil {
					t.Fatal(err)
				}
				for range 2 { // the second time into a buffer used before
					reused, err := tool.encode()
					if err != nil {
						t.Fatal(err)
					}
					// Not the same bytes: the order of maps is as it comes.
					if got := bytes.TrimSuffix(reused, []byte("\n")); len(got) != len(data) {
						t.Errorf("encode made %d bytes, marshal %d: %q", len(got), len(data), got)
					}
				}
				inputs := [][]byte{data, data}
				if c.shuffle != nil {
					inputs = append(inputs, c.shuffle(t, data))
				}
				for _, input := range inputs {
					for _, decode := range []func([]byte) (any, error){tool.decode, tool.again, tool.alias, tool.aliasAgain} {
						if decode == nil {
							continue
						}
						decoded, err := decode(input)
						if err != nil {
							t.Fatal(err)
						}
						if !c.same(t, decoded) {
							t.Errorf("read %+v of %q", decoded, input)
						}
					}
				}
			})
		}
	}
}

// Each peer reads what coordgen writes, and coordgen what each of them writes.
func TestExchange(t *testing.T) {
	for _, c := range cells(t) {
		for _, peer := range c.tools[1:] {
			t.Run(c.name("exchange")+"/tool="+peer.name, func(t *testing.T) {
				exchange(t, &c, c.tools[0], peer)
				exchange(t, &c, peer, c.tools[0])
			})
		}
	}
}

// exchange checks that one tool reads what another writes.
func exchange(t *testing.T, c *cell, from, to tool) {
	t.Helper()
	data, err := from.marshal()
	if err != nil {
		t.Fatal(err)
	}
	decoded, err := to.decode(data)
	if err != nil {
		t.Fatalf("%s: %v: %q", to.name, err, data)
	}
	if !c.same(t, decoded) {
		t.Errorf("%s read %+v of %q, which %s wrote", to.name, decoded, data, from.name)
	}
}

// BenchmarkCodec has each tool decode what it wrote itself, so that each has the
// order of keys, and the forms, that suit it; and the same with the keys shuffled.
func BenchmarkCodec(b *testing.B) {
	for _, c := range cells(b) {
		ops := []string{"encode-reuse", "decode-fresh", "encode-nil", "decode-reuse", "decode-alias", "decode-alias-reuse"}
		if c.variant != "" {
			ops = ops[:2]
		}
		for _, op := range ops {
			for _, tool := range c.tools {
				if strings.Contains(op, "alias") && tool.alias == nil {
					continue
				}
				b.Run(c.name(op)+"/tool="+tool.name, func(b *testing.B) { measure(b, op, tool, nil) })
			}
		}
		if c.shuffle == nil {
			continue
		}
		for _, tool := range c.tools {
			b.Run(c.name("decode-fresh")+"/keys=shuffled/tool="+tool.name, func(b *testing.B) {
				measure(b, "decode-fresh", tool, c.shuffle)
			})
		}
	}
}

// measure runs an operation of a tool b.N times, on bytes that shuffle changed.
func measure(b *testing.B, op string, tool tool, shuffle func(testing.TB, []byte) []byte) {
	data, err := tool.marshal()
	if err != nil {
		b.Fatal(err)
	}
	if shuffle != nil {
		data = shuffle(b, data)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	switch op {
	case "encode-reuse":
		for b.Loop() {
			_, err = tool.encode()
		}
	case "encode-nil":
		for b.Loop() {
			_, err = tool.marshal()
		}
	case "decode-fresh":
		for b.Loop() {
			_, err = tool.decode(data)
		}
	case "decode-reuse":
		for b.Loop() {
			_, err = tool.again(data)
		}
	case "decode-alias":
		for b.Loop() {
			_, err = tool.alias(data)
		}
	case "decode-alias-reuse":
		for b.Loop() {
			_, err = tool.aliasAgain(data)
		}
	}
	if err != nil {
		b.Fatal(err)
	}
}
