package gogen

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/model"
)

// A deepSet holds the messages that can nest without end. Their writers count
// levels, as readers do, so that what is written can be read; all others can't be
// deeper than the schema is.
type deepSet map[*model.Message]bool

func deepMessages(s *model.Schema) deepSet {
	var all []*model.Message
	for _, file := range s.Files {
		all = append(all, file.Messages...)
	}
	return model.Deep(all)
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
	if !d[f.Type.Message] && !f.Type.Free() {
		return statements
	}
	return []jen.Code{jen.If(call("w", "Enter", jen.Id("b"))).Block(append(statements, call("w", "Leave"))...)}
}
