package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// service compares a service with what became of it.
func (c *comparison) service(old *model.Service) {
	next := c.services[old.FullName()]
	moved := next != nil && next.Prefix != old.Prefix
	if moved && slices.ContainsFunc(old.Fed(), func(o *model.Callback) bool { return c.prefixed(old, o) }) {
		c.note(Finding{
			Rule: TopicPrefixChanged, Pos: next.Pos, Element: next.FullName(), Backward: All, Forward: All,
			Message: fmt.Sprintf("service %q had topics that begin with %q, and they begin with %q", next.FullName(), old.Prefix, next.Prefix),
			Mend:    "keep the prefix, or give new topics to a new service beside this one",
			Topics:  topicsOf(old),
		})
	}
	for _, o := range old.Callbacks {
		if o.Topic != nil {
			c.topic(old, o, moved)
		}
	}
}

// prefixed says whether a topic has another full name by its prefix alone.
func (c *comparison) prefixed(s *model.Service, o *model.Callback) bool {
	_, n := c.callback(s, o)
	return n != nil && n.Topic.Name == o.Topic.Name
}

// topic compares a topic with what became of it: that of its callback, else that of
// its name.
func (c *comparison) topic(s *model.Service, o *model.Callback, moved bool) {
	full := s.Topic(o.Topic)
	in, n := c.callback(s, o)
	if n == nil {
		c.note(Finding{
			Rule: TopicRemoved, Pos: c.pos(), Element: full, Backward: All, Topics: []string{full},
			Message: fmt.Sprintf("topic %q is gone, so that nothing new receives what old code publishes on it", full),
			Mend:    "keep it until no old publisher is left",
		})
		return
	}
	if now := in.Topic(n.Topic); now != full && !(moved && n.Topic.Name == o.Topic.Name) {
		c.note(Finding{
			Rule: TopicRenamed, Pos: n.Pos, Element: full, Backward: All, Forward: All, Topics: []string{full, now},
			Message: fmt.Sprintf("topic %q is called %q", full, now),
			Mend:    fmt.Sprintf("keep the name %q, or add a new topic beside it", o.Topic.Name),
		})
	}
	if was, is := addressed(o.Topic), addressed(n.Topic); was != is && !c.sameAddress(o, n) {
		c.note(Finding{
			Rule: TopicAddressChanged, Pos: n.Pos, Element: full, Backward: All, Forward: All, Topics: []string{full},
			Message: fmt.Sprintf("topic %q was addressed %s and is addressed %s", full, was, is),
			Mend:    "add a new topic for what is addressed otherwise",
		})
	}
	if !c.sameType(o.Input, n.Input) {
		c.note(Finding{
			Rule: TopicPayloadChanged, Pos: n.Pos, Element: full, Backward: All, Forward: All, Topics: []string{full},
			Message: fmt.Sprintf("topic %q carried %s and carries %s", full, o.Input, n.Input),
			Mend:    "add a topic for the other message",
		})
	}
}

// callback is what became of a topic's callback.
func (c *comparison) callback(s *model.Service, o *model.Callback) (*model.Service, *model.Callback) {
	if next := c.services[s.FullName()]; next != nil {
		for _, n := range next.Callbacks {
			if n.Name == o.Name && n.Topic != nil {
				return next, n
			}
		}
	}
	for _, f := range c.schema.Files {
		for _, in := range f.Services {
			for _, n := range in.Callbacks {
				if n.Topic != nil && in.Topic(n.Topic) == s.Topic(o.Topic) {
					return in, n
				}
			}
		}
	}
	return nil, nil
}

// sameAddress says whether the field that addresses a topic is the one that did.
func (c *comparison) sameAddress(o, n *model.Callback) bool {
	was, is := o.Topic.AddressedBy, n.Topic.AddressedBy
	if was == nil || is == nil || o.Input.Message == nil || n.Input.Message == nil {
		return false
	}
	pairs, _, _ := pairFields(o.Input.Message, n.Input.Message, c.between)
	return slices.Contains(pairs, fieldPair{was, is})
}

func addressed(t *model.Topic) string {
	if t.AddressedBy == nil {
		return "to all"
	}
	return "by " + t.AddressedBy.Name
}

// newServices notes topics that the old file does not have, of the file that it became.
func (c *comparison) newServices() {
	known := map[string]bool{}
	for _, s := range c.old.Services {
		for _, o := range s.Callbacks {
			if o.Topic == nil {
				continue
			}
			if _, n := c.callback(s, o); n != nil {
				known[n.Pos.String()] = true
			}
		}
	}
	for _, f := range c.schema.Files {
		if f.Path != c.old.Path {
			continue
		}
		for _, s := range f.Services {
			for _, n := range s.Callbacks {
				if n.Topic == nil || known[n.Pos.String()] {
					continue
				}
				full := s.Topic(n.Topic)
				c.sinceMissing(f, "topic", "topic", full, n.Since, n.Pos)
				c.note(Finding{
					Rule: TopicAdded, Pos: n.Pos, Element: full, Topics: []string{full},
					Message: fmt.Sprintf("topic %q is new; what is published on it before an instance subscribes, nobody receives", full),
					Mend:    "upgrade the subscribers first",
				})
			}
		}
	}
}

func topicsOf(s *model.Service) []string {
	var all []string
	for _, c := range s.Fed() {
		all = append(all, s.Topic(c.Topic))
	}
	return all
}

// carriers are the topics that carry a message or an enum, by its name.
type carriers map[string][]string

// add notes what the topics of a file carry.
func (t carriers) add(f *model.File) {
	for _, s := range f.Services {
		for _, c := range s.Fed() {
			t.carry(s.Topic(c.Topic), c.Input.Message, map[*model.Message]bool{})
		}
	}
}

func (t carriers) carry(topic string, m *model.Message, seen map[*model.Message]bool) {
	if m == nil || seen[m] {
		return
	}
	seen[m] = true
	t[m.Name] = append(t[m.Name], topic)
	for _, f := range m.Fields {
		if e := f.Type.Enum; e != nil && !slices.Contains(t[e.Name], topic) {
			t[e.Name] = append(t[e.Name], topic)
		}
		t.carry(topic, f.Type.Message, seen)
	}
}
