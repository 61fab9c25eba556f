package load

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// isNamespace says whether a service uses the vocabulary. One that does not is
// an ordinary service and none of coordgen's business.
func (b *builder) isNamespace(s protoreflect.ServiceDescriptor) bool {
	// An option that can't be read is there too; the fault is reported later.
	uses := func(e extension, d protoreflect.Descriptor) bool {
		o, err := e.of(d)
		return err != nil || o.set()
	}
	if uses(b.vocabulary.namespace, s) {
		return true
	}
	for rpc := range all(s.Methods()) {
		if uses(b.vocabulary.topic, rpc) || uses(b.vocabulary.callback, rpc) {
			return true
		}
	}
	return false
}

// topicKey is what must be unique in a Go package.
type topicKey struct {
	in   model.GoPackage
	name string
}

// services makes the namespaces, and checks that the names of their code meet no
// others.
func (b *builder) services() {
	topics := map[topicKey]claimant{}
	coordinators := map[model.GoPackage]claimant{}
	var forwarders []forwarder
	byPath := func(x, y *file) int { return cmp.Compare(x.Path, y.Path) }
	for _, f := range slices.SortedFunc(slices.Values(b.files), byPath) {
		for d := range all(f.d.Services()) {
			if !b.isNamespace(d) {
				continue
			}
			s := b.service(f, d)
			f.Services = append(f.Services, s)
			b.serviceNames(topics, f, s, d)
			b.coordinator(s, d)
			forwarders = append(forwarders, forwardersOf(s, d)...)
			if s.Coordinator == nil {
				continue
			}
			me := claimant{what: what(d), pos: s.Pos}
			if other, ok := coordinators[f.Go]; ok {
				b.errorf(s.Pos, "%s has a coordinator, as has %s of the same Go package; give one of their files another go_package", me.what, other)
				continue
			}
			coordinators[f.Go] = me
			for _, name := range []string{"Coordinator", "NewCoordinator"} {
				b.serviceName(b.scopes[f.Go], d, name)
			}
		}
	}
	b.forwards(forwarders)
}

func (b *builder) service(f *file, d protoreflect.ServiceDescriptor) *model.Service {
	x := b.vocabulary.namespace
	o, err := x.of(d)
	if err != nil {
		b.errorf(b.optionPos(d, x, ""), "option (coordgen.namespace) can't be read: %v", err)
	}
	s := &model.Service{
		Name: string(d.Name()), Go: goName(string(d.Name())),
		File: f.File, Doc: doc(d), Pos: b.pos(d), Prefix: o.text("prefix"),
	}
	if fault := badTopic(s.Prefix); fault != "" {
		b.errorf(b.optionPos(d, x, "prefix"), "%s has the prefix %q, which %s; change it", what(d), s.Prefix, fault)
	}
	for rpc := range all(d.Methods()) {
		if c := b.callback(f, rpc); c != nil {
			s.Callbacks = append(s.Callbacks, c)
		}
	}
	return s
}

// badTopic says what is wrong with a topic's name or prefix, or "". Which other
// characters a name can hold is the bus's affair.
func badTopic(name string) string {
	switch {
	case strings.ContainsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return "holds white space"
	case strings.ContainsAny(name, "*>#+"):
		return "holds one of * > # +, which brokers read as wildcards"
	case strings.HasPrefix(name, "."), strings.HasSuffix(name, "."), strings.Contains(name, ".."):
		return "has a dot with nothing before or behind it"
	}
	return ""
}

// callback makes the callback of an rpc, or returns nil if the rpc is none.
func (b *builder) callback(f *file, d protoreflect.MethodDescriptor) *model.Callback {
	v := b.vocabulary
	c := &model.Callback{Name: string(d.Name()), Go: goName(string(d.Name())), Doc: doc(d), Pos: b.pos(d)}
	topic, err := v.topic.of(d)
	if err != nil {
		b.errorf(b.optionPos(d, v.topic, ""), "option (coordgen.topic) can't be read: %v", err)
		return nil
	}
	local, err := v.callback.of(d)
	switch {
	case err != nil:
		b.errorf(b.optionPos(d, v.callback, ""), "option (coordgen.callback) can't be read: %v", err)
		return nil
	case topic.set() && local.set():
		b.errorf(b.optionPos(d, v.callback, ""), "%s is fed by a topic and local at once; keep one of the options (coordgen.topic) and (coordgen.callback)", what(d))
		return nil
	case !topic.set() && !local.set():
		b.warnf(d, c.Pos, "%s has neither a topic nor is it local, so it gets no code; give it the option (coordgen.topic) or (coordgen.callback), or move it to a service of its own", what(d))
		return nil
	}
	if d.IsStreamingClient() || d.IsStreamingServer() {
		b.errorf(c.Pos, "%s streams; a callback takes one message at a time, so drop stream", what(d))
	}
	if out := d.Output().FullName(); out != "google.protobuf.Empty" {
		b.errorf(c.Pos, "%s returns %q, but nobody waits for what a callback returns; write returns (google.protobuf.Empty)", what(d), out)
	}
	c.Input = b.input(f, d, c)
	if local.set() {
		b.local(c, d, local)
	} else {
		c.Topic = b.topic(c, d, topic)
		c.Since, c.Until = c.Topic.Since, c.Topic.Until
	}
	return c
}

// input is what a callback is given.
func (b *builder) input(f *file, d protoreflect.MethodDescriptor, c *model.Callback) model.Type {
	in := d.Input()
	if k, _ := kindOf(in); k != model.KindMessage {
		return model.Type{Kind: k}
	}
	m := b.messages[in.FullName()]
	if m == nil {
		b.errorf(c.Pos, "%s takes %q, for which there is no Go code; give it a message of your own", what(d), in.FullName())
		return model.Type{Kind: model.KindMessage}
	}
	b.usable(f, in, c.Pos)
	return model.Type{Kind: model.KindMessage, Message: m.Message}
}

// topic makes the topic of a callback.
func (b *builder) topic(c *model.Callback, d protoreflect.MethodDescriptor, o option) *model.Topic {
	x := b.vocabulary.topic
	t := &model.Topic{Name: o.text("name"), Go: c.Go}
	t.Since, t.Until = b.version(d, x, o)
	p := b.optionPos(d, x, "name")
	if t.Name == "" {
		b.errorf(p, "the topic of %s has no name; write option (coordgen.topic) = { name: %q }", what(d), strings.ToLower(spaced(c.Name)))
	} else if fault := badTopic(t.Name); fault != "" {
		b.errorf(p, "the topic of %s is named %q, which %s; change it", what(d), t.Name, fault)
	}
	if parts := words(t.Name); len(parts) > 0 && isLetter(rune(parts[0][0])) {
		t.Go = goName(strings.Join(parts, "_"))
	}
	b.strangers(t, d, o)
	if c.Input.Kind != model.KindMessage {
		b.errorf(c.Pos, "%s takes %q, but a topic carries messages with fields; give it a message that holds the value", what(d), d.Input().FullName())
		return t
	}
	if name := o.text("addressed_by"); name != "" && c.Input.Message != nil {
		t.AddressedBy = b.addressedBy(c.Input.Message, d, name)
	}
	return t
}

// A forwarder is an rpc whose topic forwards what can't be read to another.
type forwarder struct {
	d        protoreflect.MethodDescriptor
	from, to string // the topics' full names
}

// forwardersOf returns the rpcs of a service that forward.
func forwardersOf(s *model.Service, d protoreflect.ServiceDescriptor) (forwarders []forwarder) {
	for _, c := range s.Callbacks {
		if c.Topic != nil && c.Topic.ForwardTo != "" {
			to := s.Topic(&model.Topic{Name: c.Topic.ForwardTo})
			forwarders = append(forwarders, forwarder{d.Methods().ByName(protoreflect.Name(c.Name)), s.Topic(c.Topic), to})
		}
	}
	return forwarders
}

// forwards checks that no topic forwards what can't be read to one that forwards too,
// in whichever service: it could come back, and so on.
func (b *builder) forwards(forwarders []forwarder) {
	for _, f := range forwarders {
		for _, next := range forwarders {
			if f.to == next.from && f.from != f.to {
				b.errorf(b.optionPos(f.d, b.vocabulary.topic, "forward_to"), "%s forwards to the topic of %s, which forwards too; name one that does not", what(f.d), what(next.d))
				break
			}
		}
	}
}

// strangers reads what becomes of messages that a receiver of the topic can't read.
func (b *builder) strangers(t *model.Topic, d protoreflect.MethodDescriptor, o option) {
	x := b.vocabulary.topic
	t.Strangers, t.ForwardTo = model.Strangers(o.number("strangers")), o.text("forward_to")
	p := b.optionPos(d, x, "forward_to")
	forward := t.Strangers == model.ForwardStrangers
	switch fault := badTopic(t.ForwardTo); {
	case x.valueName("strangers", int(t.Strangers)) == "":
		b.unknownValue(d, x, "strangers", int(t.Strangers))
	case forward && t.ForwardTo == "":
		b.errorf(b.optionPos(d, x, "strangers"), "messages of %s that can't be read are forwarded nowhere; say the topic with forward_to", what(d))
	case !forward && t.ForwardTo != "":
		b.errorf(p, "%s has a forward_to, but what can't be read is not forwarded; say strangers: FORWARD, or drop it", what(d))
	case forward && fault != "":
		b.errorf(p, "%s forwards to the topic %q, which %s; change it", what(d), t.ForwardTo, fault)
	case forward && t.ForwardTo == t.Name:
		b.errorf(p, "%s forwards what can't be read to its own topic, where nobody can read it either; name another", what(d))
	}
}

func (b *builder) addressedBy(m *model.Message, d protoreflect.MethodDescriptor, name string) *model.Field {
	p := b.optionPos(d, b.vocabulary.topic, "addressed_by")
	var names []string
	for _, f := range m.Fields {
		fit := f.Type.Kind == model.KindString && f.Card == model.Single && f.Oneof == nil
		switch {
		case f.Name == name && fit:
			return f
		case f.Name == name:
			b.errorf(p, "%s is addressed by %q, which must be a string that is not optional, not repeated and in no oneof; change the field, or name another", what(d), name)
			return nil
		case fit:
			names = append(names, f.Name)
		}
	}
	mend := "add a string field of that name"
	if len(names) > 0 {
		mend = "its string fields are " + strings.Join(names, ", ")
	}
	b.errorf(p, "%s is addressed by %q, which is no field of %q; %s", what(d), name, m.Name, mend)
	return nil
}

// local fills in what a local callback is called for.
func (b *builder) local(c *model.Callback, d protoreflect.MethodDescriptor, o option) {
	x := b.vocabulary.callback
	c.Since, c.Until = b.version(d, x, o)
	c.On = model.Event(o.number("on"))
	p := b.optionPos(d, x, "on")
	name := x.valueName("on", int(c.On))
	switch {
	case name == "":
		b.unknownValue(d, x, "on", int(c.On))
	case c.On == model.PeerTimeout && d.Input().FullName() != "google.protobuf.StringValue":
		b.errorf(p, "%s is called on %s and is given the peer's instance id; let it take google.protobuf.StringValue", what(d), name)
	case c.On == model.LeaderChange && d.Input().FullName() != "google.protobuf.BoolValue":
		b.errorf(p, "%s is called on %s and is told whether this instance leads; let it take google.protobuf.BoolValue", what(d), name)
	}
}

// spaced parts the words of a name by underscores.
func spaced(name string) string { return strings.Join(words(name), "_") }
