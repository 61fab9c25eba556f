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
	FieldRetired            = "FIELD_RETIRED"
	FieldRoleChanged        = "FIELD_ROLE_CHANGED"
	FieldTypeChanged        = "FIELD_TYPE_CHANGED"
	OneofChanged            = "ONEOF_CHANGED"
	MigrationChanged        = "MIGRATION_CHANGED"
	MigrationRemoved        = "MIGRATION_REMOVED"
	EnumValueAdded          = "ENUM_VALUE_ADDED"
	EnumValueNumberChanged  = "ENUM_VALUE_NUMBER_CHANGED"
	EnumValueNumberReused   = "ENUM_VALUE_NUMBER_REUSED"
	EnumValueRemoved        = "ENUM_VALUE_REMOVED"
	EnumValueRenamed        = "ENUM_VALUE_RENAMED"
	SinceMissing            = "SINCE_MISSING"
	TopicAdded              = "TOPIC_ADDED"
	TopicAddressChanged     = "TOPIC_ADDRESS_CHANGED"
	TopicPayloadChanged     = "TOPIC_PAYLOAD_CHANGED"
	TopicPrefixChanged      = "TOPIC_PREFIX_CHANGED"
	TopicRemoved            = "TOPIC_REMOVED"
	TopicRenamed            = "TOPIC_RENAMED"
	ImportNotCompared       = "IMPORT_NOT_COMPARED"
	JSONFormChanged         = "JSON_FORM_CHANGED"
	UnknownFieldsDropped    = "UNKNOWN_FIELDS_DROPPED"
	WaiverUnused            = "WAIVER_UNUSED"
)

// A Rule is a kind of change that is found.
type Rule struct {
	ID string
	// Summary says when there is such a finding, and on what it depends whom it breaks.
	Summary string
	// Backward are the codecs in which new code may lose what old code writes, and
	// Forward those in which old code may lose what new code writes.
	Backward, Forward Codecs
	// Mend is the change that would be safe, and Steps are what does what was wanted in
	// two releases.
	Mend  string
	Steps [2]string
	// Note says that it is worth knowing and breaks nobody.
	Note bool
}

// Rules returns all rules, in the order of the guide.
func Rules() []Rule {
	keySteps := [2]string{
		"write the former key and read both, with `former`, until this version",
		"raise the version, so that the new key is written",
	}
	fieldSteps := [2]string{
		"add a field with a number and a name of its own, write both, and read the new one where it is there",
		"drop the former field, and reserve its number and name",
	}
	nameSteps := [2]string{
		"write the former name and read both, with `former`, until this version",
		"raise the version, so that the new name is written",
	}
	topicSteps := [2]string{"publish and receive on both topics", "drop the former topic"}
	return []Rule{
		{
			ID: SchemaNotRaised, Summary: "The schema is another than the one on record under its version, or has a lower version than one on record.",
			Mend: "Raise the version, or, if it is not out yet, record it anew with `coordgen lock --amend`.",
		},
		{
			ID: MessageRemoved, Summary: "A message is gone that is part of no other and that no topic carries.",
			Backward: All, Mend: "Keep it for as long as a sender may send it.",
			Steps: [2]string{"keep the message, and no longer send it", "remove it"},
		},
		{
			ID: MessageRoleChanged, Summary: "A message means something else to the coordinator.",
			Backward: All, Forward: All, Mend: "Give the role to a new message, and send both for a time.",
			Steps: [2]string{"give the role to a new message, and send both", "drop the former message"},
		},
		{
			ID: FieldAddedRequired, Summary: "A new field is required. Protobuf notices it if the field has presence.",
			Backward: All, Mend: "Drop `required`, or add it when no sender of the old version is left.",
			Steps: [2]string{"add the field without required, and write it always", "make it required"},
		},
		{
			ID: FieldCardinalityChanged, Summary: "A field holds one value where it held many, or the reverse. Protobuf reads one value as a list of one.",
			Backward: All, Forward: All, Mend: "Add a field with a new number and name.",
			Steps: fieldSteps,
		},
		{
			ID: FieldDefaultChanged, Summary: "Where the field is absent, old and new code see different values. In protobuf so if the field has presence.",
			Backward: All, Forward: All, Mend: "Keep the default, and set the new value where the field is written.",
			Steps: [2]string{"keep the default, and write the field always", "change the default"},
		},
		{
			ID: FieldEncodingChanged, Summary: "A message within another became delimited, or no longer is.",
			Backward: Protobuf, Forward: Protobuf, Mend: "Encode it as before.",
			Steps: fieldSteps,
		},
		{
			ID: FieldKeyChanged, Summary: "A field has another key. A side that has the other one's key as an alias reads it.",
			Backward: keyed, Forward: keyed, Mend: "Write the former key for one release more, with `former`.",
			Steps: keySteps,
		},
		{
			ID: FieldKeyReused, Summary: "A field has or reads a key of another one, or of one that is gone.",
			Backward: keyed, Forward: keyed, Mend: "Give it another key.",
		},
		{
			ID: FieldMadeOptional, Summary: "A field that old code requires may be left out. Protobuf notices it if the field has presence.",
			Forward: All, Mend: "Keep it required until no instance requires it.",
			Steps: [2]string{"no longer require the field, and write it always", "leave it out where it is not needed"},
		},
		{
			ID: FieldMadeRequired, Summary: "A field that old code may leave out is required. Protobuf notices it if the field has presence.",
			Backward: All, Mend: "Drop `required` until no sender of the old version is left.",
			Steps: [2]string{"write the field always", "make it required"},
		},
		{
			ID: FieldNotReserved, Summary: "A field is gone, and its number and name are not reserved.",
			Mend: "Reserve both.", Note: true,
		},
		{
			ID: FieldNumberChanged, Summary: "A field has another number.",
			Backward: Protobuf, Forward: Protobuf, Mend: "Give it its number again.",
			Steps: fieldSteps,
		},
		{
			ID: FieldNumberReused, Summary: "A field has the number of another one, or of one that is gone.",
			Backward: Protobuf, Forward: Protobuf, Mend: "Give it a new number, and reserve the old one.",
		},
		{
			ID: FieldPresenceChanged, Summary: "A zero that the one side leaves out is, on the other, absent and so the default.",
			Backward: Protobuf, Forward: Protobuf, Mend: "Drop the default, or keep the field as it was.",
			Steps: [2]string{"keep the presence, and write the field always", "change the presence"},
		},
		{
			ID: FieldRemoved, Summary: "A field is gone that old code requires. Protobuf notices it if the field has presence.",
			Forward: All, Mend: "Keep it, no longer required, until no instance requires it.",
			Steps: [2]string{"keep the field, no longer required, and write it always", "remove it, and reserve its number and name"},
		},
		{
			ID: FieldRenamed, Summary: "A field has another name and with it another key. A side that has the other one's key as an alias reads it.",
			Backward: keyed, Forward: keyed, Mend: "Write the former key for one release more, with `former`.",
			Steps: keySteps,
		},
		{
			ID: FieldRetired, Summary: "A field is beyond its `until`, so that old code sees its zero or default where new code no longer sets it.",
			Mend: "Upgrade the subscribers first, or write at the fleet's lowest version.", Note: true,
		},
		{
			ID: FieldRoleChanged, Summary: "A field means something else to the coordinator.",
			Backward: All, Forward: All, Mend: "Give the role to a new field, and send both for a time.",
			Steps: fieldSteps,
		},
		{
			ID: FieldTypeChanged, Summary: "A field's values, or the keys of a map, have a type that does not read all of them as they were.",
			Backward: All, Forward: All, Mend: "Add a field of the new type with a new number and name.",
			Steps: fieldSteps,
		},
		{
			ID: OneofChanged, Summary: "Fields joined or left a oneof, so that one side sets two where the other takes one.",
			Backward: All, Forward: All, Mend: "Leave the fields as they were, and put new ones into the oneof or beside it.",
			Steps: fieldSteps,
		},
		{
			ID: MigrationChanged, Summary: "A migration is for another version, so that messages of those between are not migrated, or are twice; or it is no longer reversible.",
			Backward: All, Forward: All, Mend: "Leave the migration as it was, and make another change by another one.",
			Steps: [2]string{"leave the migration as it was", "change it, if nothing of before its version is left"},
		},
		{
			ID: MigrationRemoved, Summary: "A migration is gone, so that messages from before it are misread, and are not made for those who read them.",
			Backward: All, Forward: All, Mend: "Keep it until nothing of before its version is left.",
			Steps: [2]string{"keep the migration", "remove it, if nothing of before its version is left"},
		},
		{
			ID: EnumValueAdded, Summary: "An enum has a new value. Old code keeps it without knowing it.",
			Mend: "Upgrade the subscribers first, if they are to act on it.", Note: true,
		},
		{
			ID: EnumValueNumberChanged, Summary: "A value of an enum has another number. If one of the two is zero, an absent field means another value in all codecs.",
			Backward: All, Forward: All, Mend: "Give it its number again.",
			Steps: [2]string{"add a value with the new number, and take both for the same", "write the new value, and drop the former one"},
		},
		{
			ID: EnumValueNumberReused, Summary: "A value of an enum has the number of one that is gone.",
			Backward: Protobuf, Forward: Protobuf, Mend: "Give it a new number, and reserve the old one.",
		},
		{
			ID: EnumValueRemoved, Summary: "A value of an enum, or another name of one, is gone. Code can write any name of a number, where it sets that one.",
			Backward: All, Mend: "Keep it for as long as a sender may send it, then reserve its number and name.",
			Steps: [2]string{"keep the value, and no longer write it", "remove it, and reserve its number and name"},
		},
		{
			ID: EnumValueRenamed, Summary: "A value of an enum has another name on the wire. A side that has the other one's name as an alias reads it.",
			Backward: keyed, Forward: keyed, Mend: "Write the former name for one release more, with `former`.",
			Steps: nameSteps,
		},
		{
			ID: SinceMissing, Summary: "A field, a value or a topic is new, and does not say since which version it is there, so that publishers write it at versions that lack it.",
			Mend: "Say it with `since`.", Note: true,
		},
		{
			ID: TopicAdded, Summary: "A topic is new.",
			Mend: "Upgrade the subscribers first.", Note: true,
		},
		{
			ID: TopicAddressChanged, Summary: "A topic is addressed by another field, or became a broadcast, or no longer is one.",
			Backward: All, Forward: All, Mend: "Add a topic for what is addressed otherwise.",
			Steps: topicSteps,
		},
		{
			ID: TopicPayloadChanged, Summary: "A topic carries another message, of which no more than the name is known.",
			Backward: All, Forward: All, Mend: "Add a topic for the other message.",
			Steps: topicSteps,
		},
		{
			ID: TopicPrefixChanged, Summary: "All topics of a service have another prefix.",
			Backward: All, Forward: All, Mend: "Keep the prefix, or give new topics to a new service.",
			Steps: topicSteps,
		},
		{
			ID: TopicRemoved, Summary: "A topic is gone.",
			Backward: All, Mend: "Keep it until no old publisher is left.",
			Steps: [2]string{"receive on the topic, and no longer publish on it", "remove it"},
		},
		{
			ID: TopicRenamed, Summary: "A topic has another name.",
			Backward: All, Forward: All, Mend: "Keep the name, or add a topic beside it.",
			Steps: topicSteps,
		},
		{
			ID: ImportNotCompared, Summary: "What an imported file was is not on record, so that its messages and enums were not compared.",
			Mend: "Run `coordgen lock` for it, too.",
		},
		{
			ID: JSONFormChanged, Summary: "The JSON of a file is protojson's, and was not, or the reverse: other keys, other names of enum values, other shapes of some types.",
			Backward: JSON, Forward: JSON, Mend: "Keep the form, or give new messages in a file of their own the other one.",
			Steps: topicSteps,
		},
		{
			ID: UnknownFieldsDropped, Summary: "Messages no longer keep the fields that the schema lacks, so that code which passes them on loses those.",
			Mend: "Keep them, where messages are passed on.", Note: true,
		},
		{
			ID: WaiverUnused, Summary: "A waiver covers nothing, or names no rule.",
			Mend: "Remove it.", Note: true,
		},
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
