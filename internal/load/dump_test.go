package load

import (
	"fmt"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// dump prints a schema for people and golden files: a line for each element,
// its comment below it.
func dump(s *model.Schema) string {
	d := &dumper{}
	for _, f := range s.Files {
		d.file(f)
	}
	return d.String()
}

type dumper struct {
	strings.Builder
	depth int
	terse bool // leave out comments
}

func (d *dumper) line(doc model.Doc, parts ...string) {
	var full []string
	for _, p := range parts {
		if p != "" {
			full = append(full, p)
		}
	}
	if doc.Deprecated {
		full = append(full, "deprecated")
	}
	indent := strings.Repeat("    ", d.depth)
	d.WriteString(indent + strings.Join(full, "  ") + "\n")
	if doc.Text != "" && !d.terse {
		for line := range strings.SplitSeq(doc.Text, "\n") {
			d.WriteString(strings.TrimRight(indent+"  | "+line, " ") + "\n")
		}
	}
}

func (d *dumper) nested(inner func()) {
	d.depth++
	inner()
	d.depth--
}

func when(ok bool, format string, args ...any) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

func versions(since, until int) string {
	return when(since != 1, "since=%d", since) + when(until != 0, " until=%d", until)
}

func waivers(all []model.Waiver) string {
	var parts []string
	for _, w := range all {
		parts = append(parts, fmt.Sprintf("waives %s at %s: %s", w.Rule, w.Pos, w.Reason))
	}
	return strings.Join(parts, "  ")
}

func (d *dumper) reserved(r model.Reserved) {
	if r.Names != nil || r.Numbers != nil {
		d.line(model.Doc{}, fmt.Sprintf("reserved %q %v", r.Names, r.Numbers))
	}
}

func (d *dumper) file(f *model.File) {
	d.terse = !f.Target
	d.line(f.Doc, "file "+f.Path, when(f.Proto != "", "package %s", f.Proto), fmt.Sprintf("go %s;%s", f.Go.Path, f.Go.Name),
		fmt.Sprintf("version=%d", f.Version), when(!f.KeepUnknown, "drop unknown"), when(f.Protojson, "protojson"), when(!f.Target, "imported"), waivers(f.Waivers))
	d.nested(func() {
		for _, e := range f.Enums {
			d.enum(e)
		}
		for _, m := range f.Messages {
			d.message(m)
		}
		for _, s := range f.Services {
			d.service(s)
		}
	})
}

func (d *dumper) enum(e *model.Enum) {
	d.line(e.Doc, "enum "+e.Name, e.Go, e.Pos.String())
	d.nested(func() {
		d.reserved(e.Reserved)
		for _, v := range e.Values {
			d.line(v.Doc, fmt.Sprintf("%d %s", v.Number, v.Name), v.Go, fmt.Sprintf("%q", v.Wire),
				when(v.Aliases != nil, "aliases=%q", v.Aliases), versions(v.Since, v.Until), waivers(v.Waivers))
		}
	})
}

func (d *dumper) message(m *model.Message) {
	d.line(m.Doc, "message "+m.Name, m.Go, m.Pos.String(), when(m.Role != 0, "role=%d", m.Role), waivers(m.Waivers))
	d.nested(func() {
		d.reserved(m.Reserved)
		for _, o := range m.Oneofs {
			var members []string
			for _, f := range o.Fields {
				members = append(members, f.Go)
			}
			d.line(o.Doc, "oneof "+o.Name, o.Go, o.Interface+"("+strings.Join(members, ", ")+")")
		}
		for _, f := range m.Fields {
			d.line(f.Doc, fmt.Sprintf("%d %s", f.Number, f.Name), f.Go, typeName(f),
				when(f.Wire != f.Name, "key=%q", f.Wire), when(f.Required, "required"), when(f.Delimited, "delimited"), when(f.Packed, "packed"), when(f.Sensitive, "sensitive"), when(f.Default != "", "default=%s", f.Default),
				when(f.Aliases != nil, "aliases=%q", f.Aliases), versions(f.Since, f.Until), when(f.Role != 0, "role=%d", f.Role),
				when(f.Oneof != nil, "in oneof"), waivers(f.Waivers))
		}
	})
}

func typeName(f *model.Field) string {
	name := kindName(f.Type)
	switch f.Card {
	case model.Optional:
		return "optional " + name
	case model.Repeated:
		return "repeated " + name
	case model.Mapped:
		return "map of " + kindName(model.Type{Kind: f.Key, Encoding: f.KeyEncoding}) + " to " + name
	case model.Single:
	}
	return name
}

func kindName(t model.Type) string {
	switch t.Kind {
	case model.KindMessage:
		return t.Message.Go
	case model.KindEnum:
		return t.Enum.Go
	}
	quoted := when(t.Quoted, "text of ")
	form := map[model.Encoding]string{model.Zigzag: "zigzag ", model.Fixed: "fixed ", model.Wrapped: "wrapped "}[t.Encoding]
	return quoted + form + map[model.Kind]string{
		model.KindBool: "bool", model.KindInt32: "int32", model.KindInt64: "int64", model.KindUint32: "uint32",
		model.KindUint64: "uint64", model.KindFloat32: "float32", model.KindFloat64: "float64", model.KindString: "string",
		model.KindBytes: "bytes", model.KindTime: "time", model.KindDuration: "duration", model.KindStruct: "struct",
		model.KindValue: "value", model.KindListValue: "listvalue",
	}[t.Kind]
}

func (d *dumper) service(s *model.Service) {
	d.line(s.Doc, "service "+s.Name, s.Go, s.Pos.String(), when(s.Prefix != "", "prefix=%q", s.Prefix))
	d.nested(func() {
		for _, c := range s.Callbacks {
			topic := strings.TrimRight("local  "+versions(c.Since, c.Until), " ")
			if t := c.Topic; t != nil {
				topic = strings.TrimRight(fmt.Sprintf("topic %q  %s", t.Name, t.Go)+when(t.Const != t.Go+"Topic", "  const %s", t.Const)+when(t.AddressedBy != nil, "  addressed by %s", name(t.AddressedBy))+"  "+versions(t.Since, t.Until), " ")
			}
			d.line(c.Doc, "rpc "+c.Name, c.Go, kindName(c.Input), topic, when(c.On != 0, "on=%d", c.On), when(c.Func != c.Go+"Callback", "func %s", c.Func))
		}
		if co := s.Coordinator; co != nil {
			d.line(model.Doc{}, "coordinator", callbackGo(co.Heartbeat), callbackGo(co.Shutdown), callbackGo(co.Assignment), callbackGo(co.Timeout), callbackGo(co.LeaderChange))
		}
	})
}

func name(f *model.Field) string {
	if f == nil {
		return ""
	}
	return f.Name
}

func callbackGo(c *model.Callback) string {
	if c == nil {
		return "-"
	}
	return c.Go
}
