package docgen_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/model"
)

// The YAML of a document says what its JSON does.
func TestYAMLIsTheJSON(t *testing.T) {
	all := append(corpus(t), schema{"hostile", hostile()})
	for _, s := range all {
		var fromYAML any
		require.NoError(t, yaml.Unmarshal(generate(t, s.parts, docgen.Options{Format: docgen.AsyncAPI}), &fromYAML), s.name)
		got, err := json.Marshal(fromYAML)
		require.NoError(t, err)
		assert.JSONEq(t, string(generate(t, s.parts, docgen.Options{Format: docgen.AsyncAPI, JSON: true})), string(got), s.name)
	}
}

// A document depends on what the schemas say, not on the order of their files in
// memory or on chance.
func TestTheSameSchemaGivesTheSameBytes(t *testing.T) {
	for _, s := range corpus(t) {
		for _, format := range docgen.Formats() {
			first := generate(t, s.parts, docgen.Options{Format: format})
			for range 5 {
				require.Equal(t, string(first), string(generate(t, s.parts, docgen.Options{Format: format})), s.name)
			}
		}
	}
}

// The keys of components are of the characters that AsyncAPI allows.
func TestKeysOfComponents(t *testing.T) {
	key := regexp.MustCompile(`^[a-zA-Z0-9.\-_]+$`)
	for _, s := range corpus(t) {
		var document struct {
			Channels, Operations map[string]any
			Components           map[string]map[string]any
		}
		require.NoError(t, json.Unmarshal(generate(t, s.parts, docgen.Options{Format: docgen.AsyncAPI, JSON: true}), &document))
		assert.Len(t, document.Operations, 2*len(document.Channels), s.name)
		for _, keys := range append(slices.Collect(func(yield func(map[string]any) bool) {
			for _, component := range document.Components {
				if !yield(component) {
					return
				}
			}
		}), document.Channels, document.Operations) {
			for name := range keys {
				assert.Regexp(t, key, name, s.name)
			}
		}
	}
}

// hostile is a schema whose texts hold all that YAML, Markdown and HTML have a
// meaning for.
func hostile() []docgen.Part {
	random := rand.New(rand.NewPCG(3, 4))
	pieces := strings.Split("| ` < > & * _ [ ] ( ) \\ ~ $ # - + = 1. : ' \" % @ ! ? , { } \u00a0 \u2028 \u0085 \x7f \x1b é 🚀 yes no null 0x1 1e3 <br> --> ``` ~~~ <a_id=x> ](#x) a b", " ")
	pieces = append(pieces, " ", "  ", "\t", "\n", "\n\n", "    ", "\n- ", "\n# ", "\n---\n", "\n    x")
	text := func() string {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		return b.String()
	}
	f := &model.File{Path: "a |`<b>.proto", Proto: "hostile", Version: 1, Target: true, KeepUnknown: true, Doc: model.Doc{Text: text()}}
	used := &model.File{Path: "used.proto", Version: 1}
	other := &model.Message{Name: "Other_", File: used, Doc: model.Doc{Text: text()}}
	used.Messages = []*model.Message{other}
	m := &model.Message{Name: "hostile.M", File: f, Doc: model.Doc{Text: text(), Deprecated: true}}
	e := &model.Enum{Name: "hostile.E", File: f, Doc: model.Doc{Text: text()}}
	o := &model.Oneof{Name: "o", Doc: model.Doc{Text: text()}}
	m.Oneofs = []*model.Oneof{o}
	f.Messages, f.Enums = []*model.Message{m}, []*model.Enum{e}
	s := &model.Service{Name: "S", File: f, Doc: model.Doc{Text: text()}, Prefix: "a|`{b}"}
	f.Services = []*model.Service{s}
	for i := range 400 {
		d := model.Doc{Text: text(), Deprecated: i%7 == 0}
		key := strings.Repeat("k", i) + text()
		field := &model.Field{Name: "f", Wire: key, Doc: d, Type: model.Type{Kind: model.KindString}, Since: 1, Default: `"` + strings.Repeat("|", i%3) + `"`, Aliases: []string{key + "|"}}
		switch i % 4 {
		case 0:
			field.Type, field.Default = model.Type{Kind: model.KindMessage, Message: other}, ""
		case 1:
			field.Oneof, field.Default = o, ""
			o.Fields = append(o.Fields, &model.OneofMember{Field: field})
		}
		m.Fields = append(m.Fields, field)
		e.Values = append(e.Values, &model.EnumValue{Name: "V", Wire: key, Doc: d, Since: 1, Aliases: []string{key + "|"}})
		c := &model.Callback{Name: "C" + strings.Repeat("c", i), Doc: d, Input: model.Type{Kind: model.KindMessage, Message: m}}
		if i%2 == 0 {
			c.Topic = &model.Topic{Name: key, AddressedBy: m.Fields[i], Since: 1}
		}
		s.Callbacks = append(s.Callbacks, c)
	}
	return []docgen.Part{{Schema: &model.Schema{Files: []*model.File{used, f}}, Codecs: codecs}}
}
