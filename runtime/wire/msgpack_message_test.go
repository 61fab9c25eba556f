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

func (m *beat) ReadMsgpack(r *MsgpackReader) {
	*m = beat{}
	for o := r.object(&beatFields); r.nextField(&o); {
		switch o.Field {
		case 0:
			m.ID = r.string()
		case 1:
			m.At = r.time()
		case 2:
			for l := r.array(); r.more(&l); {
				m.Subs = append(m.Subs, r.string())
			}
		case 3:
			m.InFlight = r.int64()
		case 4:
			m.Leader = r.bool()
		case 5:
			m.Load = r.float64()
		default:
			r.keep(&o, &m.Unknown)
		}
	}
}

func (m *beat) AppendMsgpack(b []byte) ([]byte, error) {
	w := NewMsgpackWriter(b)
	return w.Close(m.WriteMsgpack(&w, b), "test.Beat")
}

func (m *beat) UnmarshalMsgpack(data []byte) error {
	r := NewMsgpackReader(data)
	m.ReadMsgpack(&r)
	return r.close()
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

func (m *kit) ReadMsgpack(r *MsgpackReader) {
	*m = kit{Color: "none"}
	for o := r.object(&kitFields); r.nextField(&o); {
		switch o.Field {
		case 0:
			m.Name = r.string()
		case 1:
			m.I32 = r.int32()
		case 2:
			m.I64 = r.int64()
		case 3:
			m.U32 = r.uint32()
		case 4:
			m.U64 = r.uint64()
		case 5:
			m.F32 = r.float32()
		case 6:
			m.F64 = r.float64()
		case 7:
			m.Flag = r.bool()
		case 8:
			m.Data = r.bytes()
		case 9:
			m.At = r.time()
		case 10:
			m.Wait = r.duration()
		case 11:
			m.Color = r.enum(&kitColors)
		case 12:
			m.Free = r.value()
		case 13:
			m.Meta = r.structure()
		case 14:
			m.List = r.listValue()
		case 15:
			m.Kits = []kit{}
			for l := r.array(); r.more(&l); {
				var v kit
				v.ReadMsgpack(r)
				m.Kits = append(m.Kits, v)
			}
		case 16:
			m.Labels = readEntries(r, r.stringKey, r.String)
		case 17:
			m.ByI32 = readEntries(r, r.int32Key, r.String)
		case 18:
			m.ByI64 = readEntries(r, r.int64Key, r.String)
		case 19:
			m.ByU32 = readEntries(r, r.uint32Key, r.String)
		case 20:
			m.ByU64 = readEntries(r, r.uint64Key, func() (v kit) {
				v.ReadMsgpack(r)
				return v
			})
		case 21:
			m.ByBool = readEntries(r, r.boolKey, r.String)
		default:
			m.readOneof(r, &o)
		}
	}
}

func (m *kit) readOneof(r *MsgpackReader, o *Object) {
	switch o.Field {
	case 22:
		if m.Any != nil {
			r.conflict("any")
		}
		m.Any = kitText{r.string()}
	case 23:
		if m.Any != nil {
			r.conflict("any")
		}
		var v kit
		v.ReadMsgpack(r)
		m.Any = kitKit{v}
	default:
		r.keep(o, &m.Unknown)
	}
}

func readEntries[K comparable, V any](r *MsgpackReader, key func(*Map) K, value func() V) map[K]V {
	entries := map[K]V{}
	for e := r.entries(); r.nextEntry(&e); {
		k := key(&e)
		if !Put(&entries, k, value()) {
			r.duplicate(&e)
		}
	}
	return entries
}

func (m *kit) AppendMsgpack(b []byte) ([]byte, error) {
	w := NewMsgpackWriter(b)
	return w.Close(m.WriteMsgpack(&w, b), "test.Kit")
}

func (m *kit) UnmarshalMsgpack(data []byte) error {
	r := NewMsgpackReader(data)
	m.ReadMsgpack(&r)
	return r.close()
}

func (m kit) EncodeMsgpack(e *msgpack.Encoder) error  { return EncodeMsgpack(e, &m) }
func (m *kit) DecodeMsgpack(d *msgpack.Decoder) error { return DecodeMsgpack(d, m) }

// printed returns a text that is equal for equal values, NaN included.
func printed(v any) string { return fmt.Sprintf("%#v", v) }
