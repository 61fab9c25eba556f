package load

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/coordgen/coordgen/internal/model"
)

// A vocabulary is what this version of coordgen understands of options, and
// what the roles mean, both read off the schemas that it carries with it.
type vocabulary struct {
	schema, message, field, value, namespace, topic, callback extension
	// roles are the built-in messages by their role.
	roles map[model.Role]roleModel
}

// An extension is one custom option.
type extension struct {
	number  protoreflect.FieldNumber
	message protoreflect.MessageDescriptor
}

// A roleModel is the built-in message with a role: the names by which the role's
// fields are found, and what to suggest to someone who lacks one.
type roleModel struct {
	rpc, topic string
	message    protoreflect.FullName
	fields     map[string]model.FieldRole
	// declared says how the field of a role is declared, as "string instance_id".
	declared map[model.FieldRole]string
}

// builtin compiles the schemas that coordgen carries. They never change, so once
// is enough.
var builtin = sync.OnceValues(func() (*vocabulary, error) {
	c := compilation{sources: carried()}
	files, err := c.run(context.Background(), []string{vocabularyPath, coordinationPath})
	if err != nil || len(c.errs) > 0 {
		return nil, fmt.Errorf("built-in schema: %w", errors.Join(err, Errors(c.errs)))
	}
	options, coordination := files[0], files[1]
	option := func(name protoreflect.Name) extension {
		d := options.Extensions().ByName(name)
		return extension{number: d.Number(), message: d.Message()}
	}
	v := &vocabulary{
		schema: option("schema"), message: option("message"), field: option("field"), value: option("value"),
		namespace: option("namespace"), topic: option("topic"), callback: option("callback"),
	}
	return v, v.readRoles(coordination)
})

// readRoles notes which message of the built-in schema has which role, and which
// of its fields.
func (v *vocabulary) readRoles(coordination protoreflect.FileDescriptor) error {
	v.roles = map[model.Role]roleModel{}
	for m := range all(coordination.Messages()) {
		o, err := v.message.of(m)
		if err != nil {
			return err
		}
		r := roleModel{
			message:  m.FullName(),
			fields:   map[string]model.FieldRole{},
			declared: map[model.FieldRole]string{},
		}
		for f := range all(m.Fields()) {
			o, err := v.field.of(f)
			if err != nil {
				return err
			}
			role := model.FieldRole(o.number("role"))
			r.fields[string(f.Name())] = role
			r.declared[role] = typeText(f) + " " + string(f.Name())
		}
		v.roles[model.Role(o.number("role"))] = r
	}
	for s := range all(coordination.Services()) {
		for rpc := range all(s.Methods()) {
			o, err := v.topic.of(rpc)
			if err != nil {
				return err
			}
			for role, r := range v.roles {
				if o.set() && r.message == rpc.Input().FullName() {
					r.rpc, r.topic = string(rpc.Name()), o.text("name")
					v.roles[role] = r
				}
			}
		}
	}
	return nil
}

// typeText is a field's type as the schema writes it.
func typeText(f protoreflect.FieldDescriptor) string {
	text := f.Kind().String()
	switch {
	case f.Message() != nil:
		text = string(f.Message().FullName())
	case f.Enum() != nil:
		text = string(f.Enum().FullName())
	}
	if f.IsList() {
		return "repeated " + text
	}
	return text
}

// of reads the option of an element. It works on the option's bytes, so it does
// not matter whether the compiler knew the option, nor by which of its copies.
func (e extension) of(d protoreflect.Descriptor) (option, error) {
	if !d.Options().ProtoReflect().IsValid() {
		return option{}, nil
	}
	raw, err := proto.MarshalOptions{AllowPartial: true}.Marshal(d.Options())
	if err != nil {
		// protobuf's own text differs from build to build, on purpose.
		return option{}, errors.New("a text in it is no UTF-8")
	}
	var value []byte
	found := false
	for len(raw) > 0 {
		number, typ, n := protowire.ConsumeTag(raw)
		if n < 0 {
			return option{}, protowire.ParseError(n)
		}
		size := protowire.ConsumeFieldValue(number, typ, raw[n:])
		if size < 0 {
			return option{}, protowire.ParseError(size)
		}
		if number == e.number && typ == protowire.BytesType {
			part, _ := protowire.ConsumeBytes(raw[n:])
			value, found = append(value, part...), true
		}
		raw = raw[n+size:]
	}
	if !found {
		return option{}, nil
	}
	m := dynamicpb.NewMessage(e.message)
	if proto.Unmarshal(value, m) != nil {
		// protobuf's own text differs from build to build, on purpose.
		return option{}, fmt.Errorf("it is no %s", e.message.FullName())
	}
	return option{m}, nil
}

// An option is the value of a custom option, or none, of which every field has
// its zero value.
type option struct{ value *dynamicpb.Message }

func (o option) set() bool { return o.value != nil }

func (o option) get(name protoreflect.Name) protoreflect.Value {
	return o.value.Get(o.value.Descriptor().Fields().ByName(name))
}

func (o option) text(name protoreflect.Name) string {
	if !o.set() {
		return ""
	}
	return o.get(name).String()
}

func (o option) flag(name protoreflect.Name) bool { return o.set() && o.get(name).Bool() }

// number returns an integer or the number of an enum's value.
func (o option) number(name protoreflect.Name) int {
	if !o.set() {
		return 0
	}
	switch v := o.get(name).Interface().(type) {
	case protoreflect.EnumNumber:
		return int(v)
	case uint32:
		return int(v)
	}
	return 0
}

func (o option) list(name protoreflect.Name) []string {
	if !o.set() {
		return nil
	}
	var texts []string
	for i, l := 0, o.get(name).List(); i < l.Len(); i++ {
		texts = append(texts, l.Get(i).String())
	}
	return texts
}

// messages returns the values of a repeated message.
func (o option) messages(name protoreflect.Name) []option {
	if !o.set() {
		return nil
	}
	var parts []option
	for i, l := 0, o.get(name).List(); i < l.Len(); i++ {
		if m, ok := l.Get(i).Message().Interface().(*dynamicpb.Message); ok {
			parts = append(parts, option{m})
		}
	}
	return parts
}

// valueName returns the schema's name of an enum's value in the vocabulary, such
// as HEARTBEAT. It is empty for a number that this version does not know.
func (e extension) valueName(field protoreflect.Name, number int) string {
	v := e.message.Fields().ByName(field).Enum().Values().ByNumber(protoreflect.EnumNumber(number))
	if v == nil {
		return ""
	}
	return string(v.Name())
}
