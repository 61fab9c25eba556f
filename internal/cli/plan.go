package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// A state is how a file on disk stands to what the run makes.
type state int

const (
	same    state = iota
	missing       // the file is not there
	changed       // its content is another
	stale         // an earlier run made it, this one does not
)

// A change is what is to be done about one file.
type change struct {
	path     string
	state    state
	old, new []byte // with the line ends that generated code has; nil where there is none
}

// compare finds what is to be done so that the disk holds what the run makes,
// by path. It refuses to replace a file that coordgen did not write.
func compare(p product) ([]change, error) {
	var changes []change
	var faults load.Errors
	made := map[string]bool{}
	for _, o := range p.outputs {
		made[o.path] = true
		c, err := compareFile(o.path, o.content)
		if err != nil {
			return nil, err
		}
		if _, ours := gogen.ParseHeader(c.old); c.inTheWay(ours) {
			faults = append(faults, load.Diagnostic{
				Pos:     model.Pos{Path: o.path},
				Message: "the file is in the way, and coordgen did not write it; move it, or generate into another folder",
			})
		}
		changes = append(changes, c)
	}
	if len(faults) > 0 {
		return nil, faults
	}
	left, err := p.leftovers(made)
	if err != nil {
		return nil, err
	}
	changes = append(changes, left...)
	slices.SortFunc(changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return changes, nil
}

// compareFile finds what is to be done so that a file has the content.
func compareFile(path string, content []byte) (change, error) {
	c := change{path: path, new: content}
	old, err := readGenerated(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		c.state = missing
		return c, nil
	case err != nil:
		return c, err
	}
	if c.old = old; !bytes.Equal(old, content) {
		c.state = changed
	}
	return c, nil
}

// inTheWay says whether a file that would be replaced may be the user's. Ours says
// that it is known not to be.
func (c change) inTheWay(ours bool) bool {
	return c.state == changed && !ours && len(c.old) > 0
}

// readGenerated reads a file as it was written: a checkout may have given it
// Windows' line ends since. It does not wait for a pipe or a device, which can
// stand there under the file's name.
func readGenerated(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is in the way: it is no file", path)
	}
	text, err := os.ReadFile(path)
	return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), err
}

// leftovers finds the files that an earlier run made of the same schemas, in the
// same folders, and this one does not make. What coordgen did not write, and
// what it made of other schemas, is not among them.
func (p product) leftovers(made map[string]bool) ([]change, error) {
	var changes []change
	for folder := range p.folders {
		entries, err := os.ReadDir(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, entry := range entries {
			path := filepath.Join(folder, entry.Name())
			if !entry.Type().IsRegular() || !strings.HasSuffix(path, ".gen.go") || made[path] {
				continue
			}
			old, err := readGenerated(path)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue // another run was faster
			case err != nil:
				return nil, err
			}
			if h, ours := gogen.ParseHeader(old); ours && (p.owned[place{folder: folder, schema: h.Schema}] || p.gone(folder, h.Schema)) {
				changes = append(changes, change{path: path, state: stale, old: old})
			}
		}
	}
	return changes, nil
}

// gone says whether a schema, of which there is code in a folder, lay in one of
// the folders of schemas that the configuration generates into it, and is no
// longer there. A command line is not trusted to name all that goes into a folder.
func (p product) gone(folder, schema string) bool {
	below := func(importPath string) bool {
		return importPath == "." || strings.HasPrefix(schema, importPath+"/")
	}
	isThere := func(include string) bool {
		_, err := os.Stat(filepath.Join(include, filepath.FromSlash(schema)))
		return err == nil
	}
	return slices.ContainsFunc(p.folders[folder], below) && !slices.ContainsFunc(p.include, isThere)
}

// nowhere is what a diff calls the side on which a file does not exist.
const nowhere = "/dev/null"

// check prints what is out of date, as a diff to out and by name to log. A file
// that another version of coordgen made with the same result is up to date.
func check(changes []change, out, log io.Writer, verbose bool) error {
	count := 0
	for _, c := range changes {
		if c.state == same || c.state == changed && gogen.SameCode(c.old, c.new) {
			if verbose {
				fmt.Fprintf(log, "unchanged %s\n", c.path)
			}
			continue
		}
		count++
		from, to, what := c.path, c.path, "is out of date"
		switch c.state {
		case missing:
			from, what = nowhere, "is missing"
		case stale:
			to, what = nowhere, "is no longer generated"
		}
		fmt.Fprintf(log, "%s: %s\n", c.path, what)
		if _, err := out.Write(diff.Diff(from, c.old, to, c.new)); err != nil {
			return err
		}
	}
	if count > 0 {
		return fmt.Errorf("%s out of date; run the command without --check and commit the result", plural(count, "file"))
	}
	return nil
}
