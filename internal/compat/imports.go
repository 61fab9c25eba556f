package compat

import (
	"fmt"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// What stands in other files

// known says whether there is more to a message or an enum than its name. What comes
// with protobuf is what its name says.
func known(f *model.File) bool {
	return f != nil && !strings.HasPrefix(f.Path, "google/protobuf/")
}

// sameType compares the messages or enums of two types, later, and says whether they
// are the same as far as their names tell.
func (c *comparison) sameType(o, n model.Type) bool {
	switch {
	case o.Message != nil && n.Message != nil:
		if known(o.Message.File) && known(n.Message.File) {
			c.pair(o.Message, n.Message)
			return true
		}
		return c.sameName(o.Message.Name, n.Message.Name, n.Message.File)
	case o.Enum != nil && n.Enum != nil:
		if known(o.Enum.File) && known(n.Enum.File) {
			c.pairEnums(o.Enum, n.Enum)
			return true
		}
		return c.sameName(o.Enum.Name, n.Enum.Name, n.Enum.File)
	}
	return o.Message == nil == (n.Message == nil) && o.Enum == nil == (n.Enum == nil)
}

// sameName is for types that can't be compared. Of one of the user's that is a finding.
func (c *comparison) sameName(old, next string, in *model.File) bool {
	if old != next || !known(in) || !in.OnDisk {
		return old == next
	}
	f := Finding{
		Rule: ImportNotCompared, Pos: c.pos(), Element: in.Path,
		Message: fmt.Sprintf("import %q is not compared: what it was is not on record", in.Path),
		Mend:    fmt.Sprintf("run \"coordgen lock %s\"", in.Pos.Path),
	}
	if at := c.old.Imports[in.Path]; at != 0 && at != in.Version {
		f.Message = fmt.Sprintf("import %q is not compared: its version %d, which version %d was made of, is not on record", in.Path, at, c.old.Version)
		f.Mend = fmt.Sprintf("take the lock of %s from the version control, or waive it and record the next version with that", in.Pos.Path)
	}
	c.note(f)
	return true
}

// form compares what the file of a message says of it, where the file of the other
// one is another. What holds for a file that stayed, is told once.
func (c *comparison) form(old, next *model.Message) {
	if old.File.Path == next.File.Path {
		c.file(old.File, next.File)
		return
	}
	if was, is := jsonForm(old.File), jsonForm(next.File); was != is {
		c.note(Finding{
			Rule: JSONFormChanged, Pos: next.Pos, Element: next.Name, Backward: JSON, Forward: JSON,
			Message: fmt.Sprintf("message %q has moved to a file whose JSON is %s, from one where it was %s", next.Name, is, was),
			Mend:    "move it to a file with the form that it had",
		}, old.Name, next.Name)
	}
	if old.File.KeepUnknown && !next.File.KeepUnknown {
		c.note(Finding{
			Rule: UnknownFieldsDropped, Pos: next.Pos, Element: next.Name,
			Message: fmt.Sprintf("message %q has moved to a file whose messages do not keep fields that the schema lacks", next.Name),
			Mend:    "keep them, where messages are passed on",
		}, old.Name, next.Name)
	}
}

// file compares what holds for all of a file.
func (c *comparison) file(old, next *model.File) {
	if c.seen[[2]any{old, next}] {
		return
	}
	c.seen[[2]any{old, next}] = true
	if was, is := jsonForm(old), jsonForm(next); was != is {
		c.note(Finding{
			Rule: JSONFormChanged, Pos: next.Pos, Backward: JSON, Forward: JSON,
			Message: fmt.Sprintf("the file's JSON was %s, and is %s", was, is),
			Mend:    "keep the form, or give new messages in a file of their own the other one",
		})
	}
	if old.KeepUnknown && !next.KeepUnknown {
		c.note(Finding{
			Rule: UnknownFieldsDropped, Pos: next.Pos,
			Message: "fields that the schema lacks are no longer kept, so that code which passes messages on loses them",
			Mend:    "keep them, where messages are passed on",
		})
	}
}

func jsonForm(f *model.File) string {
	if f.Protojson {
		return "protojson's"
	}
	return "coordgen's"
}
