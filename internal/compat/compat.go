// Package compat compares two models of a schema, and finds what keeps code of the one
// from reading what code of the other writes: for whom it breaks, in which codec, and
// how to mend it.
package compat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A Finding is a change that others notice.
type Finding struct {
	// Rule is the id of one of the [Rules].
	Rule string
	// Pos is the place in the new schema: that of the element, or of what it was in.
	Pos model.Pos
	// Element is the name of what the finding is about, as Message has it: a full name
	// in the schema, or that of a topic.
	Element string
	// Message says what changed, and Mend what to do about it.
	Message, Mend string
	// Backward are the codecs in which new code loses what old code writes, and
	// Forward those in which old code loses what new code writes.
	Backward, Forward Codecs
	// Version is that of the old schema.
	Version int
	// AtVersion says that old code can read what new code writes at that version, which
	// its publishers do if they are told to.
	AtVersion bool
	// Topics are those that carry what changed, by their full names.
	Topics []string
	// Waived is the reason of the waiver that covers the finding, or "".
	Waived string
}

// Breaks says whether the finding is one that the mode asks about.
func (f Finding) Breaks(m Mode) bool {
	switch {
	case f.Waived != "" || rule(f.Rule).Note:
		return false
	case f.Backward|f.Forward == 0:
		return true
	}
	return m.backward() && f.Backward != 0 || m.forward() && f.Forward != 0
}

// Who says whom the finding breaks and in which codecs, or "".
func (f Finding) Who() string {
	const newReads, oldReads = "new code can't read old messages in ", "old code can't read new messages in "
	switch {
	case f.Backward|f.Forward == 0:
		return ""
	case f.Backward == f.Forward:
		return "old and new code can't read each other's messages in " + f.Backward.String()
	case f.Forward == 0:
		return newReads + f.Backward.String()
	case f.Backward == 0:
		return oldReads + f.Forward.String()
	}
	return newReads + f.Backward.String() + "; " + oldReads + f.Forward.String()
}

// Compare returns what changed between a file of an old schema and a new schema, which
// may have its elements in other files, sorted by place. What had a number in the old
// file is what has it now, if it also was in each version between.
func Compare(old *model.File, schema *model.Schema, between ...*model.File) []Finding {
	c := newComparison(old, schema)
	c.between = between
	for _, m := range old.Messages {
		if next := c.messages[m.Name]; next != nil {
			c.pair(m, next)
		}
	}
	c.gone()
	for _, e := range old.Enums {
		if next := c.enums[e.Name]; next != nil {
			c.pairEnums(e, next)
		}
	}
	for _, s := range old.Services {
		c.service(s)
	}
	c.newServices()
	for _, f := range schema.Files {
		if f.Path == old.Path {
			c.file(old, f)
		}
	}
	return c.sorted()
}

// A comparison is of one old file with a new schema.
type comparison struct {
	old      *model.File
	schema   *model.Schema
	between  []*model.File
	messages map[string]*model.Message
	enums    map[string]*model.Enum
	services map[string]*model.Service
	topics   carriers
	// seen are the pairs of messages and enums that were compared, or stand in the
	// queue.
	seen     map[[2]any]bool
	queue    []func()
	findings []Finding
}

func newComparison(old *model.File, schema *model.Schema) *comparison {
	c := &comparison{
		old: old, schema: schema,
		messages: map[string]*model.Message{}, enums: map[string]*model.Enum{}, services: map[string]*model.Service{},
		topics: carriers{}, seen: map[[2]any]bool{},
	}
	for _, f := range schema.Files {
		for _, m := range f.Messages {
			c.messages[m.Name] = m
		}
		for _, e := range f.Enums {
			c.enums[e.Name] = e
		}
		for _, s := range f.Services {
			c.services[s.FullName()] = s
		}
		c.topics.add(f)
	}
	c.topics.add(old)
	return c
}

func (c *comparison) note(f Finding, about ...string) {
	f.Version = c.old.Version
	topics := f.Topics
	for _, name := range about {
		topics = append(topics, c.topics[name]...)
	}
	slices.Sort(topics)
	f.Topics = slices.Compact(topics)
	c.findings = append(c.findings, f)
}

// pos is the place of what is nowhere in the new schema: that of the file, or of one
// of the files if that is gone.
func (c *comparison) pos() model.Pos {
	for _, f := range c.schema.Files {
		if f.Target && f.Path == c.old.Path {
			return f.Pos
		}
	}
	for _, f := range c.schema.Files {
		if f.Target && f.Proto == c.old.Proto {
			return f.Pos
		}
	}
	return model.Pos{Path: c.old.Path}
}

// gone finds messages that are there no more. What a topic carries, what is part of a
// message that stays and what is part of one that is told of, has findings of its own.
func (c *comparison) gone() {
	told := map[*model.Message]bool{}
	var tell func(m *model.Message)
	tell = func(m *model.Message) {
		if m == nil || told[m] {
			return
		}
		told[m] = true
		for _, f := range m.Fields {
			tell(f.Type.Message)
		}
	}
	for _, s := range c.old.Services {
		for _, callback := range s.Callbacks {
			tell(callback.Input.Message)
		}
	}
	for _, m := range c.old.Messages {
		if c.messages[m.Name] != nil {
			tell(m)
		}
	}
	parts := map[*model.Message]bool{}
	for _, m := range c.old.Messages {
		for _, f := range m.Fields {
			if f.Type.Message != m {
				parts[f.Type.Message] = true
			}
		}
	}
	order := func(a, b *model.Message) int { // those that only hold each other come last
		return cmp.Or(cmp.Compare(when(parts[a], All), when(parts[b], All)), strings.Compare(a.Name, b.Name))
	}
	for _, m := range slices.SortedFunc(slices.Values(c.old.Messages), order) {
		if told[m] {
			continue
		}
		tell(m)
		c.note(Finding{
			Rule: MessageRemoved, Pos: c.pos(), Element: m.Name, Backward: All,
			Message: fmt.Sprintf("message %q is gone", m.Name),
			Mend:    "keep it for as long as a sender may send it",
		})
	}
}

// pair compares two messages, later and once.
func (c *comparison) pair(old, next *model.Message) {
	if key := [2]any{old, next}; !c.seen[key] {
		c.seen[key] = true
		c.queue = append(c.queue, func() { c.message(old, next) })
	}
}

func (c *comparison) pairEnums(old, next *model.Enum) {
	if key := [2]any{old, next}; !c.seen[key] {
		c.seen[key] = true
		c.queue = append(c.queue, func() { c.enum(old, next) })
	}
}

// sorted are the findings by place, each one once, when nothing is left to compare.
func (c *comparison) sorted() []Finding {
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		next()
	}
	slices.SortStableFunc(c.findings, compareFindings)
	return slices.CompactFunc(c.findings, func(a, b Finding) bool { return compareFindings(a, b) == 0 })
}

func compareFindings(a, b Finding) int {
	return cmp.Or(a.Pos.Compare(b.Pos), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Message, b.Message))
}
