package model

// What the Go structs are made of, which generated code and what stands in for
// it have to agree on.

// Pointer says whether the struct's field is a pointer, nil when absent.
func (f *Field) Pointer() bool {
	switch f.Type.Kind {
	case KindMessage:
		return f.Card == Single || f.Card == Optional
	case KindBytes, KindStruct, KindValue, KindListValue:
		return false // their own nil is absence
	}
	return f.Card == Optional
}

// Zero is the value that an absent field of the enum has, or nil.
func (e *Enum) Zero() *EnumValue {
	for _, v := range e.Values {
		if v.Number == 0 {
			return v
		}
	}
	return nil
}

// Size returns how many bytes the message's struct takes on a 64-bit machine,
// each field rounded up to whole words.
func (m *Message) Size() int {
	const word = 8
	size := 0
	for f, o := range m.Parts() {
		if o != nil {
			size += 2 * word
		} else {
			size += word * f.words()
		}
	}
	if m.File.KeepUnknown {
		size += 3 * word
	}
	return size
}

// words returns the size of a struct's field.
func (f *Field) words() int {
	switch {
	case f.Card == Repeated:
		return 3
	case f.Card == Mapped || f.Pointer():
		return 1
	}
	switch f.Type.Kind {
	case KindBytes, KindTime, KindListValue:
		return 3
	case KindString, KindEnum, KindValue:
		return 2
	}
	return 1
}

// Free says whether values of the type are JSON of any shape.
func (t Type) Free() bool {
	return t.Kind == KindStruct || t.Kind == KindValue || t.Kind == KindListValue
}

// IsPaths says whether JSON has the type as one text, as protojson has a
// google.protobuf.FieldMask.
func (t Type) IsPaths() bool {
	return t.Protojson && t.Kind == KindMessage && t.Message.Name == "google.protobuf.FieldMask"
}

// IsNull says whether JSON has the type as null, as protojson has a
// google.protobuf.NullValue.
func (t Type) IsNull() bool {
	return t.Protojson && t.Kind == KindEnum && t.Enum.Name == "google.protobuf.NullValue"
}

// NullIsValue says whether null is a value of the field, and not its absence.
func (f *Field) NullIsValue() bool {
	return f.Oneof != nil && f.Type.Kind == KindValue || f.Presence && f.Type.IsNull()
}

// Deep returns those of the messages that can nest without end: those that hold
// themselves or a free value, and those that hold one of them. What the messages
// hold must be among them. It takes away, from the inside out, what holds nothing
// deep.
func Deep(messages []*Message) map[*Message]bool {
	deep := map[*Message]bool{}
	holders := map[*Message][]*Message{}
	held := map[*Message]int{}
	var shallow []*Message
	for _, m := range messages {
		deep[m] = true
		for _, f := range m.Fields {
			if inner := f.Type.Message; inner != nil {
				holders[inner] = append(holders[inner], m)
				held[m]++
			} else if f.Type.Free() {
				held[m]++ // for good
			}
		}
		if held[m] == 0 {
			shallow = append(shallow, m)
		}
	}
	for len(shallow) > 0 {
		m := shallow[len(shallow)-1]
		shallow = shallow[:len(shallow)-1]
		delete(deep, m)
		for _, holder := range holders[m] {
			if held[holder]--; held[holder] == 0 {
				shallow = append(shallow, holder)
			}
		}
	}
	return deep
}
