package load

import (
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// required returns the roles that the coordinator can't do without.
func required(r model.Role) []model.FieldRole {
	switch r {
	case model.Heartbeat:
		return []model.FieldRole{model.InstanceID, model.SentAt, model.Work}
	case model.Shutdown:
		return []model.FieldRole{model.InstanceID, model.Intent, model.SentAt, model.Deadline}
	case model.Assignment:
		return []model.FieldRole{model.Target, model.InstanceID, model.Work, model.SentAt}
	}
	return nil
}

// fits says whether a field can have the role, and what one that can is.
func fits(f *model.Field, r model.FieldRole) (want string, ok bool) {
	kind := f.Type.Kind
	single := f.Oneof == nil && (f.Card == model.Single || f.Card == model.Optional && mayBeAbsent(r))
	switch r {
	case model.InstanceID, model.Target:
		return "a string", single && kind == model.KindString
	case model.SentAt, model.Deadline:
		return "a google.protobuf.Timestamp", single && kind == model.KindTime
	case model.Work:
		return "a repeated string", f.Card == model.Repeated && kind == model.KindString
	case model.InFlight, model.Priority, model.SchemaVersion:
		switch kind {
		case model.KindInt32, model.KindInt64, model.KindUint32, model.KindUint64:
			return "an integer", single
		}
		return "an integer", false
	case model.Incarnation:
		return "an int64", single && kind == model.KindInt64
	case model.Term:
		return "a uint64", single && kind == model.KindUint64
	case model.IsLeader:
		return "a bool", single && kind == model.KindBool
	case model.Load:
		return "a double or a float", single && (kind == model.KindFloat64 || kind == model.KindFloat32)
	case model.Intent:
		return "an enum or a string", single && (kind == model.KindEnum || kind == model.KindString)
	case model.Metadata:
		return "a google.protobuf.Struct", single && kind == model.KindStruct
	}
	return "", false
}

// mayBeAbsent says whether an optional field can have the role. These came with the
// second version of the built-in schema, and a message without them is as good.
func mayBeAbsent(r model.FieldRole) bool {
	return r == model.SchemaVersion || r == model.Incarnation || r == model.Term
}

// roles fills in the role of a message and those of its fields: by option, else
// by the names that the built-in message of that role has.
func (b *builder) roles(m *message) {
	x := b.vocabulary.message
	o, err := x.of(m.d)
	if err != nil {
		b.errorf(b.optionPos(m.d, x, ""), "option (coordgen.message) can't be read: %v", err)
	}
	m.Role = model.Role(o.number("role"))
	m.Waivers = b.waivers(m.d, x, o)
	pattern, known := b.vocabulary.roles[m.Role]
	if m.Role != model.NoRole && !known {
		b.unknownValue(m.d, x, "role", int(m.Role))
		return
	}
	have := b.givenRoles(m, pattern)
	if m.Role == model.NoRole {
		return
	}
	for _, f := range m.fields {
		r := pattern.fields[f.Name]
		if f.Role != model.NoFieldRole || r == model.NoFieldRole {
			continue
		}
		if _, taken := have[r]; taken {
			continue
		}
		if want, ok := fits(f.Field, r); !ok {
			b.warnf(f.d, f.Pos, "%s is named like the field with role %s of %s, which is %s, but it is none, so the role is not given to it", what(f.d), b.roleName(r), pattern.message, want)
			continue
		}
		f.Role, have[r] = r, f
	}
	for _, r := range required(m.Role) {
		if _, ok := have[r]; !ok {
			b.errorf(b.optionPos(m.d, x, "role"), "%s has role %s, but no field with role %s; add one such as `%s`, or give the role to a field that means it",
				what(m.d), b.messageRoleName(m.Role), b.roleName(r), pattern.declared[r])
		}
	}
}

// givenRoles reads the roles that options give to the fields of a message.
func (b *builder) givenRoles(m *message, pattern roleModel) map[model.FieldRole]field {
	x := b.vocabulary.field
	have := map[model.FieldRole]field{}
	for _, f := range m.fields {
		r := model.FieldRole(f.o.number("role"))
		if r == model.NoFieldRole {
			continue
		}
		p := b.optionPos(f.d, x, "role")
		want, fit := fits(f.Field, r)
		other, taken := have[r]
		switch {
		case want == "":
			b.unknownValue(f.d, x, "role", int(r))
		case m.Role == model.NoRole && r == model.SchemaVersion && fit && f.Card == model.Single && !taken:
			f.Role, f.Stamp, have[r] = r, true, f
			if f.Required || f.Default != "" {
				b.errorf(p, "%s has role SCHEMA_VERSION, and is required or has a default, but a message without it is one of version 1; drop that", what(f.d))
			}
		case m.Role == model.NoRole && r == model.SchemaVersion:
			b.errorf(p, "%s has role SCHEMA_VERSION, which in a message without a role only one field can have, an integer that is neither optional nor in a oneof", what(f.d))
		case m.Role == model.NoRole:
			b.errorf(p, "%s has role %s, but its message has none; give the message option (coordgen.message) = { role: ... }, or drop the field's", what(f.d), b.roleName(r))
		case pattern.declared[r] == "":
			b.errorf(p, "%s has role %s, which means nothing in a message with role %s; the roles there are %s", what(f.d), b.roleName(r), b.messageRoleName(m.Role), b.roleNames(pattern))
		case taken:
			b.errorf(p, "%s has role %s, as has %s (%s); only one field can", what(f.d), b.roleName(r), what(other.d), other.Pos)
		case !fit:
			have[r] = f
			optional := ", not optional,"
			if mayBeAbsent(r) {
				optional = ""
			}
			b.errorf(p, "%s has role %s, which only %s outside of a oneof%s can have", what(f.d), b.roleName(r), want, optional)
		default:
			f.Role, have[r] = r, f
		}
	}
	return have
}

func (b *builder) roleName(r model.FieldRole) string {
	return b.vocabulary.field.valueName("role", int(r))
}

func (b *builder) messageRoleName(r model.Role) string {
	return b.vocabulary.message.valueName("role", int(r))
}

// roleNames lists the roles that fields of a message like pattern can have.
func (b *builder) roleNames(pattern roleModel) string {
	var names []string
	for r := model.NoFieldRole + 1; b.roleName(r) != ""; r++ {
		if pattern.declared[r] != "" {
			names = append(names, b.roleName(r))
		}
	}
	return strings.Join(names, ", ")
}
