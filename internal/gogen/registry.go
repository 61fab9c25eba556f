package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// registry prints the type that keeps the callbacks of a namespace without a
// coordinator.
func (p *printer) registry(s *model.Service) {
	if len(s.Callbacks) == 0 {
		return
	}
	name := s.Go + "Callbacks"
	members := []jen.Code{
		jen.Comment("// Logger gets the errors and panics of callbacks. Nil is slog.Default()."),
		jen.Id("Logger").Op("*").Qual("log/slog", "Logger"),
		jen.Line(),
	}
	for _, c := range s.Callbacks {
		members = append(members, listField(c))
	}
	intro := fmt.Sprintf("%s keeps any number of functions for each callback of the %s namespace and calls them in the order of their registration. "+
		"One that fails or panics is logged, and the next is called. The zero value is ready to use.", name, s.Go)
	if len(s.Fed()) > 0 {
		intro += fmt.Sprintf(" It is a [%sHandler].", s.Go)
	}
	p.add(godoc.Lines(intro, model.Doc{}), jen.Type().Id(name).Struct(members...))
	for _, c := range s.Callbacks {
		p.registration(name, c, call("c", listName(c)+".Add", jen.Id("f")))
		p.add(godoc.Lines(fmt.Sprintf("Handle%s calls the functions that On%s registered.", c.Go, c.Go), model.Doc{}),
			pointerMethod("c", name, c.Handle()).Params(ctxParam(), input(c)).Error().Block(callList(c, jen.Id("c").Dot("Logger"))...))
	}
}

// listName is the field that holds a callback's functions.
func listName(c *model.Callback) string { return "on" + c.Go }

func listField(c *model.Callback) jen.Code {
	return jen.Id(listName(c)).Qual(callbackPath, "List").Index(inputType(c))
}

func callList(c *model.Callback, logger jen.Code) []jen.Code {
	return []jen.Code{
		call("c", listName(c)+".Call", jen.Id("ctx"), argument(c), logger, jen.Lit(c.Name)),
		jen.Return(jen.Nil()),
	}
}

// argument is the name of the parameter that input declares.
func argument(c *model.Callback) jen.Code {
	switch {
	case c.Input.Message != nil:
		return jen.Id("m")
	case c.On == model.PeerTimeout:
		return jen.Id("instanceID")
	case c.On == model.LeaderChange:
		return jen.Id("leader")
	}
	return jen.Id("value")
}

// registration prints the method that registers a function for a callback.
func (p *printer) registration(receiver string, c *model.Callback, add jen.Code) {
	p.add(godoc.Lines(fmt.Sprintf("On%s registers f to be called %s The returned function removes it.", c.Go, occasion(c)), model.Doc{}),
		pointerMethod("c", receiver, "On"+c.Go).Params(jen.Id("f").Id(c.Func)).
			Params(jen.Id("remove").Func().Params()).Block(jen.Return(add)))
}
