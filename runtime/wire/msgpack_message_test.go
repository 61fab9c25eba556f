package wire

import (
	"fmt"
	"time"

	"github.com/vmihailenco/msgpack/v5"
)

// A beat is a message as the generator would print it: the heartbeat's shape.
type beat struct {
	ID       string
	At       time.Time
	Subs     []string
	InFlight int64
	Leader   bool
	Load     float64

	Unknown Unknown
}

var beatFields = Fields{
	Message:  "test.Beat",
	Names:    []string{"instance_id", "timestamp", "subscriptions", "in_flight_count", "is_leader", "load_factor"},
	Aliases:  []Alias{{Name: "id", Index: 0}},
	Required: []int{0, 1},
}

func (m *beat) WriteMsgpack(w *MsgpackWriter, b []byte) []byte {
	b = w.MapHeader(b, 6+len(m.Unknown))
	b = append(b, "\xabinstance_id"...)
	b = w.String(b, m.ID)
	b = append(b, "\xa9timestamp"...)
	b = w.Time(b, m.At)
	b = append(b, "\xadsubscriptions"...)
	b = w.ArrayHeader(b, len(m.Subs))
	for _, v := range m.Subs {
		b = w.String(b, v)
	}
	b = append(b, "\xafin_flight_count"...)
	b = w.Int64(b, m.InFlight)
	b = append(b, "\xa9is_leader"...)
	b = w.Bool(b, m.Leader)
	b = append(b, "\xabload_factor"...)
	b = w.Float64(b, m.Load)
	return w.Unknown(b, m.Unknown, &beatFields)
}

func (m *beat) AppendMsgpack(b []byte) ([]byte, error) {
	w := NewMsgpackWriter(b)
	return w.Close(m.WriteMsgpack(&w, b), "test.Beat")
}

func (m *beat) UnmarshalMsgpack(data []byte) error {
	r := NewMsgpackReader(data)
	return r.Close(readBeat(m, r.format(), data))
}

func (m beat) MarshalMsgpack() ([]byte, error)         { return m.AppendMsgpack(nil) }
func (m beat) EncodeMsgpack(e *msgpack.Encoder) error  { return EncodeMsgpack(e, &m) }
func (m *beat) DecodeMsgpack(d *msgpack.Decoder) error { return DecodeMsgpack(d, m) }

// A kit is a message with a field of every type. Nothing in it is required but
// the name, and what is nil is left out.
type kit struct {
	Name   string
	I32    int32
	I64    int64
	U32    uint32
	U64    uint64
	F32    float32
	F64    float64
	Flag   bool
	Data   []byte
	At     time.Time
	Wait   time.Duration
	Color  string
	Free   any
	Meta   map[string]any
	List   []any
	Kits   []kit
	Labels map[string]string
	ByI32  map[int32]string
	ByI64  map[int64]string
	ByU32  map[uint32]string
	ByU64  map[uint64]kit
	ByBool map[bool]string
	Any    kitAny

	Unknown Unknown
}

// A kitAny is a oneof's value.
type kitAny interface{ kitAny() }

type (
	kitText struct{ Text string }
	kitKit  struct{ Kit kit }
	kitLost struct{}
)

func (kitText) kitAny() {}
func (kitKit) kitAny()  {}
func (kitLost) kitAny() {}

var kitColors = Enum{
	Name: "test.Color",
	Values: []EnumValue{
		{Name: "none", Number: 0}, {Name: "red", Number: 1}, {Name: "rouge", Number: 1, Alias: true}, {Name: "blue", Number: 2},
	},
}

var kitFields = Fields{
	Message: "test.Kit",
	Names: []string{"name", "i32", "i64", "u32", "u64", "f32", "f64", "flag", "data", "at", "wait", "color", "free",
		"meta", "list", "kits", "labels", "by_i32", "by_i64", "by_u32", "by_u64", "by_bool", "text", "kit"},
	Aliases:  []Alias{{Name: "title", Index: 0}},
	Required: []int{0},
}

func (m *kit) WriteMsgpack(w *MsgpackWriter, b []byte) []byte {
	n := 10 + len(m.Unknown) // those that are always written
	for _, set := range []bool{!m.At.IsZero(), m.Data != nil, m.Free != nil, m.Meta != nil, m.List != nil, m.Kits != nil,
		m.Labels != nil, m.ByI32 != nil, m.ByI64 != nil, m.ByU32 != nil, m.ByU64 != nil, m.ByBool != nil, m.Any != nil} {
		if set {
			n++
		}
	}
	b = w.MapHeader(b, n)
	if m.Name == "" {
		w.Missing(b, "name")
	} else {
		b = append(b, "\xa4name"...)
		b = w.String(b, m.Name)
	}
	b = w.Int32(append(b, "\xa3i32"...), m.I32)
	b = w.Int64(append(b, "\xa3i64"...), m.I64)
	b = w.Uint32(append(b, "\xa3u32"...), m.U32)
	b = w.Uint64(append(b, "\xa3u64"...), m.U64)
	b = w.Float32(append(b, "\xa3f32"...), m.F32)
	b = w.Float64(append(b, "\xa3f64"...), m.F64)
	b = w.Bool(append(b, "\xa4flag"...), m.Flag)
	b = w.Duration(append(b, "\xa4wait"...), m.Wait)
	b = w.Enum(append(b, "\xa5color"...), &kitColors, m.Color)
	return m.writeRest(w, b)
}

func (m *kit) writeRest(w *MsgpackWriter, b []byte) []byte {
	if m.Data != nil {
		b = w.Bytes(append(b, "\xa4data"...), m.Data)
	}
	if !m.At.IsZero() {
		b = w.Time(append(b, "\xa2at"...), m.At)
	}
	if m.Free != nil {
		b = w.Value(append(b, "\xa4free"...), m.Free)
	}
	if m.Meta != nil {
		b = w.Struct(append(b, "\xa4meta"...), m.Meta)
	}
	if m.List != nil {
		b = w.ListValue(append(b, "\xa4list"...), m.List)
	}
	if m.Kits != nil {
		b = w.ArrayHeader(append(b, "\xa4kits"...), len(m.Kits))
		for i := range m.Kits {
			b = m.Kits[i].WriteMsgpack(w, b)
		}
	}
	text := func(b []byte, v string) []byte { return w.String(b, v) }
	b = writeEntries(w, b, "\xa6labels", m.Labels, w.String, text)
	b = writeEntries(w, b, "\xa6by_i32", m.ByI32, w.Int32, text)
	b = writeEntries(w, b, "\xa6by_i64", m.ByI64, w.Int64, text)
	b = writeEntries(w, b, "\xa6by_u32", m.ByU32, w.Uint32, text)
	b = writeEntries(w, b, "\xa6by_u64", m.ByU64, w.Uint64, func(b []byte, v kit) []byte { return v.WriteMsgpack(w, b) })
	b = writeEntries(w, b, "\xa7by_bool", m.ByBool, w.Bool, text)
	switch v := m.Any.(type) {
	case nil:
	case kitText:
		b = w.String(append(b, "\xa4text"...), v.Text)
	case kitKit:
		b = v.Kit.WriteMsgpack(w, append(b, "\xa3kit"...))
	default:
		w.Reject(b, "any", v)
	}
	return w.Unknown(b, m.Unknown, &kitFields)
}

func writeEntries[K comparable, V any](w *MsgpackWriter, b []byte, name string, m map[K]V, key func([]byte, K) []byte, value func([]byte, V) []byte) []byte {
	if m == nil {
		return b
	}
	b = w.MapHeader(append(b, name...), len(m))
	for k, v := range m {
		b = value(key(b, k), v)
	}
	return b
}

func (m *kit) AppendMsgpack(b []byte) ([]byte, error) {
	w := NewMsgpackWriter(b)
	return w.Close(m.WriteMsgpack(&w, b), "test.Kit")
}

func (m *kit) UnmarshalMsgpack(data []byte) error {
	r := NewMsgpackReader(data)
	return r.Close(readKit(m, r.format(), data))
}

func (m kit) EncodeMsgpack(e *msgpack.Encoder) error  { return EncodeMsgpack(e, &m) }
func (m *kit) DecodeMsgpack(d *msgpack.Decoder) error { return DecodeMsgpack(d, m) }

// printed returns a text that is equal for equal values, NaN included.
func printed(v any) string { return fmt.Sprintf("%#v", v) }
