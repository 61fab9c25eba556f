package wire

import "time"

// An anyReader is a JSONReader or a MsgpackReader, of which P is a place in a message.
type anyReader[P any] interface {
	Message(p *P, b []byte, f *Fields) []byte
	Next(p *P, field int, b []byte, u *Unknown) (int, []byte)
	Conflict(b []byte, oneof string) []byte
	Array(l *List, b []byte) []byte
	After(l *List, b []byte) []byte
	Map(m *Map, b []byte) []byte
	Entry(m *Map, b []byte) []byte
	Duplicate(m *Map) []byte
	BoolKey(m *Map, b []byte) (bool, []byte)
	Int32Key(m *Map, b []byte) (int32, []byte)
	Int64Key(m *Map, b []byte) (int64, []byte)
	Uint32Key(m *Map, b []byte) (uint32, []byte)
	Uint64Key(m *Map, b []byte) (uint64, []byte)
	StringKey(m *Map, b []byte) (string, []byte)
	Bool(b []byte) (bool, []byte)
	Int32(b []byte) (int32, []byte)
	Int64(b []byte) (int64, []byte)
	Uint32(b []byte) (uint32, []byte)
	Uint64(b []byte) (uint64, []byte)
	Float32(b []byte) (float32, []byte)
	Float64(b []byte) (float64, []byte)
	String(b []byte) (string, []byte)
	Bytes(b []byte) ([]byte, []byte)
	Enum(b []byte, e *Enum) (string, []byte)
	Time(b []byte) (time.Time, []byte)
	Duration(b []byte) (time.Duration, []byte)
	Struct(b []byte) (map[string]any, []byte)
	Value(b []byte) (any, []byte)
	ListValue(b []byte) ([]any, []byte)
}

// A format is a reader with what generated code knows of its codec.
type format[P any] struct {
	anyReader[P]
	in  *Input
	at  func(p *P, field int, b []byte, i, n int, next bool) (int, []byte)
	key func(name string) string
	// before is how many bytes stand before a key.
	before int
}

func (r *JSONReader) format() format[JSONMessage] {
	return format[JSONMessage]{r, &r.Input, (*JSONMessage).At, func(name string) string {
		return `"` + name + `":`
	}, 1}
}

func (r *MsgpackReader) format() format[MsgpackMessage] {
	return format[MsgpackMessage]{r, &r.Input, (*MsgpackMessage).At, func(name string) string {
		return string([]byte{0xa0 | byte(len(name))}) + name
	}, 0}
}

// place begins to read a message, whose fields the methods with small letters read.
func (r *JSONReader) place(f *Fields) place {
	r.begin(f)
	r.open('{', "an object")
	return place{field: -1, fields: f, left: 1}
}

func (r *MsgpackReader) place(f *Fields) place {
	r.begin(f)
	return place{field: -1, fields: f, left: r.enter(mpMap, "a map")}
}

// message reads a message as generated code does.
func (r format[P]) message(b []byte, fields *Fields, u *Unknown, read func(i int, b []byte) []byte) []byte {
	var o P
	b = r.Message(&o, b, fields)
	for f := -1; ; {
		for i, name := range fields.Names {
			key := r.key(name)
			end := r.before + len(key)
			if f, b = r.at(&o, f, b, i, end, len(b) > end && string(b[r.before:end]) == key); f == i {
				b = read(i, b)
			}
		}
		if f, b = r.Next(&o, f, b, u); f < 0 {
			return b
		}
	}
}

// entries reads a map, the value of an entry with the index i.
func readMap[P any, K comparable, V any](r format[P], b []byte, m *map[K]V,
	key func(*Map, []byte) (K, []byte), value func([]byte) (V, []byte),
) []byte {
	*m = map[K]V{}
	var e Map
	for b = r.Map(&e, b); e.More; b = r.Entry(&e, b) {
		var k K
		var v V
		k, b = key(&e, b)
		v, b = value(b)
		if !Put(m, k, v) {
			b = r.Duplicate(&e)
		}
	}
	return b
}

func readBeat[P any](m *beat, r format[P], b []byte) []byte {
	*m = beat{}
	return r.message(b, &beatFields, &m.Unknown, func(i int, b []byte) []byte {
		switch i {
		case 0:
			m.ID, b = r.String(b)
		case 1:
			m.At, b = r.Time(b)
		case 2:
			var l List
			for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
				*Add(r.in, &l, &m.Subs), b = r.String(b)
			}
		case 3:
			m.InFlight, b = r.Int64(b)
		case 4:
			m.Leader, b = r.Bool(b)
		case 5:
			m.Load, b = r.Float64(b)
		}
		return b
	})
}

// readJSON and readMsgpack are readBeat as generated code has it. They allocate
// nothing of their own.
func (m *beat) readJSON(r *JSONReader, b []byte) []byte {
	*m = beat{}
	var o JSONMessage
	b = r.Message(&o, b, &beatFields)
	for f := -1; ; {
		if f, b = o.At(f, b, 0, 15, len(b) > 15 && string(b[1:15]) == `"instance_id":`); f == 0 {
			m.ID, b = r.String(b)
		}
		if f, b = o.At(f, b, 1, 13, len(b) > 13 && string(b[1:13]) == `"timestamp":`); f == 1 {
			m.At, b = r.Time(b)
		}
		if f, b = o.At(f, b, 2, 17, len(b) > 17 && string(b[1:17]) == `"subscriptions":`); f == 2 {
			var l List
			for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
				*Add(&r.Input, &l, &m.Subs), b = r.String(b)
			}
		}
		if f, b = o.At(f, b, 3, 19, len(b) > 19 && string(b[1:19]) == `"in_flight_count":`); f == 3 {
			m.InFlight, b = r.Int64(b)
		}
		if f, b = o.At(f, b, 4, 13, len(b) > 13 && string(b[1:13]) == `"is_leader":`); f == 4 {
			m.Leader, b = r.Bool(b)
		}
		if f, b = o.At(f, b, 5, 15, len(b) > 15 && string(b[1:15]) == `"load_factor":`); f == 5 {
			m.Load, b = r.Float64(b)
		}
		if f, b = r.Next(&o, f, b, &m.Unknown); f < 0 {
			return b
		}
	}
}

func (m *beat) readMsgpack(r *MsgpackReader, b []byte) []byte {
	*m = beat{}
	var o MsgpackMessage
	b = r.Message(&o, b, &beatFields)
	for f := -1; ; {
		if f, b = o.At(f, b, 0, 12, len(b) > 12 && string(b[:12]) == "\xabinstance_id"); f == 0 {
			m.ID, b = r.String(b)
		}
		if f, b = o.At(f, b, 1, 10, len(b) > 10 && string(b[:10]) == "\xa9timestamp"); f == 1 {
			m.At, b = r.Time(b)
		}
		if f, b = o.At(f, b, 2, 14, len(b) > 14 && string(b[:14]) == "\xadsubscriptions"); f == 2 {
			var l List
			for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
				*Add(&r.Input, &l, &m.Subs), b = r.String(b)
			}
		}
		if f, b = o.At(f, b, 3, 16, len(b) > 16 && string(b[:16]) == "\xafin_flight_count"); f == 3 {
			m.InFlight, b = r.Int64(b)
		}
		if f, b = o.At(f, b, 4, 10, len(b) > 10 && string(b[:10]) == "\xa9is_leader"); f == 4 {
			m.Leader, b = r.Bool(b)
		}
		if f, b = o.At(f, b, 5, 12, len(b) > 12 && string(b[:12]) == "\xabload_factor"); f == 5 {
			m.Load, b = r.Float64(b)
		}
		if f, b = r.Next(&o, f, b, &m.Unknown); f < 0 {
			return b
		}
	}
}

func readMemo[P any](m *memo, r format[P], b []byte) []byte {
	*m = memo{}
	return r.message(b, &memoFields, nil, func(i int, b []byte) []byte {
		switch i {
		case 0:
			m.Count = new(int64)
			*m.Count, b = r.Int64(b)
		case 1:
			m.Text = new(string)
			*m.Text, b = r.String(b)
		case 2:
			m.Until = new(time.Time)
			*m.Until, b = r.Time(b)
		case 3:
			m.Next = new(memo)
			b = readMemo(m.Next, r, b)
		}
		return b
	})
}

func readKit[P any](m *kit, r format[P], b []byte) []byte {
	*m = kit{Color: "none"}
	return r.message(b, &kitFields, &m.Unknown, func(i int, b []byte) []byte {
		switch i {
		case 0:
			m.Name, b = r.String(b)
		case 1:
			m.I32, b = r.Int32(b)
		case 2:
			m.I64, b = r.Int64(b)
		case 3:
			m.U32, b = r.Uint32(b)
		case 4:
			m.U64, b = r.Uint64(b)
		case 5:
			m.F32, b = r.Float32(b)
		case 6:
			m.F64, b = r.Float64(b)
		case 7:
			m.Flag, b = r.Bool(b)
		case 8:
			m.Data, b = r.Bytes(b)
		case 9:
			m.At, b = r.Time(b)
		case 10:
			m.Wait, b = r.Duration(b)
		case 11:
			m.Color, b = r.Enum(b, &kitColors)
		case 12:
			m.Free, b = r.Value(b)
		case 13:
			m.Meta, b = r.Struct(b)
		case 14:
			m.List, b = r.ListValue(b)
		default:
			b = readKitMembers(m, r, b, i)
		}
		return b
	})
}

func readKitMembers[P any](m *kit, r format[P], b []byte, i int) []byte {
	aKit := func(b []byte) (v kit, _ []byte) {
		b = readKit(&v, r, b)
		return v, b
	}
	if i > 21 && m.Any != nil {
		b = r.Conflict(b, "any")
	}
	switch i {
	case 15:
		m.Kits = []kit{}
		var l List
		for b = r.Array(&l, b); l.More; b = r.After(&l, b) {
			b = readKit(Add(r.in, &l, &m.Kits), r, b)
		}
	case 16:
		b = readMap(r, b, &m.Labels, r.StringKey, r.String)
	case 17:
		b = readMap(r, b, &m.ByI32, r.Int32Key, r.String)
	case 18:
		b = readMap(r, b, &m.ByI64, r.Int64Key, r.String)
	case 19:
		b = readMap(r, b, &m.ByU32, r.Uint32Key, r.String)
	case 20:
		b = readMap(r, b, &m.ByU64, r.Uint64Key, aKit)
	case 21:
		b = readMap(r, b, &m.ByBool, r.BoolKey, r.String)
	case 22:
		var v string
		v, b = r.String(b)
		m.Any = kitText{v}
	case 23:
		var v kit
		v, b = aKit(b)
		m.Any = kitKit{v}
	}
	return b
}
