package model

import (
	"cmp"
	"slices"
)

// The types of protobuf's wire.
const (
	WireVarint = iota
	WireFixed64
	WireBytes
	WireStartGroup
	WireEndGroup
	WireFixed32
)

// WireType is the type on protobuf's wire of a value of the field that stands alone:
// an element of a list, or the value of a map's entry.
func (f *Field) WireType() int {
	if f.Delimited {
		return WireStartGroup
	}
	return f.Type.WireType()
}

// WireType is the type on protobuf's wire of a value of the type.
func (t Type) WireType() int {
	if t.Encoding == Wrapped {
		return WireBytes
	}
	switch t.Kind {
	case KindFloat32:
		return WireFixed32
	case KindFloat64:
		return WireFixed64
	case KindInt32, KindUint32:
		if t.Encoding == Fixed {
			return WireFixed32
		}
		return WireVarint
	case KindInt64, KindUint64:
		if t.Encoding == Fixed {
			return WireFixed64
		}
		return WireVarint
	case KindBool, KindEnum:
		return WireVarint
	}
	return WireBytes
}

// FixedSize is how many bytes each value of the type takes on protobuf's wire, or 0
// where that differs.
func (t Type) FixedSize() int {
	switch t.WireType() {
	case WireFixed32:
		return 4
	case WireFixed64:
		return 8
	}
	return 0
}

// InParts says whether a value is a message on protobuf's wire but none in Go. What
// comes of it later is added to what came before.
func (t Type) InParts() bool { return t.Kind >= KindTime || t.Encoding == Wrapped }

// Packable says whether the field is a list whose values may come in one piece.
func (f *Field) Packable() bool { return f.Card == Repeated && f.WireType()&^1 != WireBytes }

// KeyType is the type of a map's keys.
func (f *Field) KeyType() Type { return Type{Kind: f.Key, Encoding: f.KeyEncoding} }

// ByNumber are the message's fields outside of oneofs by number. They stand on
// protobuf's wire in this order, and the oneofs behind them, as protobuf-go has it.
func (m *Message) ByNumber() []*Field {
	var fields []*Field
	for _, f := range m.Fields {
		if f.Oneof == nil {
			fields = append(fields, f)
		}
	}
	slices.SortFunc(fields, func(a, b *Field) int { return cmp.Compare(a.Number, b.Number) })
	return fields
}
