package docgen

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// An object is an object of a document whose keys keep their order. Its values
// are objects, []any, string, bool and json.Number.
type object []member

type member struct {
	key   string
	value any
}

// with returns the object with a member more, unless the value says nothing:
// an empty string, false, an empty list or object.
func (o object) with(key string, value any) object {
	switch v := value.(type) {
	case string:
		if v == "" {
			return o
		}
	case bool:
		if !v {
			return o
		}
	case []any:
		if len(v) == 0 {
			return o
		}
	case object:
		if len(v) == 0 {
			return o
		}
	}
	return append(o, member{key, value})
}

// MarshalJSON returns the object with its keys in their order.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := plainJSON(m.value)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, jsonText(m.key)...), ':'), value...)
	}
	return append(b, '}'), nil
}

// plainJSON is JSON that does not escape what is special in HTML.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// jsonText is a string as JSON.
func jsonText(text string) []byte {
	b, err := plainJSON(text)
	if err != nil {
		return []byte(`""`) // strings always encode
	}
	return b
}

// parseJSON returns the value of JSON text that the loader has checked.
func parseJSON(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return text
	}
	if _, ok := v.(map[string]any); ok {
		return object{} // the only one that can be a default
	}
	return v
}

func encodeJSON(o object) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(o)
	return b.Bytes(), err
}

func encodeYAML(o object) ([]byte, error) {
	n, err := yamlNode(o)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	if err := e.Encode(n); err != nil {
		return nil, err
	}
	err = e.Close()
	return b.Bytes(), err
}

func yamlNode(v any) (*yaml.Node, error) {
	n := &yaml.Node{}
	add := func(values ...any) error {
		for _, value := range values {
			inner, err := yamlNode(value)
			if err != nil {
				return err
			}
			n.Content = append(n.Content, inner)
		}
		return nil
	}
	switch v := v.(type) {
	case object:
		n.Kind = yaml.MappingNode
		for _, m := range v {
			if err := add(m.key, m.value); err != nil {
				return nil, err
			}
		}
		return n, nil
	case []any:
		n.Kind = yaml.SequenceNode
		return n, add(v...)
	case json.Number:
		n.Kind, n.Value = yaml.ScalarNode, v.String()
		return n, nil
	case string:
		if strings.Contains(v, "\n") {
			n.Kind, n.Tag, n.Value, n.Style = yaml.ScalarNode, "!!str", v, yaml.DoubleQuotedStyle
			if isPlainBlock(v) {
				n.Style = yaml.LiteralStyle
			}
			return n, nil
		}
	}
	err := n.Encode(v)
	return n, err
}

// isPlainBlock says whether lines can stand in YAML as they are. The encoder's
// own judgement is wrong where a line begins with a tab or text with an empty line.
func isPlainBlock(text string) bool {
	if strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\n") {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(line, "\t") || strings.TrimRight(line, " \t") != line {
			return false
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}
