package compat

// The ids of the rules. They do not change: waivers name them.
const (
	SchemaNotRaised         = "SCHEMA_NOT_RAISED"
	MessageRemoved          = "MESSAGE_REMOVED"
	MessageRoleChanged      = "MESSAGE_ROLE_CHANGED"
	FieldAddedRequired      = "FIELD_ADDED_REQUIRED"
	FieldCardinalityChanged = "FIELD_CARDINALITY_CHANGED"
	FieldDefaultChanged     = "FIELD_DEFAULT_CHANGED"
	FieldEncodingChanged    = "FIELD_ENCODING_CHANGED"
	FieldKeyChanged         = "FIELD_KEY_CHANGED"
	FieldKeyReused          = "FIELD_KEY_REUSED"
	FieldMadeOptional       = "FIELD_MADE_OPTIONAL"
	FieldMadeRequired       = "FIELD_MADE_REQUIRED"
	FieldNotReserved        = "FIELD_NOT_RESERVED"
	FieldNumberChanged      = "FIELD_NUMBER_CHANGED"
	FieldNumberReused       = "FIELD_NUMBER_REUSED"
	FieldPresenceChanged    = "FIELD_PRESENCE_CHANGED"
	FieldRemoved            = "FIELD_REMOVED"
	FieldRenamed            = "FIELD_RENAMED"
	FieldRoleChanged        = "FIELD_ROLE_CHANGED"
	FieldTypeChanged        = "FIELD_TYPE_CHANGED"
	OneofChanged            = "ONEOF_CHANGED"
	EnumValueAdded          = "ENUM_VALUE_ADDED"
	EnumValueNumberChanged  = "ENUM_VALUE_NUMBER_CHANGED"
	EnumValueNumberReused   = "ENUM_VALUE_NUMBER_REUSED"
	EnumValueRemoved        = "ENUM_VALUE_REMOVED"
	EnumValueRenamed        = "ENUM_VALUE_RENAMED"
	TopicAdded              = "TOPIC_ADDED"
	TopicAddressChanged     = "TOPIC_ADDRESS_CHANGED"
	TopicPrefixChanged      = "TOPIC_PREFIX_CHANGED"
	TopicRemoved            = "TOPIC_REMOVED"
	TopicRenamed            = "TOPIC_RENAMED"
	WaiverUnused            = "WAIVER_UNUSED"
)

// A Rule is a kind of change that is found.
type Rule struct {
	ID string
	// Breaks says who can't read whom, and in which codecs.
	Breaks string
	// Summary says when there is such a finding.
	Summary string
	// Note says that it is worth knowing and breaks nobody.
	Note bool
}

const (
	backward   = "new code can't read old messages"
	forward    = "old code can't read new messages"
	both       = "neither reads the other's messages"
	either     = "one or both, by codec"
	inAll      = ", in all codecs"
	inKeyed    = ", in JSON and msgpack"
	inProtobuf = ", in protobuf"
)

// Rules returns all rules, in the order of the guide.
func Rules() []Rule {
	return []Rule{
		{ID: SchemaNotRaised, Breaks: "nobody knows which of two schemas a version means", Summary: "The schema is another than the one on record under its version, or has a lower version than one on record."},
		{ID: MessageRemoved, Breaks: backward + inAll, Summary: "A message is gone that is part of no other and that no topic carries."},
		{ID: MessageRoleChanged, Breaks: both + inAll, Summary: "A message means something else to the coordinator."},
		{ID: FieldAddedRequired, Breaks: backward + inKeyed + "; in protobuf if the field has presence", Summary: "A new field is required."},
		{ID: FieldCardinalityChanged, Breaks: either, Summary: "A field holds one value where it held many, or the reverse. Protobuf reads one as a list of one."},
		{ID: FieldDefaultChanged, Breaks: both + inKeyed + "; in protobuf if the field has presence", Summary: "Where the field is absent, old and new code see different values."},
		{ID: FieldEncodingChanged, Breaks: both + inProtobuf, Summary: "A message within another became a group, or the reverse."},
		{ID: FieldKeyChanged, Breaks: either + inKeyed, Summary: "A field has another key, without an alias for the former one."},
		{ID: FieldKeyReused, Breaks: both + inKeyed, Summary: "A field has the key of another one, or of one that is gone."},
		{ID: FieldMadeOptional, Breaks: forward + inKeyed + "; in protobuf if the field has presence", Summary: "A field that old code requires may be left out."},
		{ID: FieldMadeRequired, Breaks: backward + inKeyed + "; in protobuf if the field has presence", Summary: "A field that old code may leave out is required."},
		{ID: FieldNotReserved, Summary: "A field is gone, and its number and name are not reserved.", Note: true},
		{ID: FieldNumberChanged, Breaks: both + inProtobuf, Summary: "A field has another number."},
		{ID: FieldNumberReused, Breaks: both + inProtobuf, Summary: "A field has the number of another one, or of one that is gone."},
		{ID: FieldPresenceChanged, Breaks: either + inProtobuf, Summary: "A zero that the one side leaves out is, on the other, absent and so the default."},
		{ID: FieldRemoved, Breaks: forward + inKeyed + "; in protobuf if the field has presence", Summary: "A field is gone that old code requires."},
		{ID: FieldRenamed, Breaks: either + inKeyed, Summary: "A field has another name and with it another key, without an alias for the former one."},
		{ID: FieldRoleChanged, Breaks: both + inAll, Summary: "A field means something else to the coordinator."},
		{ID: FieldTypeChanged, Breaks: either, Summary: "A field's values, or the keys of a map, are of a type in which not all of them are read as they were."},
		{ID: OneofChanged, Breaks: either, Summary: "Fields joined or left a oneof, so that one side sets two where the other takes one."},
		{ID: EnumValueAdded, Summary: "An enum has a new value. Old code keeps it without knowing it.", Note: true},
		{ID: EnumValueNumberChanged, Breaks: both + inProtobuf, Summary: "A value of an enum has another number."},
		{ID: EnumValueNumberReused, Breaks: both + inProtobuf, Summary: "A value of an enum has the number of one that is gone."},
		{ID: EnumValueRemoved, Breaks: backward + inAll, Summary: "A value of an enum is gone."},
		{ID: EnumValueRenamed, Breaks: either + inKeyed, Summary: "A value of an enum has another name on the wire, without an alias for the former one."},
		{ID: TopicAdded, Summary: "A topic is new.", Note: true},
		{ID: TopicAddressChanged, Breaks: both + inAll, Summary: "A topic is addressed by another field, or became a broadcast, or no longer is one."},
		{ID: TopicPrefixChanged, Breaks: both + inAll, Summary: "All topics of a service have another prefix."},
		{ID: TopicRemoved, Breaks: backward + inAll, Summary: "A topic is gone."},
		{ID: TopicRenamed, Breaks: both + inAll, Summary: "A topic has another name."},
		{ID: WaiverUnused, Summary: "A waiver covers nothing, or names no rule.", Note: true},
	}
}

// rule returns the rule with that id.
func rule(id string) Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return Rule{}
}
