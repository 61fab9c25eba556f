package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// topics prints what a namespace gives a program: constants, callback types,
// the publisher, the handler, and what binds one to a bus.
func (p *printer) topics() {
	for _, s := range p.file.Services {
		p.constants(s)
		for _, c := range s.Callbacks {
			p.callbackType(c)
		}
		if fed := s.Fed(); len(fed) > 0 {
			p.publisher(s, fed)
			p.handler(s, fed)
			p.bind(s, fed)
		}
		if s.Coordinator == nil {
			p.registry(s)
		}
	}
}

func (p *printer) constants(s *model.Service) {
	prefix, doc := topicPrefix(s), s.Doc
	if s.Prefix != "" {
		p.add(godoc.Declared(fmt.Sprintf("%s begins the name of every topic of the %s namespace.", prefix, s.Go), doc),
			jen.Const().Id(prefix).Op("=").Lit(s.Prefix))
		doc = model.Doc{}
	}
	var constants []jen.Code
	for _, c := range s.Fed() {
		carries := godoc.Lines(fmt.Sprintf("%s carries %s.", c.Topic.Const, c.Input.Message.Go), mark(c))
		constants = append(constants, commented(carries, jen.Id(c.Topic.Const).Op("=").Add(topicName(s, c.Topic.Name)))...)
	}
	if constants == nil {
		return
	}
	p.add(godoc.Declared(fmt.Sprintf("The topics of the %s namespace.", s.Go), doc), jen.Const().Defs(constants...))
	p.add(godoc.Lines(fmt.Sprintf("%s is the version of the schema of the %s namespace.", schemaVersion(s), s.Go), model.Doc{}),
		jen.Const().Id(schemaVersion(s)).Op("=").Lit(s.File.Version))
}

func topicPrefix(s *model.Service) string { return s.Go + "TopicPrefix" }

// topicName is a topic's full name.
func topicName(s *model.Service, name string) *jen.Statement {
	if s.Prefix == "" {
		return jen.Lit(name)
	}
	return jen.Id(topicPrefix(s)).Op("+").Lit("." + name)
}

// schemaVersion is the constant with the version of the service's schema.
func schemaVersion(s *model.Service) string { return s.Go + "SchemaVersion" }

// mark is the callback's mark of deprecation.
func mark(c *model.Callback) model.Doc { return model.Doc{Deprecated: c.Doc.Deprecated} }

// input is the parameter that a callback takes.
func input(c *model.Callback) *jen.Statement {
	switch {
	case c.Input.Message != nil:
		return jen.Id("m").Op("*").Add(goType(c.Input))
	case c.On == model.PeerTimeout:
		return jen.Id("instanceID").String()
	case c.On == model.LeaderChange:
		return jen.Id("leader").Bool()
	}
	return jen.Id("value").Add(goType(c.Input))
}

// inputType is the type of that parameter.
func inputType(c *model.Callback) *jen.Statement {
	if c.Input.Message != nil {
		return jen.Op("*").Add(goType(c.Input))
	}
	return goType(c.Input)
}

func ctxParam() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

func (p *printer) callbackType(c *model.Callback) {
	p.add(godoc.Declared(fmt.Sprintf("%s is called %s", c.Func, occasion(c)), c.Doc),
		jen.Type().Id(c.Func).Func().Params(ctxParam(), input(c)).Error())
}

// occasion says when a callback is called.
func occasion(c *model.Callback) string {
	switch {
	case c.Topic != nil && c.Topic.AddressedBy != nil:
		return fmt.Sprintf("for each message on %s whose %s is this instance.", c.Topic.Const, c.Topic.AddressedBy.Go)
	case c.Topic != nil:
		return fmt.Sprintf("for each message on %s.", c.Topic.Const)
	case c.On != model.NoEvent:
		return "by the coordinator."
	}
	return "by the program itself."
}

func (p *printer) publisher(s *model.Service, fed []*model.Callback) {
	name := s.Go + "Publisher"
	p.add(godoc.Lines(fmt.Sprintf("%s publishes the messages of the %s namespace. It is safe for concurrent use if its bus is.", name, s.Go), model.Doc{}),
		jen.Type().Id(name).Struct(
			jen.Id("bus").Qual(busPath, "Publisher"),
			jen.Id("encoding").Qual(busPath, "Encoding"),
		))
	schema := jen.Qual(wirePath, "Version").Values(
		jen.Id("Schema").Op(":").Lit(s.File.Schema()), jen.Id("Number").Op(":").Id(schemaVersion(s)))
	encoding := jen.Qual(busPath, "Encoding").Values(
		jen.Id("Format").Op(":").Id("format"), jen.Id("Schema").Op(":").Add(schema))
	p.add(godoc.Lines(fmt.Sprintf("New%s returns a publisher that encodes messages in the given format and hands them to p.", name), model.Doc{}),
		jen.Func().Id("New"+name).Params(jen.Id("p").Qual(busPath, "Publisher"), jen.Id("format").Qual(wirePath, "Format")).
			Op("*").Id(name).Block(
			jen.Id("encoding").Op(":=").Add(encoding),
			jen.Return(jen.Op("&").Id(name).Values(jen.Id("bus").Op(":").Id("p"), jen.Id("encoding").Op(":").Id("encoding")))))
	p.add(godoc.Lines("AtVersion returns a publisher that writes each message at the version of the schema that version gives when it is published, "+
		"such as the lowest of a fleet. Newer fields are left out and renamed ones have their former names. "+
		"What the version can't express is an error that wraps [wire.ErrVersion].", model.Doc{}),
		pointerMethod("p", name, "AtVersion").Params(jen.Id("version").Func().Params().Int()).Op("*").Id(name).Block(
			jen.Id("at").Op(":=").Op("*").Id("p"),
			jen.Id("at").Dot("encoding").Dot("At").Op("=").Id("version"),
			jen.Return(jen.Op("&").Id("at"))))
	for _, c := range fed {
		verb := "Publish" + c.Topic.Go
		encoding := jen.Id("p").Dot("encoding")
		if c.Topic.Since > 1 || c.Topic.Until > 0 {
			encoding.Dot("During").Call(jen.Lit(c.Topic.Since), jen.Lit(c.Topic.Until))
		}
		p.add(godoc.Lines(fmt.Sprintf("%s publishes m on %s.", verb, c.Topic.Const), mark(c)),
			pointerMethod("p", name, verb).Params(ctxParam(), input(c)).Error().Block(
				jen.Return(jen.Qual(busPath, "Publish").Call(
					jen.Id("ctx"), jen.Id("p").Dot("bus"), jen.Id(c.Topic.Const), encoding, jen.Id("m")))))
	}
}

func (p *printer) handler(s *model.Service, fed []*model.Callback) {
	name := s.Handler()
	var methods []jen.Code
	for i, c := range fed {
		if i > 0 {
			methods = append(methods, jen.Line())
		}
		methods = append(methods, commented(godoc.Lines(fmt.Sprintf("Handle%s is called %s", c.Go, occasion(c)), c.Doc),
			jen.Id(c.Handle()).Params(ctxParam(), input(c)).Error())...)
	}
	p.add(godoc.Lines(fmt.Sprintf("%s receives the messages of the %s namespace. Embed [Unimplemented%s] to implement a part of it.", name, s.Go, name), model.Doc{}),
		jen.Type().Id(name).Interface(methods...))

	p.add(godoc.Lines(fmt.Sprintf("Unimplemented%s refuses every message with [bus.ErrUnhandled].", name), model.Doc{}),
		jen.Type().Id("Unimplemented"+name).Struct())
	for _, c := range fed {
		p.add(godoc.Lines(fmt.Sprintf("Handle%s refuses the message.", c.Go), model.Doc{}),
			jen.Func().Params(jen.Id("Unimplemented"+name)).Id(c.Handle()).Params(
				jen.Qual("context", "Context"), inputType(c)).Error().Block(
				jen.Return(jen.Qual(busPath, "Unhandled").Call(jen.Id(c.Topic.Const)))))
	}
}

func (p *printer) bind(s *model.Service, fed []*model.Callback) {
	args := []jen.Code{jen.Line().Id("ctx"), jen.Id("s"), jen.Id("o")}
	for _, c := range fed {
		handle := jen.Id("h").Dot(c.Handle())
		route := jen.Line().Qual(busPath, "On").Call(jen.Id(c.Topic.Const), handle)
		if f := c.Topic.AddressedBy; f != nil {
			address := jen.Func().Params(input(c)).String().Block(jen.Return(jen.Id("m").Dot(f.Go)))
			route = jen.Line().Qual(busPath, "OnAddressed").Call(jen.Id(c.Topic.Const), address, handle)
		}
		switch c.Topic.Strangers {
		case model.RejectStrangers:
			route.Dot("RejectStrangers").Call()
		case model.ParkStrangers:
			route.Dot("ParkStrangers").Call()
		case model.ForwardStrangers:
			route.Dot("ForwardStrangers").Call(topicName(s, c.Topic.ForwardTo))
		case model.NoStrangers, model.AcknowledgeStrangers:
		}
		args = append(args, route)
	}
	name := "Bind" + s.Go
	p.add(godoc.Lines(fmt.Sprintf("%s subscribes h to every topic of the %s namespace. The returned function ends the subscriptions. "+
		"What can't be decoded, or what h fails on, is logged, and the next message is served.", name, s.Go), model.Doc{}),
		jen.Func().Id(name).Params(ctxParam(), jen.Id("s").Qual(busPath, "Subscriber"), jen.Id("h").Id(s.Handler()), jen.Id("o").Qual(busPath, "Options")).
			Params(jen.Id("unbind").Func().Params().Error(), jen.Err().Error()).Block(
			jen.Return(jen.Qual(busPath, "Bind").Call(append(args, jen.Line())...))))
}
