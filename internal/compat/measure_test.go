package compat_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/model"
)

// What it is to lose something
//
// A message is the bytes that the writer's own code reads. It is lost on a reader that
// refuses it, or takes a field or a value of an enum for another than the writer did,
// or drops what it does not know when it passes the message on. Which fields and values
// are the same in both versions, check is asked: by name, or else by a number that no
// version between was without, or else by an alias.
//
// Three things are no loss: that a reader keeps fields that it does not know; that old
// code keeps values of enums that are new (but new code has to know what old code
// sends); and that zero and absent are told apart by one side only, unless there is a
// default.

// A reader reads and writes messages of one type, as convert does.
type reader interface {
	Convert(data []byte, from, to string) (out []byte, without []string, err error)
}

// An end is one of two versions of a message that read each other.
type end struct {
	message *model.Message
	reader
}

// A comparer compares what two ends see.
type comparer struct {
	codec string
	// forward says that old code reads what new code writes.
	forward bool
	between []*model.File
}

// lost says what is lost when the reader is given data, or "". It is not ok if the
// writer does not take it for a message.
func (c comparer) lost(writer, reader end, data []byte) (what string, ok bool) {
	written, err := tree(writer, data, c.codec)
	if err != nil {
		return "", false
	}
	read, err := tree(reader, data, c.codec)
	if err != nil {
		return "refused: " + err.Error(), true
	}
	if what := c.message(writer.message, reader.message, written, read); what != "" || !reader.message.File.KeepUnknown {
		return what, true
	}
	passed, _, err := reader.Convert(data, c.codec, c.codec)
	if err != nil {
		return "not written: " + err.Error(), true
	}
	back, err := tree(writer, passed, c.codec)
	if err != nil && strings.Contains(err.Error(), "another member of the oneof") && !c.knowsOneofs(writer.message, reader.message) {
		return "passed on, and then refused: " + err.Error(), true
	}
	if err == nil && !c.kept(writer.message, reader.message, written, back) {
		return fmt.Sprintf("not passed on: %v came back as %v", written, back), true
	}
	return "", true // what the reader writes itself is another question
}

// knowsOneofs says whether the reader has all members of the writer's oneofs. What it
// writes of those by itself is another question.
func (c comparer) knowsOneofs(w, r *model.Message) bool {
	same := c.same(w, r)
	return !slices.ContainsFunc(w.Fields, func(f *model.Field) bool { return f.Oneof != nil && same[f] == nil })
}

// kept says whether what a reader does not know came back from it.
func (c comparer) kept(w, r *model.Message, written, back map[string]any) bool {
	same := c.same(w, r)
	for _, f := range w.Fields {
		n := same[f]
		if n == nil && c.field(f, f, written, back) != "" {
			return false
		}
		a, b := c.values(f, written), c.values(f, back)
		for i := range min(len(a), len(b)) {
			x, y := a[i].value, b[i].value
			inner, too := x.(map[string]any)
			other, _ := y.(map[string]any)
			switch {
			case n == nil:
			case f.Type.Message != nil && n.Type.Message != nil && too && !c.kept(f.Type.Message, n.Type.Message, inner, other):
				return false
			case f.Type.Enum != nil && n.Type.Enum != nil && !c.knows(n.Type.Enum, f.Type.Enum, x) && x != y:
				return false
			}
		}
	}
	return true
}

// tree is a message as the tree of its JSON.
func tree(e end, data []byte, codec string) (map[string]any, error) {
	text, _, err := e.Convert(data, codec, convert.JSON)
	if err != nil {
		return nil, err
	}
	return parseTree(text), nil
}

func (c comparer) message(w, r *model.Message, written, read map[string]any) string {
	same, claimed := c.same(w, r), map[*model.Field]bool{}
	for _, f := range w.Fields {
		n := same[f]
		if n == nil {
			continue
		}
		claimed[n] = true
		if what := c.field(f, n, written, read); what != "" {
			return what
		}
	}
	for _, n := range r.Fields {
		if !claimed[n] && !isUnset(n, c.values(n, read)) {
			return fmt.Sprintf("%s is %v, and was not sent", n.Name, c.values(n, read))
		}
	}
	if w.Role != r.Role {
		return "it has another role"
	}
	for role := model.InstanceID; role.String() != ""; role++ {
		if a, b := w.Field(role), r.Field(role); a != nil || b != nil {
			if a == nil || b == nil {
				return role.String() + " is nowhere"
			}
			if what := c.field(a, b, written, read); what != "" {
				return role.String() + ": " + what
			}
		}
	}
	return ""
}

// same is the field of the reader for each that the writer has, too.
func (c comparer) same(w, r *model.Message) map[*model.Field]*model.Field {
	if !c.forward {
		return compat.SameFields(w, r, c.between)
	}
	same := map[*model.Field]*model.Field{}
	for o, n := range compat.SameFields(r, w, c.between) {
		same[n] = o
	}
	return same
}

func (c comparer) field(w, r *model.Field, written, read map[string]any) string {
	a, b := c.values(w, written), c.values(r, read)
	if (w.Card == model.Mapped) != (r.Card == model.Mapped) && len(a)+len(b) > 0 {
		return fmt.Sprintf("%s was %v and is %v", w.Name, a, b)
	}
	if w.Card != model.Repeated && r.Card != model.Repeated && areZero(w, a) && areZero(r, b) && c.sameZero(w, r) {
		return ""
	}
	if len(a) != len(b) {
		return fmt.Sprintf("%s was %v and is %v", w.Name, a, b)
	}
	for i := range a {
		if a[i].key != b[i].key || !c.alike(w, r, a[i].value, b[i].value) {
			return fmt.Sprintf("%s was %v and is %v", w.Name, a[i], b[i])
		}
	}
	return ""
}

// sameZero says whether zero means the same to both.
func (c comparer) sameZero(w, r *model.Field) bool {
	d, e := w.Type.Enum, r.Type.Enum
	return d == nil || e == nil || d.Zero() == nil || e.Zero() == nil || c.sameEnum(d, e, d.Zero().Wire, e.Zero().Wire)
}

// A keyed is a value of a field, with its key in a map.
type keyed struct {
	key   string
	value any
}

// values are those of a field: one, or any number in a list or a map. Where it is
// absent, it has its default.
func (c comparer) values(f *model.Field, in map[string]any) []keyed {
	v, has := in[f.Wire]
	if !has && f.Default != "" {
		v, has = defaultOf(f), true
	}
	if !has && f.Type.Protojson && f.Card == model.Single && !f.Presence {
		v, has = zeroOf(f), true // which protojson leaves out
	}
	var all []keyed
	switch v := v.(type) {
	case []any:
		if f.Card != model.Repeated {
			return []keyed{{value: v}}
		}
		for _, e := range v {
			all = append(all, keyed{value: e})
		}
	case map[string]any:
		if f.Card != model.Mapped {
			return []keyed{{value: v}}
		}
		for key, e := range v {
			all = append(all, keyed{c.key(f, key), e})
		}
		slices.SortFunc(all, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	default:
		if has {
			return []keyed{{value: v}}
		}
	}
	return all
}

// key is a key of a map as the codec has it.
func (c comparer) key(f *model.Field, key string) string {
	if c.codec == convert.Msgpack {
		return f.KeyType().String() + " " + key
	}
	if c.codec == convert.Protobuf && f.Key == model.KindBool {
		return map[string]string{"false": "0", "true": "1"}[key]
	}
	return key
}

// alike compares two single values.
func (c comparer) alike(w, r *model.Field, a, b any) bool {
	if m, n := w.Type.Message, r.Type.Message; m != nil && n != nil {
		x, isMessage := paths(w.Type, a).(map[string]any)
		y, too := paths(r.Type, b).(map[string]any)
		return isMessage && too && c.message(m, n, x, y) == ""
	}
	if d, e := w.Type.Enum, r.Type.Enum; d != nil && e != nil {
		return c.sameEnum(d, e, a, b)
	}
	from, to := w.Type.Kind, r.Type.Kind
	switch {
	case to == model.KindEnum && from != model.KindInt32 && c.codec != convert.Protobuf:
		return from == to // text may be the name of a value, and then means it by chance
	case from == model.KindFloat32:
		return single(a) == single(b) // in fewer digits than a double
	case c.codec == convert.Protobuf, from == model.KindBytes && to == model.KindString, from == model.KindString && to == model.KindBytes, from == model.KindInt32 || to == model.KindInt32:
		return assert.ObjectsAreEqual(plain(w.Type, a), plain(r.Type, b))
	}
	return assert.ObjectsAreEqual(a, b)
}

func (c comparer) sameEnum(w, r *model.Enum, a, b any) bool {
	sent, got := valueOf(w, a), valueOf(r, b)
	if sent == nil { // its reader may know it
		return a == b || got != nil && a == strconv.Itoa(int(got.Number))
	}
	if as := valueOf(w, b); c.forward && got == nil && as != nil && as.Number == sent.Number && isSecond(w, as) {
		return true // it is another name, which old code does not know, of what it may know
	}
	if is := c.counterpart(w, r, a); is != nil {
		return got != nil && got.Number == is.Number
	}
	return c.forward && got == nil
}

// knows says whether an enum has what is written as the name, or the number, of a value
// of the writer's.
func (c comparer) knows(r, w *model.Enum, name any) bool {
	return c.counterpart(w, r, name) != nil || slices.ContainsFunc(r.Values, func(v *model.EnumValue) bool {
		return v.Wire == name || strconv.Itoa(int(v.Number)) == name
	})
}

// counterpart is the value of the reader's enum that is the same as the writer's of
// that name, or nil. Names of one number are one value.
func (c comparer) counterpart(w, r *model.Enum, name any) *model.EnumValue {
	sent := valueOf(w, name)
	for _, v := range w.Values {
		for _, n := range r.Values {
			same := !c.forward && compat.SameValue(v, w, r, c.between) == n || c.forward && compat.SameValue(n, r, w, c.between) == v
			if sent != nil && v.Number == sent.Number && (same || c.codec != convert.Protobuf && !c.forward && slices.Contains(n.Aliases, v.Wire)) {
				return n
			}
		}
	}
	return nil
}

// isSecond says whether another name of the value's number is written for it.
func isSecond(e *model.Enum, v *model.EnumValue) bool {
	return e.Values[slices.IndexFunc(e.Values, func(o *model.EnumValue) bool { return o.Number == v.Number })] != v
}

// valueOf is the value that JSON has a name for.
func valueOf(e *model.Enum, name any) *model.EnumValue {
	for _, v := range e.Values {
		if v.Wire == name {
			return v
		}
	}
	return nil
}
