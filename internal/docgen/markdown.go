package docgen

import (
	"fmt"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// A page is a reference in Markdown. Its anchors are the full names of what they
// are anchors of, so that they don't depend on how a renderer makes them of
// headings, and are unique over packages.
type page struct {
	strings.Builder
}

const legend = `A field that a message does not have, or that is null, has the value named under *Absent*. *Required* means that a message without the field is refused; *nothing*, that absence is a state of its own. *Since* is the version of the schema.`

// markdown is the reference.
func (c *catalog) markdown(version string) []byte {
	p := &page{}
	p.para("<!-- " + strings.ReplaceAll(c.origin(version), "--", "- -") + " -->")
	p.para("# " + escape(c.title()))
	p.para("Schema version " + escape(c.version()) + ".")
	p.contents(c)
	p.para(legend)
	for _, s := range c.sections {
		p.section(s)
	}
	return []byte(strings.TrimRight(p.String(), "\n") + "\n")
}

func (p *page) para(text string) {
	if text != "" {
		p.WriteString(text + "\n\n")
	}
}

// heading is one that links lead to.
func (p *page) heading(level int, id, text string) {
	p.para(`<a id="` + id + `"></a>`)
	p.para(strings.Repeat("#", level) + " " + text)
}

func link(text, id string) string { return fmt.Sprintf("[%s](#%s)", escape(text), id) }

// fileID is the anchor of a file. It has a slash, which names of elements have not.
func fileID(f *model.File) string {
	var b strings.Builder
	for _, r := range "file/" + f.Path {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || strings.ContainsRune("/._-", r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "~%x", r)
		}
	}
	return b.String()
}

// short is the name of an element as a file sees it: without the file's package.
func short(f *model.File, name string) string { return strings.TrimPrefix(name, f.Proto+".") }

func (p *page) contents(c *catalog) {
	for _, s := range c.sections {
		p.WriteString("- " + link(s.file.Path, fileID(s.file)) + "\n")
		var services, messages, enums []string
		for _, service := range s.services {
			services = append(services, link(service.Name, fullName(service)))
		}
		for _, m := range s.messages {
			messages = append(messages, link(short(s.file, m.Name), m.Name))
		}
		for _, e := range s.enums {
			enums = append(enums, link(short(s.file, e.Name), e.Name))
		}
		for _, kind := range []struct {
			name  string
			links []string
		}{{"Namespaces", services}, {"Messages", messages}, {"Enums", enums}} {
			if len(kind.links) > 0 {
				p.WriteString("  - " + kind.name + ": " + strings.Join(kind.links, ", ") + "\n")
			}
		}
	}
	p.WriteString("\n")
}

func (p *page) section(s *section) {
	f := s.file
	p.heading(2, fileID(f), escape(f.Path))
	p.doc(f.Doc)
	facts := []string{fmt.Sprintf("Version %d.", f.Version)}
	if f.Proto != "" {
		facts = append([]string{"Package " + code(f.Proto) + "."}, facts...)
	}
	if !f.Target {
		facts = append(facts, "Only what the schemas above use of it is listed.")
	}
	if f.KeepUnknown {
		facts = append(facts, "Keys that a message has and the schema does not name are kept, and written back.")
	} else {
		facts = append(facts, "Keys that a message has and the schema does not name are dropped.")
	}
	p.para(strings.Join(facts, " "))
	for _, service := range s.services {
		p.service(service)
	}
	for _, m := range s.messages {
		p.message(m)
	}
	for _, e := range s.enums {
		p.enum(e)
	}
}

func (p *page) doc(d model.Doc) {
	if d.Deprecated {
		p.para("**Deprecated.**")
	}
	p.para(block(d.Text))
}

// description is what a cell says of an element: its comment, then remarks.
func description(d model.Doc, remarks ...string) string {
	var parts []string
	if d.Deprecated {
		parts = append(parts, "**Deprecated.**")
	}
	if text := cell(d.Text); text != "" {
		parts = append(parts, text)
	}
	for _, r := range remarks {
		if r != "" {
			parts = append(parts, r)
		}
	}
	return strings.Join(parts, " ")
}

// table prints rows of cells under a heading, if there are any.
func (p *page) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	rule := make([]string, len(head))
	for i := range rule {
		rule[i] = "---"
	}
	for _, row := range append([][]string{head, rule}, rows...) {
		p.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
	p.WriteString("\n")
}

func (p *page) service(s *model.Service) {
	p.heading(3, fullName(s), "Namespace "+escape(s.Name))
	p.doc(s.Doc)
	if s.Coordinator != nil {
		p.para("Its topics carry heartbeats, notices of leaving and assignments, so it has a coordinator.")
	}
	var topics, local [][]string
	for _, c := range s.Callbacks {
		if c.Topic == nil {
			local = append(local, []string{code(c.Name), inputLink(s, c), "by " + callerCell(c), description(c.Doc)})
			continue
		}
		receivers := "everyone"
		if f := c.Topic.AddressedBy; f != nil {
			receivers = code(f.Wire)
		}
		topics = append(topics, []string{
			code(address(s, c.Topic)), inputLink(s, c), receivers, versions(c.Topic.Since, c.Topic.Until),
			description(c.Doc, "Callback: "+code(c.Name)+"."),
		})
	}
	p.table([]string{"Topic", "Message", "Addressed to", "Since", "Description"}, topics)
	p.table([]string{"Local callback", "Takes", "Called", "Description"}, local)
}

func callerCell(c *model.Callback) string {
	if c.On == model.NoEvent {
		return "the program"
	}
	return "the coordinator, on " + code(eventName(c.On))
}

// inputLink is as a callback's service sees its input.
func inputLink(s *model.Service, c *model.Callback) string { return typeLink(c.Input, s.File) }

func (p *page) message(m *model.Message) {
	p.heading(3, m.Name, escape(short(m.File, m.Name)))
	p.doc(m.Doc)
	if role := m.Role.String(); role != "" {
		p.para("Role: " + code(role) + ".")
	}
	for _, o := range m.Oneofs {
		names := make([]string, len(o.Fields))
		for i, f := range o.Fields {
			names[i] = code(f.Field.Wire)
		}
		p.para(strings.TrimSpace("At most one of " + strings.Join(names, ", ") + " is set: " + code(o.Name) + ". " + cell(o.Doc.Text)))
	}
	if len(m.Fields) == 0 {
		p.para("It has no fields.")
	}
	rows := make([][]string, len(m.Fields))
	for i, f := range m.Fields {
		rows[i] = []string{
			code(f.Wire), fieldType(m, f), absence(f), versions(f.Since, f.Until),
			description(f.Doc, remarks(f)...),
		}
	}
	p.table([]string{"Field", "Type", "Absent", "Since", "Description"}, rows)
}

// remarks are what a field's comment does not say.
func remarks(f *model.Field) []string {
	var all []string
	if role := f.Role.String(); role != "" {
		all = append(all, "Role: "+code(role)+".")
	}
	if f.Name != f.Wire {
		all = append(all, "In the schema: "+code(f.Name)+".")
	}
	return append(all, alsoRead(f.Aliases))
}

func alsoRead(aliases []string) string {
	if len(aliases) == 0 {
		return ""
	}
	names := make([]string, len(aliases))
	for i, a := range aliases {
		names[i] = code(a)
	}
	return "Also read: " + strings.Join(names, ", ") + "."
}

// absence says what it means that a field is not there.
func absence(f *model.Field) string {
	switch value := absentValue(f); {
	case f.Required:
		return "**required**"
	case value != "":
		return code(value)
	case f.Oneof != nil:
		return "another of " + code(f.Oneof.Name)
	}
	return "nothing"
}

func fieldType(m *model.Message, f *model.Field) string {
	t := typeLink(f.Type, m.File)
	switch f.Card {
	case model.Repeated:
		return "list of " + t
	case model.Mapped:
		return "map of " + kindName(f.Key) + " to " + t
	}
	return t
}

// typeLink names a type as a file sees it: those of other packages in full.
func typeLink(t model.Type, from *model.File) string {
	switch {
	case t.IsNull():
		return code("null")
	case t.IsPaths():
		return "paths in one text, as " + code("id,order.placedAt")
	case t.Message != nil:
		return link(short(from, t.Message.Name), t.Message.Name)
	case t.Enum != nil:
		return link(short(from, t.Enum.Name), t.Enum.Name)
	}
	if t.Quoted {
		return kindName(t.Kind) + " in quotes"
	}
	return kindName(t.Kind)
}

func (p *page) enum(e *model.Enum) {
	p.heading(3, e.Name, escape(short(e.File, e.Name)))
	p.doc(e.Doc)
	other := "a name that is not listed comes from another version, and is kept."
	if e.File.Protojson {
		other = "a number, or a name that is not listed, comes from another version, and is kept."
	}
	p.para("An enum. It is written as the value's name; " + other)
	rows := make([][]string, len(e.Values))
	for i, v := range e.Values {
		rows[i] = []string{code(v.Wire), fmt.Sprint(v.Number), versions(v.Since, v.Until), description(v.Doc, alsoRead(v.Aliases))}
	}
	p.table([]string{"Value", "Number", "Since", "Description"}, rows)
}
