package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// configName is the configuration that is read from the current folder.
const configName = "coordgen.yaml"

// readConfig reads a configuration: what "coordgen generate" does without
// schemas on the command line. Its paths are made relative to the current
// folder. The faults of its text are [load.Errors].
func readConfig(path string) ([]request, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c := &config{path: path, folder: filepath.Dir(path)}
	requests := c.read(text)
	if len(c.faults) > 0 {
		return nil, load.Errors(distinct(c.faults))
	}
	return requests, nil
}

// A config walks the nodes of a configuration, rather than decode it into a
// struct, so that each fault has its place and is told in the file's own words.
type config struct {
	path   string
	folder string
	faults load.Errors
}

// fault notes a fault at a node, or of the whole file where there is none.
func (c *config) fault(n *yaml.Node, format string, args ...any) {
	pos := model.Pos{Path: c.path}
	if n != nil {
		pos = c.pos(n)
	}
	c.faults = append(c.faults, load.Diagnostic{Pos: pos, Message: fmt.Sprintf(format, args...)})
}

func (c *config) pos(n *yaml.Node) model.Pos {
	return model.Pos{Path: c.path, Line: n.Line, Col: n.Column}
}

const configHint = "it begins with \"generate:\" and a list of what to generate; \"coordgen generate --help\" shows one"

func (c *config) read(text []byte) []request {
	documents := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	switch err := documents.Decode(&document); {
	case errors.Is(err, io.EOF):
		c.fault(nil, "the file is empty; %s", configHint)
		return nil
	case err != nil:
		c.syntax(err)
		return nil
	}
	if err := documents.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		c.fault(nil, "the file holds more than one YAML document; write one")
	}
	var requests []request
	root := document.Content[0]
	keys := c.mapping(root, "the configuration", map[string]func(*yaml.Node){
		"generate": func(n *yaml.Node) {
			for _, entry := range c.list(n, "what to generate") {
				requests = append(requests, c.entry(entry))
			}
		},
	})
	if root.Kind == yaml.MappingNode && !keys["generate"] {
		c.fault(root, "there is nothing to generate; %s", configHint)
	}
	return requests
}

// entry reads one thing to generate.
func (c *config) entry(n *yaml.Node) request {
	r := request{pos: c.pos(n), include: []string{c.folder}, out: c.folder}
	keys := c.mapping(n, "an entry of \"generate\"", map[string]func(*yaml.Node){
		"schemas":  func(n *yaml.Node) { r.files = c.paths(n, ".proto files, and folders of them") },
		"include":  func(n *yaml.Node) { r.include = c.paths(n, "folders") },
		"out":      func(n *yaml.Node) { r.out = c.relative(c.text(n)) },
		"module":   func(n *yaml.Node) { r.module = c.text(n) },
		"packages": func(n *yaml.Node) { r.packages = c.pairs(n, "the Go packages of .proto files, or of folders of them") },
		"codecs": func(n *yaml.Node) {
			for _, codec := range c.list(n, "codecs") {
				name := c.text(codec)
				if name != "" && !slices.Contains(gogen.Codecs(), name) {
					c.fault(codec, "unknown codec %q; the codecs are %s", name, strings.Join(gogen.Codecs(), ", "))
				}
				r.codecs = append(r.codecs, name)
			}
		},
	})
	if resolve(n).Kind == yaml.MappingNode && !keys["schemas"] {
		c.fault(n, "the entry has no \"schemas\"; list its .proto files, or folders of them")
	}
	return r
}

// mapping hands each value of a mapping to the reader of its key, and returns
// the keys that it has.
func (c *config) mapping(n *yaml.Node, what string, readers map[string]func(*yaml.Node)) map[string]bool {
	n = resolve(n)
	names := strings.Join(slices.Sorted(maps.Keys(readers)), ", ")
	if n.Kind != yaml.MappingNode {
		c.fault(n, "%s has keys and values (%s); this is %s", what, names, kind(n))
		return nil
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		read, known := readers[key.Value]
		switch {
		case !known:
			c.fault(key, "unknown key %q; %s has the keys %s", key.Value, what, names)
		case seen[key.Value]:
			c.fault(key, "key %q is there twice", key.Value)
		default:
			seen[key.Value] = true
			read(value)
		}
	}
	return seen
}

// pairs reads a mapping of text to text whose keys are import paths.
func (c *config) pairs(n *yaml.Node, what string) map[string]string {
	n = resolve(n)
	if n.Kind != yaml.MappingNode {
		c.fault(n, "want %s; this is %s", what, kind(n))
		return nil
	}
	pairs := map[string]string{}
	for i := 0; i < len(n.Content); i += 2 {
		key := path.Clean(c.text(n.Content[i]))
		if _, twice := pairs[key]; twice {
			c.fault(n.Content[i], "%q is there twice", key)
		}
		pairs[key] = c.text(n.Content[i+1])
	}
	return pairs
}

// list returns the elements of a list that may not be empty.
func (c *config) list(n *yaml.Node, of string) []*yaml.Node {
	n = resolve(n)
	switch {
	case n.Kind != yaml.SequenceNode:
		c.fault(n, "want a list of %s; this is %s", of, kind(n))
		return nil
	case len(n.Content) == 0:
		c.fault(n, "the list is empty; want a list of %s", of)
	}
	return n.Content
}

func (c *config) paths(n *yaml.Node, of string) []string {
	var paths []string
	for _, element := range c.list(n, of) {
		paths = append(paths, c.relative(c.text(element)))
	}
	return paths
}

// relative makes a path of the file one of the current folder.
func (c *config) relative(path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(c.folder, path)
}

func (c *config) text(n *yaml.Node) string {
	n = resolve(n)
	switch {
	case n.Kind != yaml.ScalarNode || n.Tag != "!!str":
		c.fault(n, "want text; this is %s", kind(n))
		return ""
	case n.Value == "":
		c.fault(n, "the text is empty")
	}
	return n.Value
}

// syntax notes what the YAML parser found. It gives a line in its text, and by
// the kind of fault counts lines from 1 or from 0.
func (c *config) syntax(err error) {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	at := &yaml.Node{Line: 1, Column: 1}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		line, text, _ := strings.Cut(rest, ": ")
		if number, err := strconv.Atoi(line); err == nil {
			at.Line, message = number, text
		}
	}
	c.fault(at, "not YAML, here or on the next line: %s", message)
}

// resolve returns the node that an alias stands for.
func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// kind is what a node is, in words.
func kind(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "empty"
	case n.Tag == "!!str":
		return "text"
	}
	return fmt.Sprintf("the value %s, which is text only in quotes", n.Value)
}
