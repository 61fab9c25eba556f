package wire

import "time"

func (m *beat) WriteJSON(w *JSONWriter, b []byte) []byte {
	b = append(b, `{"instance_id":`...)
	b = w.String(b, m.ID)
	b = append(b, `,"timestamp":`...)
	b = w.Time(b, m.At)
	b = append(b, `,"subscriptions":[`...)
	for i, v := range m.Subs {
		if i > 0 {
			b = append(b, ',')
		}
		b = w.String(b, v)
	}
	b = append(b, `],"in_flight_count":`...)
	b = w.Int64(b, m.InFlight)
	b = append(b, `,"is_leader":`...)
	b = w.Bool(b, m.Leader)
	b = append(b, `,"load_factor":`...)
	b = w.Float64(b, m.Load)
	return w.CloseObject(b, m.Unknown, &kitFields)
}

func (m *beat) AppendJSON(b []byte) ([]byte, error) {
	w := NewJSONWriter(b)
	return w.Close(m.WriteJSON(&w, b), "test.Beat")
}

func (m *beat) UnmarshalJSON(data []byte) error {
	r := NewJSONReader(data)
	return r.Close(readBeat(m, r.format(), data))
}

func (m *kit) WriteJSON(w *JSONWriter, b []byte) []byte {
	if !w.Enter(b) {
		return b
	}
	b = append(b, '{')
	if m.Name == "" {
		w.Missing(b, "name")
	} else {
		b = w.String(w.Key(b, "name"), m.Name)
	}
	b = w.Int32(w.Key(b, "i32"), m.I32)
	b = w.Int64(w.Key(b, "i64"), m.I64)
	b = w.Uint32(w.Key(b, "u32"), m.U32)
	b = w.Uint64(w.Key(b, "u64"), m.U64)
	b = w.Float32(w.Key(b, "f32"), m.F32)
	b = w.Float64(w.Key(b, "f64"), m.F64)
	b = w.Bool(w.Key(b, "flag"), m.Flag)
	b = w.Duration(w.Key(b, "wait"), m.Wait)
	b = w.Enum(w.Key(b, "color"), &kitColors, m.Color)
	if m.Data != nil {
		b = w.Bytes(w.Key(b, "data"), m.Data)
	}
	if !m.At.IsZero() {
		b = w.Time(w.Key(b, "at"), m.At)
	}
	if m.Free != nil {
		b = w.Value(w.Key(b, "free"), m.Free)
	}
	if m.Meta != nil {
		b = w.Struct(w.Key(b, "meta"), m.Meta)
	}
	if m.List != nil {
		b = w.ListValue(w.Key(b, "list"), m.List)
	}
	b = m.writeMembersJSON(w, b)
	w.Leave()
	return w.CloseObject(b, m.Unknown, &beatFields)
}

func (m *kit) writeMembersJSON(w *JSONWriter, b []byte) []byte {
	kitValue := func(b []byte, v kit) []byte { return v.WriteJSON(w, b) }
	if m.Kits != nil {
		if b = w.Key(b, "kits"); !w.Enter(b) {
			return b
		}
		b = append(b, '[')
		for i := range m.Kits {
			if i > 0 {
				b = append(b, ',')
			}
			b = m.Kits[i].WriteJSON(w, b)
		}
		b = append(b, ']')
		w.Leave()
	}
	b = writeEntriesJSON(w, b, "labels", m.Labels, SortedKeys(m.Labels), w.Key, w.String)
	b = writeEntriesJSON(w, b, "by_i32", m.ByI32, SortedKeys(m.ByI32), func(b []byte, k int32) []byte { return w.IntKey(b, int64(k)) }, w.String)
	b = writeEntriesJSON(w, b, "by_i64", m.ByI64, SortedKeys(m.ByI64), w.IntKey, w.String)
	b = writeEntriesJSON(w, b, "by_u32", m.ByU32, SortedKeys(m.ByU32), func(b []byte, k uint32) []byte { return w.UintKey(b, uint64(k)) }, w.String)
	b = writeEntriesJSON(w, b, "by_u64", m.ByU64, SortedKeys(m.ByU64), w.UintKey, kitValue)
	b = writeEntriesJSON(w, b, "by_bool", m.ByBool, SortedBoolKeys(m.ByBool), w.BoolKey, w.String)
	switch v := m.Any.(type) {
	case nil:
	case kitText:
		b = w.String(w.Key(b, "text"), v.Text)
	case kitKit:
		b = v.Kit.WriteJSON(w, w.Key(b, "kit"))
	default:
		w.Reject(b, "any", v)
	}
	return b
}

func writeEntriesJSON[K comparable, V any](
	w *JSONWriter, b []byte, name string, m map[K]V, keys []K, key func([]byte, K) []byte, value func([]byte, V) []byte,
) []byte {
	if m == nil {
		return b
	}
	if b = w.Key(b, name); !w.Enter(b) {
		return b
	}
	b = append(b, '{')
	for _, k := range keys {
		b = value(key(b, k), m[k])
	}
	w.Leave()
	return append(b, '}')
}

func (m *kit) AppendJSON(b []byte) ([]byte, error) {
	w := NewJSONWriter(b)
	return w.Close(m.WriteJSON(&w, b), "test.Kit")
}

func (m *kit) UnmarshalJSON(data []byte) error {
	r := NewJSONReader(data)
	return r.Close(readKit(m, r.format(), data))
}

// A memo is a message whose scalars may be absent and whose unknown fields are
// dropped.
type memo struct {
	Count *int64
	Text  *string
	Until *time.Time
	Next  *memo
}

var memoFields = Fields{Message: "test.Memo", Names: []string{"count", "text", "until", "next"}}

func (m *memo) UnmarshalJSON(data []byte) error {
	r := NewJSONReader(data)
	return r.Close(readMemo(m, r.format(), data))
}

func (m *memo) AppendJSON(b []byte) ([]byte, error) {
	w := NewJSONWriter(b)
	return w.Close(m.WriteJSON(&w, b), "test.Memo")
}

func (m *memo) WriteJSON(w *JSONWriter, b []byte) []byte {
	if !w.Enter(b) {
		return b
	}
	b = append(b, '{')
	if m.Count != nil {
		b = w.Int64(w.Key(b, "count"), *m.Count)
	}
	if m.Text != nil {
		b = w.String(w.Key(b, "text"), *m.Text)
	}
	if m.Until != nil {
		b = w.Time(w.Key(b, "until"), *m.Until)
	}
	if m.Next != nil {
		b = m.Next.WriteJSON(w, w.Key(b, "next"))
	}
	w.Leave()
	return w.CloseObject(b, nil, nil)
}
