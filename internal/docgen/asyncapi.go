package docgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// asyncAPI is the AsyncAPI document. It describes an instance, which sends and
// receives on every topic.
func (c *catalog) asyncAPI(version string) object {
	var channels, operations, messages, schemas object
	seen := map[string]bool{}
	for _, s := range c.sections {
		for _, service := range s.services {
			for _, callback := range service.Callbacks {
				if callback.Topic == nil {
					continue
				}
				id := fullName(service) + "." + callback.Name
				channels = append(channels, member{id, channel(service, callback, s.codecs)})
				operations = append(operations, operationsOf(id, callback)...)
				for _, codec := range s.codecs {
					if name := messageName(callback, codec); !seen[name] {
						seen[name] = true
						messages = append(messages, member{name, message(callback.Input.Message, codec)})
					}
				}
			}
		}
		for _, m := range s.messages {
			schemas = append(schemas, member{m.Name, messageSchema(m)})
		}
		for _, e := range s.enums {
			schemas = append(schemas, member{e.Name, enumSchema(e)})
		}
	}
	o := object{
		{"asyncapi", "3.0.0"},
		{"x-generated", c.origin(version)},
		{"info", object{{"title", c.title()}, {"version", c.version()}, {"description", c.description()}}},
		{"channels", channels},
		{"operations", operations},
	}
	return o.with("components", object{}.with("messages", messages).with("schemas", schemas))
}

// What holds for all messages.
const (
	jsonNote    = "The schemas describe messages as they are written in JSON."
	msgpackNote = " In msgpack the keys and the values are the same, but a time is a timestamp extension and bytes are binary."
	protoNote   = " In protobuf the fields have the numbers of the .proto schema."
	absentNote  = "A key that is absent, or null, stands for the field's default. Keys that a schema does not list come from other versions, as do names of enums."
)

// description says what the files say about themselves, what has no channel, and
// what holds for all messages.
func (c *catalog) description() string {
	var parts []string
	var callbacks strings.Builder
	for _, s := range c.sections {
		if s.file.Target && s.file.Doc.Text != "" {
			parts = append(parts, s.file.Doc.Text)
		}
		for _, service := range s.services {
			for _, callback := range service.Callbacks {
				if callback.Topic == nil {
					fmt.Fprintf(&callbacks, "\n- %s.%s, %s, takes %s%s", fullName(service), callback.Name,
						caller(callback), inputName(callback), behind(callback.Doc))
				}
			}
		}
	}
	if callbacks.Len() > 0 {
		parts = append(parts, "Local callbacks, which no topic feeds:\n"+callbacks.String())
	}
	note := jsonNote
	if slices.ContainsFunc(c.sections, func(s *section) bool { return slices.Contains(s.codecs, "msgpack") }) {
		note += msgpackNote
	}
	if slices.ContainsFunc(c.sections, func(s *section) bool { return slices.Contains(s.codecs, "proto") }) {
		note += protoNote
	}
	return strings.Join(append(parts, note, absentNote), "\n\n")
}

// caller says who calls a local callback.
func caller(c *model.Callback) string {
	if c.On == model.NoEvent {
		return "called by the program"
	}
	return "called by the coordinator on " + eventName(c.On)
}

func inputName(c *model.Callback) string {
	if c.Input.Message != nil {
		return c.Input.Message.Name
	}
	return kindName(c.Input.Kind)
}

// behind is a comment behind a name, on the same line.
func behind(d model.Doc) string {
	text := strings.Join(strings.Fields(d.Text), " ")
	if d.Deprecated {
		text = strings.TrimSpace("Deprecated. " + text)
	}
	if text == "" {
		return ""
	}
	return ": " + text
}

// channel describes a topic. In an address braces enclose parameters, so a brace
// of the topic's name is a parameter that has one value.
func channel(s *model.Service, c *model.Callback, codecs []string) object {
	full := address(s, c.Topic)
	o := object{{"address", strings.NewReplacer("{", "{open}", "}", "{close}").Replace(full)}, {"title", c.Name}}
	d := c.Doc
	if d.Deprecated {
		d.Text = strings.TrimSpace(d.Text + "\n\nDeprecated.")
	}
	o = o.with("description", d.Text)
	var messages, parameters object
	for _, codec := range codecs {
		name := messageName(c, codec)
		messages = append(messages, member{name, ref("messages", name)})
	}
	for _, p := range []struct{ name, text string }{{"open", "{"}, {"close", "}"}} {
		if strings.Contains(full, p.text) {
			parameters = append(parameters, member{p.name, object{{"description", "A brace of the name."}, {"enum", []any{p.text}}, {"default", p.text}}})
		}
	}
	o = annotate(o.with("messages", messages).with("parameters", parameters), model.Doc{}, c.Topic.Since, c.Topic.Until, nil)
	if f := c.Topic.AddressedBy; f != nil {
		o = append(o, member{"x-coordgen-addressed-by", f.Wire})
	}
	return o
}

func operationsOf(id string, c *model.Callback) object {
	of := object{{"$ref", "#/channels/" + id}}
	received := "Receive each " + c.Input.Message.Name
	if f := c.Topic.AddressedBy; f != nil {
		received += " whose " + f.Wire + " is this instance"
	}
	return object{
		{id + ".send", object{{"action", "send"}, {"channel", of}, {"summary", "Publish " + c.Input.Message.Name + ", to every instance."}}},
		{id + ".receive", object{{"action", "receive"}, {"channel", of}, {"summary", received + "."}}},
	}
}

// messageName is the key of a message. AsyncAPI gives a message one content
// type, and a channel any number of messages, of which what is sent is one: so
// each codec has a message of its own.
func messageName(c *model.Callback, codec string) string { return c.Input.Message.Name + "." + codec }

// contentType is the media type that the runtime gives to payloads of the codec.
func contentType(codec string) string {
	if codec == "proto" {
		return "application/protobuf"
	}
	return "application/" + codec
}

func message(m *model.Message, codec string) object {
	title := strings.TrimPrefix(m.Name, m.File.Proto+".")
	return object{
		{"name", m.Name},
		{"title", title + " as " + codec},
		{"contentType", contentType(codec)},
		{"payload", ref("schemas", m.Name)},
	}
}
