// Package docgen writes what people and tools read about a schema: an AsyncAPI
// 3.0 document, and a reference in Markdown. Like package gogen it reads the
// model and decides no names.
package docgen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// The formats of documents.
const (
	AsyncAPI = "asyncapi"
	Markdown = "markdown"
)

// Formats are the names of the formats.
func Formats() []string { return []string{AsyncAPI, Markdown} }

// A Part is a schema to document, with others or alone.
type Part struct {
	Schema *model.Schema
	// Codecs are the names of those that the schema's messages have.
	Codecs []string
}

// Options say what to write.
type Options struct {
	// Format is one of those that [Formats] returns.
	Format string
	// JSON asks for AsyncAPI as JSON. Without it, it is YAML.
	JSON bool
	// Version is coordgen's version, for the line that says where the document
	// is from.
	Version string
}

// Generate returns one document of the parts' target files, and of what these
// use of others. The parts may hold the same file; two files that declare the
// same name are an error.
func Generate(parts []Part, o Options) ([]byte, error) {
	c, err := newCatalog(parts)
	if err != nil {
		return nil, err
	}
	switch o.Format {
	case AsyncAPI:
		document := c.asyncAPI(o.Version)
		if o.JSON {
			return encodeJSON(document)
		}
		return encodeYAML(document)
	case Markdown:
		return c.markdown(o.Version), nil
	}
	return nil, fmt.Errorf("unknown format %q; the formats are %s", o.Format, strings.Join(Formats(), ", "))
}

// title names the protobuf packages of the target files.
func (c *catalog) title() string {
	var names []string
	for _, s := range c.sections {
		name := s.file.Proto
		if name == "" {
			name = s.file.Base()
		}
		if s.file.Target && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// version is the target files' version, or that of each where they differ.
func (c *catalog) version() string {
	var all, each []string
	for _, s := range c.sections {
		if s.file.Target {
			all = append(all, fmt.Sprint(s.file.Version))
			each = append(each, fmt.Sprintf("%s %d", s.file.Path, s.file.Version))
		}
	}
	if len(slices.Compact(all)) == 1 {
		return all[0]
	}
	return strings.Join(each, ", ")
}
