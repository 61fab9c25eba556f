package gogen

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/coordgen/coordgen/internal/godoc"
	"github.com/coordgen/coordgen/internal/model"
)

// coordinators prints the typed coordinator of a namespace that has one.
func (p *printer) coordinators() {
	for _, s := range p.file.Services {
		if s.Coordinator != nil {
			p.coordinator(s)
		}
	}
}

func (p *printer) coordinator(s *model.Service) {
	r := s.Coordinator
	heartbeat, shutdown, assignment := r.Heartbeat.Input.Message, r.Shutdown.Input.Message, r.Assignment.Input.Message
	types := []jen.Code{goType(r.Heartbeat.Input), goType(r.Shutdown.Input), goType(r.Assignment.Input)}

	members := []jen.Code{jen.Op("*").Qual(coordPath, "Coordinator").Types(types...)}
	own := p.ownCallbacks(s)
	if len(own) > 0 {
		members = append(members, jen.Line(), jen.Id("log").Op("*").Qual("log/slog", "Logger"))
	}
	for _, c := range own {
		members = append(members, listField(c))
	}
	p.add(godoc.Lines(fmt.Sprintf("Coordinator tracks the peers of one instance: who is alive, who is leaving, who was lost. "+
		"It is a [%sHandler]; bind it to a bus with [Coordinator.Bind]. It never publishes and starts no timer: "+
		"the program sends what the Create methods make, and calls CheckPeerTimeouts.", s.Go), model.Doc{}),
		jen.Type().Id("Coordinator").Struct(members...))

	roles := jen.Qual(coordPath, "Roles").Types(types...).Values(multiline([]jen.Code{
		jen.Id("ReadHeartbeat").Op(":").Add(reads(r.Heartbeat, "Heartbeat", heartbeatParts(heartbeat))),
		jen.Id("NewHeartbeat").Op(":").Add(news(r.Heartbeat, "Heartbeat", "h", heartbeatParts(heartbeat))),
		jen.Id("ReadShutdown").Op(":").Add(reads(r.Shutdown, "Shutdown", shutdownParts(shutdown))),
		jen.Id("NewShutdown").Op(":").Add(news(r.Shutdown, "Shutdown", "s", shutdownParts(shutdown))),
		jen.Id("ReadAssignment").Op(":").Add(reads(r.Assignment, "Assignment", assignmentParts(assignment))),
		jen.Id("NewAssignment").Op(":").Add(news(r.Assignment, "Assignment", "a", assignmentParts(assignment))),
	})...)
	result := jen.Op("&").Id("Coordinator").Values(jen.Id("Coordinator").Op(":").Id("core"))
	if len(own) > 0 {
		result = jen.Op("&").Id("Coordinator").Values(jen.Id("Coordinator").Op(":").Id("core"), jen.Id("log").Op(":").Id("c").Dot("Logger"))
	}
	p.add(godoc.Lines(fmt.Sprintf("NewCoordinator returns the coordinator of the instance that c describes. "+
		"Without a SchemaVersion in c it tells the fleet [%s].", schemaVersion(s)), model.Doc{}),
		jen.Func().Id("NewCoordinator").Params(jen.Id("c").Qual(coordPath, "Config")).Params(jen.Op("*").Id("Coordinator"), jen.Error()).Block(
			jen.Id("c").Dot("SchemaVersion").Op("=").Qual("cmp", "Or").Call(jen.Id("c").Dot("SchemaVersion"), jen.Id(schemaVersion(s))),
			jen.List(jen.Id("core"), jen.Err()).Op(":=").Qual(coordPath, "New").Call(jen.Id("c"), roles),
			jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Err())),
			jen.Return(result, jen.Nil())))

	p.add(godoc.Lines(fmt.Sprintf("Bind subscribes the coordinator to every topic of the %s namespace. It sets o.InstanceID itself. The returned function ends the subscriptions.", s.Go), model.Doc{}),
		pointerMethod("c", "Coordinator", "Bind").Params(ctxParam(), jen.Id("s").Qual(busPath, "Subscriber"), jen.Id("o").Qual(busPath, "Options")).
			Params(jen.Id("unbind").Func().Params().Error(), jen.Err().Error()).Block(
			jen.Id("o").Dot("InstanceID").Op("=").Id("c").Dot("InstanceID").Call(),
			jen.Return(jen.Id("Bind"+s.Go).Call(jen.Id("ctx"), jen.Id("s"), jen.Id("c"), jen.Id("o")))))

	p.createShutdown(r)
	for _, c := range s.Callbacks {
		p.coordinatorCallback(r, c)
	}
}

// createShutdown prints the typed form of the runtime's method, which knows the
// intent as text.
func (p *printer) createShutdown(r *model.Coordinator) {
	intent := r.Shutdown.Input.Message.Field(model.Intent)
	if intent.Type.Kind != model.KindEnum {
		return
	}
	p.add(godoc.Lines("CreateShutdownNotice marks this instance as leaving and returns the notice to publish.", model.Doc{}),
		pointerMethod("c", "Coordinator", "CreateShutdownNotice").Params(
			jen.Id("intent").Add(goType(intent.Type)), jen.Id("leaving").Qual(coordPath, "Leaving")).
			Add(inputType(r.Shutdown)).Block(
			jen.Return(jen.Id("c").Dot("Coordinator").Dot("CreateShutdownNotice").Call(jen.String().Call(jen.Id("intent")), jen.Id("leaving")))))
}

// coordinatorRole is the name that the runtime's coordinator gives a callback, or
// "" for one that it does not know.
func coordinatorRole(r *model.Coordinator, c *model.Callback) string {
	switch c {
	case r.Heartbeat:
		return "Heartbeat"
	case r.Shutdown:
		return "PeerShutdown"
	case r.Assignment:
		return "WorkAssignment"
	case r.Timeout:
		return "PeerTimeout"
	case r.LeaderChange:
		return "LeaderChange"
	}
	return ""
}

// ownCallbacks are those that the runtime's coordinator does not know.
func (p *printer) ownCallbacks(s *model.Service) []*model.Callback {
	var own []*model.Callback
	for _, c := range s.Callbacks {
		if coordinatorRole(s.Coordinator, c) == "" {
			own = append(own, c)
		}
	}
	return own
}

func (p *printer) coordinatorCallback(r *model.Coordinator, c *model.Callback) {
	core := jen.Id("c").Dot("Coordinator")
	role := coordinatorRole(r, c)
	if role == "" {
		p.registration("Coordinator", c, call("c", listName(c)+".Add", jen.Id("f")))
		p.handles(c, "calls", callList(c, jen.Id("c").Dot("log")))
		return
	}
	p.registration("Coordinator", c, core.Clone().Dot("On"+role).Call(jen.Id("f")))
	if c.Topic != nil {
		p.handles(c, "takes note of m and calls", []jen.Code{jen.Return(core.Clone().Dot("Handle"+role).Call(jen.Id("ctx"), jen.Id("m")))})
	}
}

// handles prints the method that a callback's message, or the program, calls.
func (p *printer) handles(c *model.Callback, does string, body []jen.Code) {
	p.add(godoc.Lines(fmt.Sprintf("Handle%s %s the functions that On%s registered.", c.Go, does, c.Go), model.Doc{}),
		pointerMethod("c", "Coordinator", c.Handle()).Params(ctxParam(), input(c)).Error().Block(body...))
}

// A part is a field of the runtime's view of a message, and the message's own.
type part struct {
	view   string // the path in the view: "Work.InFlightCount"
	field  *model.Field
	scalar *jen.Statement // the view's type where the message's may differ from it
}

func parts(all ...part) []part {
	var there []part
	for _, p := range all {
		if p.field != nil {
			there = append(there, p)
		}
	}
	return there
}

func heartbeatParts(m *model.Message) []part {
	return parts(
		part{"InstanceID", m.Field(model.InstanceID), nil},
		part{"SentAt", m.Field(model.SentAt), nil},
		part{"Work.Subscriptions", m.Field(model.Work), nil},
		part{"Work.InFlightCount", m.Field(model.InFlight), jen.Int64()},
		part{"Work.LoadFactor", m.Field(model.Load), jen.Float64()},
		part{"IsLeader", m.Field(model.IsLeader), nil},
		part{"SchemaVersion", m.Field(model.SchemaVersion), jen.Int()},
		part{"Incarnation", m.Field(model.Incarnation), nil},
		part{"Term", m.Field(model.Term), nil},
	)
}

func shutdownParts(m *model.Message) []part {
	return parts(
		part{"InstanceID", m.Field(model.InstanceID), nil},
		part{"Intent", m.Field(model.Intent), jen.String()},
		part{"InitiatedAt", m.Field(model.SentAt), nil},
		part{"Deadline", m.Field(model.Deadline), nil},
		part{"Subscriptions", m.Field(model.Work), nil},
		part{"InFlightCount", m.Field(model.InFlight), jen.Int64()},
		part{"Metadata", m.Field(model.Metadata), nil},
		part{"Incarnation", m.Field(model.Incarnation), nil},
	)
}

func assignmentParts(m *model.Message) []part {
	return parts(
		part{"Target", m.Field(model.Target), nil},
		part{"Source", m.Field(model.InstanceID), nil},
		part{"Subscriptions", m.Field(model.Work), nil},
		part{"AssignedAt", m.Field(model.SentAt), nil},
		part{"Priority", m.Field(model.Priority), jen.Int64()},
		part{"Term", m.Field(model.Term), nil},
	)
}
