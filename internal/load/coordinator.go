package load

import (
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// serviceName claims the first of the names that is free for a service's code.
func (b *builder) serviceName(s scope, d protoreflect.Descriptor, names ...string) (name string, ok bool) {
	c := claimant{what: what(d), pos: b.pos(d)}
	name, other, ok := s.claim(c, names...)
	if !ok {
		b.errorf(c.pos, "the code of %s declares the Go name %q, which is that of %s; rename one of them", c.what, name, other)
	}
	return name, ok
}

// callbackName is the name on record of a part of a callback's code, or a new one.
func (b *builder) callbackName(s scope, d protoreflect.Descriptor, part string, names ...string) string {
	if name, ok := b.recorded[keyOf(d, part)]; ok {
		return name
	}
	name, _ := b.serviceName(s, d, names...)
	return name
}

// serviceNames claims all names of a service's code but those of a coordinator,
// and checks that no two callbacks are fed by one topic.
func (b *builder) serviceNames(topics map[topicKey]claimant, f *file, s *model.Service, d protoreflect.ServiceDescriptor) {
	for _, name := range []string{
		s.Go + "TopicPrefix", s.Go + "SchemaVersion", s.Go + "Publisher", "New" + s.Go + "Publisher",
		s.Go + "Handler", "Unimplemented" + s.Go + "Handler", "Bind" + s.Go, s.Go + "Callbacks",
	} {
		b.serviceName(b.scopes[f.Go], d, name)
	}
	methods := scope{}
	for _, c := range s.Callbacks {
		rpc := d.Methods().ByName(protoreflect.Name(c.Name))
		if _, ok := b.serviceName(methods, rpc, "Handle"+c.Go); !ok {
			continue
		}
		c.Func = b.callbackName(b.scopes[f.Go], rpc, "func", c.Go+"Callback", s.Go+c.Go+"Callback")
		if c.Topic == nil || c.Topic.Name == "" {
			continue
		}
		key := topicKey{f.Go, c.Topic.Name}
		if s.Prefix != "" {
			key.name = s.Prefix + "." + key.name
		}
		if other, ok := topics[key]; ok {
			b.errorf(b.optionPos(rpc, b.vocabulary.topic, "name"), "%s is fed by the topic %q, as is %s; give one of them another topic", what(rpc), key.name, other)
			continue
		}
		topics[key] = claimant{what: what(rpc), pos: c.Pos}
		if _, ok := b.serviceName(methods, rpc, "Publish"+c.Topic.Go); !ok {
			continue
		}
		c.Topic.Const = b.callbackName(b.scopes[f.Go], rpc, "const", c.Topic.Go+"Topic", s.Go+c.Topic.Go+"Topic")
	}
}

// coordinator makes the service a coordination protocol if one of its topics
// carries heartbeats, and checks that it is a whole one.
func (b *builder) coordinator(s *model.Service, d protoreflect.ServiceDescriptor) {
	co := &model.Coordinator{}
	for _, c := range s.Callbacks {
		rpc := d.Methods().ByName(protoreflect.Name(c.Name))
		place, name := b.part(co, c)
		if place == nil {
			continue
		}
		if *place != nil {
			b.errorf(c.Pos, "%s is for %s, as is %s; a service has one callback for each", what(rpc), name, claimant{what: "rpc " + quoted((*place).Name), pos: (*place).Pos})
			continue
		}
		*place = c
	}
	if co.Heartbeat == nil {
		for _, c := range []*model.Callback{co.Timeout, co.LeaderChange} {
			if c != nil {
				b.errorf(c.Pos, "%s is called by a coordinator, which %s lacks, since no topic of it carries heartbeats; %s",
					what(d.Methods().ByName(protoreflect.Name(c.Name))), what(d), b.suggest(model.Heartbeat))
			}
		}
		return
	}
	s.Coordinator = co
	for _, r := range []struct {
		role model.Role
		have *model.Callback
	}{{model.Shutdown, co.Shutdown}, {model.Assignment, co.Assignment}} {
		if r.have == nil {
			b.errorf(s.Pos, "%s has a topic for heartbeats, but none for a message with role %s; %s", what(d), b.messageRoleName(r.role), b.suggest(r.role))
		}
	}
}

// part is the part of a coordinator that a callback is, or nil, and its name in
// the vocabulary.
func (b *builder) part(co *model.Coordinator, c *model.Callback) (place **model.Callback, name string) {
	switch c.On {
	case model.PeerTimeout:
		place = &co.Timeout
	case model.LeaderChange:
		place = &co.LeaderChange
	case model.NoEvent:
	}
	if place != nil {
		return place, b.vocabulary.callback.valueName("on", int(c.On))
	}
	if c.Topic == nil || c.Input.Message == nil {
		return nil, ""
	}
	switch role := c.Input.Message.Role; role {
	case model.Heartbeat:
		return &co.Heartbeat, b.messageRoleName(role)
	case model.Shutdown:
		return &co.Shutdown, b.messageRoleName(role)
	case model.Assignment:
		return &co.Assignment, b.messageRoleName(role)
	case model.NoRole:
	}
	return nil, ""
}

// suggest names the rpc by which the built-in schema carries a role.
func (b *builder) suggest(r model.Role) string {
	pattern := b.vocabulary.roles[r]
	return "add `rpc " + pattern.rpc + "(" + string(pattern.message) + ") returns (google.protobuf.Empty) { option (coordgen.topic) = { name: " +
		quoted(pattern.topic) + " }; }`, or one for a message of your own with that role"
}
