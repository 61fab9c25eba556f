package model

// How the elements of a schema are called in a schema.

// String is the role as the vocabulary spells it, or "".
func (r Role) String() string {
	return map[Role]string{Heartbeat: "HEARTBEAT", Shutdown: "SHUTDOWN", Assignment: "ASSIGNMENT"}[r]
}

// String is the role as the vocabulary spells it, or "".
func (r FieldRole) String() string {
	return map[FieldRole]string{
		InstanceID: "INSTANCE_ID", SentAt: "SENT_AT", Work: "WORK", InFlight: "IN_FLIGHT",
		IsLeader: "IS_LEADER", Load: "LOAD", Intent: "INTENT", Deadline: "DEADLINE",
		Metadata: "METADATA", Target: "TARGET", Priority: "PRIORITY",
		SchemaVersion: "SCHEMA_VERSION", Incarnation: "INCARNATION", Term: "TERM",
	}[r]
}

// A typeName is a type that is neither message nor enum, and its name.
type typeName struct {
	name string
	of   Type
}

func typeNames() []typeName {
	return []typeName{
		{"bool", Type{Kind: KindBool}},
		{"int32", Type{Kind: KindInt32}},
		{"sint32", Type{Kind: KindInt32, Encoding: Zigzag}},
		{"sfixed32", Type{Kind: KindInt32, Encoding: Fixed}},
		{"int64", Type{Kind: KindInt64}},
		{"sint64", Type{Kind: KindInt64, Encoding: Zigzag}},
		{"sfixed64", Type{Kind: KindInt64, Encoding: Fixed}},
		{"uint32", Type{Kind: KindUint32}},
		{"fixed32", Type{Kind: KindUint32, Encoding: Fixed}},
		{"uint64", Type{Kind: KindUint64}},
		{"fixed64", Type{Kind: KindUint64, Encoding: Fixed}},
		{"float", Type{Kind: KindFloat32}},
		{"double", Type{Kind: KindFloat64}},
		{"string", Type{Kind: KindString}},
		{"bytes", Type{Kind: KindBytes}},
		{"google.protobuf.BoolValue", Type{Kind: KindBool, Encoding: Wrapped}},
		{"google.protobuf.Int32Value", Type{Kind: KindInt32, Encoding: Wrapped}},
		{"google.protobuf.Int64Value", Type{Kind: KindInt64, Encoding: Wrapped}},
		{"google.protobuf.UInt32Value", Type{Kind: KindUint32, Encoding: Wrapped}},
		{"google.protobuf.UInt64Value", Type{Kind: KindUint64, Encoding: Wrapped}},
		{"google.protobuf.FloatValue", Type{Kind: KindFloat32, Encoding: Wrapped}},
		{"google.protobuf.DoubleValue", Type{Kind: KindFloat64, Encoding: Wrapped}},
		{"google.protobuf.StringValue", Type{Kind: KindString, Encoding: Wrapped}},
		{"google.protobuf.BytesValue", Type{Kind: KindBytes, Encoding: Wrapped}},
		{"google.protobuf.Timestamp", Type{Kind: KindTime}},
		{"google.protobuf.Duration", Type{Kind: KindDuration}},
		{"google.protobuf.Struct", Type{Kind: KindStruct}},
		{"google.protobuf.Value", Type{Kind: KindValue}},
		{"google.protobuf.ListValue", Type{Kind: KindListValue}},
	}
}

// String is the type as a schema writes it.
func (t Type) String() string {
	switch {
	case t.Message != nil:
		return t.Message.Name
	case t.Enum != nil:
		return t.Enum.Name
	}
	for _, n := range typeNames() {
		if n.of.Kind == t.Kind && n.of.Encoding == t.Encoding {
			return n.name
		}
	}
	return ""
}

// ParseType returns the type with that name, which is neither message nor enum.
func ParseType(name string) (Type, bool) {
	for _, n := range typeNames() {
		if n.name == name {
			return n.of, true
		}
	}
	return Type{}, false
}

// TypeText is the type of the field's values and how many it holds, as a schema
// writes it.
func (f *Field) TypeText() string {
	switch f.Card {
	case Optional:
		if f.Type.Encoding != Wrapped {
			return "optional " + f.Type.String()
		}
	case Repeated:
		return "repeated " + f.Type.String()
	case Mapped:
		return "map<" + f.KeyType().String() + ", " + f.Type.String() + ">"
	case Single:
	}
	return f.Type.String()
}
