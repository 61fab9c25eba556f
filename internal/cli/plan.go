package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
			faults = append(faults, inTheWay(o.path)...)
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

func inTheWay(path string) load.Errors {
	return load.Errors{{
		Pos:     model.Pos{Path: path},
		Message: "the file is in the way, and coordgen did not write it; move it, or generate into another folder",
	}}
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
