package load

import (
	"slices"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/coordgen/coordgen/internal/model"
)

// The rule of a field's key on the wire
//
// It is the one that the option (coordgen.field).name gives, else the json_name
// that the schema gives, else the field's name as it stands in the schema. A
// json_name that is the one protobuf would make of the name counts as not given. In
// a file of protojson's form it is the json_name, given or made, and the field's
// name is an alias.

// maxKey is the length of the longest key, in bytes, that all formats carry.
const maxKey = 1<<16 - 1

// fields fills in what the fields of a message are.
func (b *builder) fields(m *message) {
	for _, f := range m.fields {
		b.fieldType(f)
		if m.File.Protojson {
			b.protojsonField(f)
		}
		f.WasRequired = f.Required || f.o.flag("required")
		f.Sensitive = f.o.flag("sensitive") || redacted(f.d)
		f.Since, f.Until = b.version(f.d, b.vocabulary.field, f.o)
		f.Waivers = b.waivers(f.d, b.vocabulary.field, f.o)
		f.Required = f.WasRequired && !f.File.Retired(f.Until)
		if f.WasRequired && f.Oneof != nil {
			b.errorf(b.optionPos(f.d, b.vocabulary.field, "required"), "%s is a member of oneof %q and can't be required, since another member may be set; drop required", what(f.d), f.Oneof.Name)
		}
	}
	b.keys(m)
	for _, f := range m.fields {
		b.defaultValue(f)
	}
}

// asText says whether the field has the standard option by which an integer of 64
// bits is text for readers that have floats only.
func asText(d protoreflect.FieldDescriptor) bool {
	o, ok := d.Options().(interface {
		GetJstype() descriptorpb.FieldOptions_JSType
	})
	return ok && o.GetJstype() == descriptorpb.FieldOptions_JS_STRING
}

// redacted says whether the field has the standard option by which protobuf keeps
// it out of debugging output.
func redacted(d protoreflect.FieldDescriptor) bool {
	o, ok := d.Options().(interface{ GetDebugRedact() bool })
	return ok && o.GetDebugRedact()
}

// keys gives the fields their keys and checks that no two meet, aliases
// included.
func (b *builder) keys(m *message) {
	x := b.vocabulary.field
	taken := map[string]field{}
	for _, f := range m.fields {
		p := f.Pos
		switch name := f.o.text("name"); {
		case name != "":
			f.Wire, p = name, b.optionPos(f.d, x, "name")
		case m.File.Protojson:
			f.Wire = f.d.JSONName()
		case f.d.JSONName() != defaultJSONName(f.Name):
			f.Wire = f.d.JSONName()
		default:
			f.Wire = f.Name
		}
		if !utf8.ValidString(f.Wire) {
			b.errorf(p, "%s has the key %q, which is no UTF-8; give it another", what(f.d), f.Wire)
			continue
		}
		if len(f.Wire) > maxKey {
			b.errorf(p, "%s has a key of %d bytes; the longest that can be written has %d", what(f.d), len(f.Wire), maxKey)
		}
		if other, ok := taken[f.Wire]; ok {
			b.errorf(p, "%s has the key %q on the wire, as has %s (%s); give one of them another %s", what(f.d), f.Wire, what(other.d), other.Pos, keyOption(m))
			continue
		}
		taken[f.Wire] = f
	}
	b.reservedKeys(m)
	if m.File.Protojson {
		textNames(m, taken)
	}
	for _, f := range m.fields {
		var read []spelling
		natural := f.Wire
		f.Wire, f.Former, read = b.formerly(f.d, x, f.o, natural)
		for _, alias := range read {
			other, ok := taken[alias.name]
			switch {
			case alias.name == "":
				b.errorf(alias.pos, "%s has an empty alias; drop it", what(f.d))
			case len(alias.name) > maxKey:
				b.errorf(alias.pos, "%s has an alias of %d bytes; the longest key has %d", what(f.d), len(alias.name), maxKey)
			case ok && other.d == f.d && m.File.Protojson && alias.former && alias.name == f.d.TextName():
				// protojson reads it anyway.
			case ok && other.d == f.d && alias.name == natural:
				b.errorf(alias.pos, "%s has its own key %q as an alias; drop it", what(f.d), alias.name)
			case ok && other.d == f.d:
				b.errorf(alias.pos, "%s has the alias %q twice; drop one", what(f.d), alias.name)
			case ok && other.Wire == alias.name && alias.former:
				b.errorf(other.Pos, "%s has the key %q, which %s had before (%s) and still reads; give it another name", what(other.d), alias.name, what(f.d), f.Pos)
			case ok && other.Wire == alias.name:
				b.errorf(alias.pos, "%s has the alias %q, which is the key of %s (%s); drop the alias", what(f.d), alias.name, what(other.d), other.Pos)
			case ok:
				b.errorf(alias.pos, "%s has the alias %q, as has %s (%s); drop one of them", what(f.d), alias.name, what(other.d), other.Pos)
			default:
				taken[alias.name] = f
			}
			if !slices.Contains(f.Aliases, alias.name) {
				f.Aliases = append(f.Aliases, alias.name)
			}
		}
		if f.Wire != natural {
			f.Aliases = append(slices.DeleteFunc(f.Aliases, func(name string) bool { return name == f.Wire }), natural)
		}
	}
}

// defaultJSONName is the json_name that protobuf makes of a field's name.
func defaultJSONName(name string) string {
	var out strings.Builder
	up := false
	for _, c := range name {
		switch {
		case c == '_':
			up = true
			continue
		case up && isSmall(c):
			c -= 'a' - 'A'
		}
		up = false
		out.WriteRune(c)
	}
	return out.String()
}

// fieldType fills in a field's type and how many values it holds.
func (b *builder) fieldType(f field) {
	value := f.d
	switch {
	case f.d.IsMap():
		f.Card, f.Key, f.KeyEncoding = model.Mapped, scalarKind(f.d.MapKey().Kind()), encoding(f.d.MapKey().Kind())
		value = f.d.MapValue()
	case f.d.IsList():
		f.Card = model.Repeated
	}
	f.Delimited = value.Kind() == protoreflect.GroupKind
	f.Packed, f.Presence = f.d.IsPacked(), f.d.HasPresence()
	f.Type = b.valueType(f, value)
	wrapper := f.Type.Encoding == model.Wrapped
	if f.Card != model.Single || f.Oneof != nil {
		return
	}
	switch {
	case f.d.Cardinality() == protoreflect.Required:
		f.Required = true
		if wrapper {
			f.Card = model.Optional
		}
	case f.Type.Kind == model.KindMessage:
	case wrapper:
		f.Card = model.Optional
	case f.d.Message() != nil:
		// Absence is the zero value, unless the schema asks to tell them apart.
		if f.d.ParentFile().Syntax() == protoreflect.Proto3 && f.d.HasOptionalKeyword() {
			f.Card = model.Optional
		}
	case f.d.HasPresence():
		f.Card = model.Optional
	}
}

// valueType is the type of a field's values.
func (b *builder) valueType(f field, d protoreflect.FieldDescriptor) model.Type {
	switch d.Kind() {
	case protoreflect.EnumKind:
		if e := b.enums[d.Enum().FullName()]; e != nil {
			b.usable(b.byPath[f.d.ParentFile().Path()], d.Enum(), f.Pos)
			return model.Type{Kind: model.KindEnum, Enum: e.Enum}
		}
		b.noType(f, d.Enum())
		return model.Type{Kind: model.KindEnum}
	case protoreflect.MessageKind, protoreflect.GroupKind:
		switch k, wrapper := kindOf(d.Message()); {
		case wrapper:
			return model.Type{Kind: k, Encoding: model.Wrapped}
		case k != model.KindMessage:
			return model.Type{Kind: k}
		}
		if m := b.messages[d.Message().FullName()]; m != nil {
			b.usable(b.byPath[f.d.ParentFile().Path()], d.Message(), f.Pos)
			return model.Type{Kind: model.KindMessage, Message: m.Message}
		}
		b.noType(f, d.Message())
		return model.Type{Kind: model.KindMessage}
	}
	t := model.Type{Kind: scalarKind(d.Kind()), Encoding: encoding(d.Kind())}
	t.Quoted = asText(f.d) && (t.Kind == model.KindInt64 || t.Kind == model.KindUint64)
	return t
}

// noType reports a type of which the schema is not there.
func (b *builder) noType(f field, d protoreflect.Descriptor) {
	b.errorf(f.Pos, "%s has the type %q, of which the schema is not there; import its file", what(f.d), d.FullName())
}

// scalarKind is the kind of a type that is neither enum nor message.
func scalarKind(k protoreflect.Kind) model.Kind {
	switch k {
	case protoreflect.BoolKind:
		return model.KindBool
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return model.KindInt32
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return model.KindInt64
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return model.KindUint32
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return model.KindUint64
	case protoreflect.FloatKind:
		return model.KindFloat32
	case protoreflect.DoubleKind:
		return model.KindFloat64
	case protoreflect.BytesKind:
		return model.KindBytes
	}
	return model.KindString
}

// encoding is how protobuf's wire has values of the type.
func encoding(k protoreflect.Kind) model.Encoding {
	switch k {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		return model.Zigzag
	case protoreflect.Fixed32Kind, protoreflect.Fixed64Kind, protoreflect.Sfixed32Kind, protoreflect.Sfixed64Kind:
		return model.Fixed
	}
	return model.Plain
}
