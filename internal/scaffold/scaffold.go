// Package scaffold makes the files that coordgen writes once and that are the
// user's from then on: templates and data become files, and what the user has
// made of them is read again, never written again.
package scaffold

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"path"
	"strings"
	"text/template"

	"github.com/coordgen/coordgen/templates"
)

// A File is a file that is the user's once it is written.
type File struct {
	// Name is the file's path below the folder that the scaffold is for, with
	// slashes.
	Name string
	// Content is the file's text. Go code is as gofmt leaves it.
	Content []byte
}

// Render executes the templates of a set, which is a folder of package templates,
// with the given data. The files' names are templates, too. The result is sorted
// by the names of the templates.
func Render(set string, data any) ([]File, error) {
	all, err := parse(set)
	if err != nil {
		return nil, err
	}
	entries, err := fs.ReadDir(templates.Files, set)
	if err != nil {
		return nil, err
	}
	var files []File
	for _, entry := range entries {
		name, err := template.New(entry.Name()).Parse(strings.TrimSuffix(entry.Name(), suffix))
		if err != nil {
			return nil, err
		}
		var path, content bytes.Buffer
		if err := name.Execute(&path, data); err != nil {
			return nil, err
		}
		if err := all.ExecuteTemplate(&content, entry.Name(), data); err != nil {
			return nil, err
		}
		f := File{Name: path.String(), Content: content.Bytes()}
		if strings.HasSuffix(f.Name, ".go") {
			if f.Content, err = format.Source(f.Content); err != nil {
				return nil, fmt.Errorf("template %s/%s: %w", set, entry.Name(), err)
			}
		}
		files = append(files, f)
	}
	return files, nil
}

// suffix is what the name of a template ends in.
const suffix = ".tmpl"

// parse reads the templates of a set, under the names of their files.
func parse(set string) (*template.Template, error) {
	return template.New(set).Option("missingkey=error").ParseFS(templates.Files, path.Join(set, "*"+suffix))
}
