package load

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// The rule of an enum value's name on the wire
//
// It is the one that the schema gives, else the value's name without the enum's
// prefix (see [withoutPrefix]), in small letters; the prefix stays where a digit
// would come first. Where a value before it has that name already, as in an enum
// with RED and Red, it is the value's name as the schema spells it, and where that
// is taken too, the first one with the value's number behind it. So a value that is added at the end never changes the
// name of one before it. In a file of protojson's form it is the value's name.

// values makes the values of an enum.
func (b *builder) values(e *enum) {
	x := b.vocabulary.value
	given := scope{} // the names that the schema gives
	options := make([]option, e.d.Values().Len())
	for i := range options {
		d := e.d.Values().Get(i)
		o, err := x.of(d)
		if err != nil {
			b.errorf(b.optionPos(d, x, ""), "option (coordgen.value) can't be read: %v", err)
		}
		options[i] = o
		v := &model.EnumValue{
			Name: string(d.Name()), Number: int32(d.Number()), Doc: doc(d), Pos: b.pos(d),
			Wire: o.text("name"),
		}
		v.Since, v.Until = b.version(d, x, o)
		v.Waivers = b.waivers(d, x, o)
		e.Values = append(e.Values, v)
		switch {
		case v.Wire != "" && e.File.Protojson:
			b.errorf(b.optionPos(d, x, "name"), "%s has a name of its own, but the file's JSON is protojson's, which has the values of enums as the schema spells them; drop the name", what(d))
		case v.Wire != "":
			b.valueName(given, d, spelling{name: v.Wire, pos: b.optionPos(d, x, "name")})
		case e.File.Protojson:
			v.Wire = v.Name
			given[v.Wire] = claimant{what: what(d), pos: v.Pos}
		}
	}
	taken := scope{}
	for i, v := range e.Values {
		if v.Wire != "" {
			taken[v.Wire] = given[v.Wire]
			continue
		}
		d := e.d.Values().Get(i)
		v.Wire = wireName(string(e.d.Name()), v.Name)
		if other, ok := given[v.Wire]; ok {
			b.errorf(v.Pos, "%s would be %q on the wire, which is the name given to %s; give one of them another (coordgen.value).name", what(d), v.Wire, other)
			continue
		}
		names := []string{v.Wire, v.Name, fmt.Sprintf("%s_%d", v.Wire, v.Number)}
		name, other, ok := taken.claim(claimant{what: what(d), pos: v.Pos}, names...)
		if !ok {
			b.errorf(v.Pos, "%s would be %q on the wire, as is %s; give one of them a (coordgen.value).name", what(d), name, other)
		}
		v.Wire = name
	}
	b.reservedNames(e)
	for i, v := range e.Values {
		d := e.d.Values().Get(i)
		var read []spelling
		natural := v.Wire
		v.Wire, v.Former, read = b.formerly(d, x, options[i], natural)
		for _, alias := range read {
			b.valueName(taken, d, alias)
			if alias.name == v.Wire {
				alias.name = natural
			}
			v.Aliases = append(v.Aliases, alias.name)
		}
	}
}

// wireName is the name on the wire that a value has if no other has it.
func wireName(enum, value string) string {
	name := strings.ToLower(withoutPrefix(enum, value))
	if isDigit(rune(name[0])) {
		return strings.ToLower(value)
	}
	return name
}

// valueName checks a name that the schema gives to a value, and notes it.
func (b *builder) valueName(taken scope, d protoreflect.EnumValueDescriptor, given spelling) {
	other, ok := taken[given.name]
	switch {
	case given.name == "":
		b.errorf(given.pos, "%s has an empty name among its aliases; drop it", what(d))
	case isNumber(given.name):
		b.errorf(given.pos, "%s is named %q, which is how a value that the schema lacks is kept; choose a name that is not a number", what(d), given.name)
	case ok && other.what == what(d):
		b.errorf(given.pos, "%s has the name %q twice; drop one", what(d), given.name)
	case ok:
		b.errorf(given.pos, "%s is named %q, as is %s; choose another name", what(d), given.name, other)
	default:
		taken[given.name] = claimant{what: what(d), pos: b.pos(d)}
	}
}

func isNumber(text string) bool {
	text = strings.TrimPrefix(text, "-")
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !isDigit(r) })
}
