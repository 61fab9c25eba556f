package gogen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// A deepSet holds the messages that can nest without end: those that hold
// themselves or a free value, and those that hold one of them. Their writers
// count levels, as readers do, so that what is written can be read; all others
// can't be deeper than the schema is.
type deepSet map[*model.Message]bool

// deepMessages finds them by taking away, from the inside out, what holds nothing
// deep.
func deepMessages(s *model.Schema) deepSet {
	deep := deepSet{}
	holders := map[*model.Message][]*model.Message{}
	held := map[*model.Message]int{}
	var shallow []*model.Message
	for _, file := range s.Files {
		for _, m := range file.Messages {
			deep[m] = true
			for _, f := range m.Fields {
				if inner := f.Type.Message; inner != nil {
					holders[inner] = append(holders[inner], m)
					held[m]++
				} else if isFree(f.Type) {
					held[m]++ // for good
				}
			}
			if held[m] == 0 {
				shallow = append(shallow, m)
			}
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

// counted makes the body of a message's writer, which ends with a return, count
// the message as a level if it is deep.
func (d deepSet) counted(m *model.Message, body []jen.Code) []jen.Code {
	if !d[m] {
		return body
	}
	last := len(body) - 1
	return slices.Concat(
		[]jen.Code{jen.If(jen.Op("!").Add(call("w", "Enter", jen.Id("b")))).Block(jen.Return(jen.Id("b")))},
		body[:last],
		[]jen.Code{call("w", "Leave"), body[last]})
}

// level does the same for a list or a map of deep messages or free values.
func (d deepSet) level(f *model.Field, statements []jen.Code) []jen.Code {
	if !d[f.Type.Message] && !isFree(f.Type) {
		return statements
	}
	return []jen.Code{jen.If(call("w", "Enter", jen.Id("b"))).Block(append(statements, call("w", "Leave"))...)}
}

// isFree says whether values of the type are JSON of any shape.
func isFree(t model.Type) bool {
	return t.Kind == model.KindStruct || t.Kind == model.KindValue || t.Kind == model.KindListValue
}
