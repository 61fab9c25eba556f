package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// twice reports files that were compiled under two import paths, in place of all
// the symbols that are defined twice in consequence.
func (c *compilation) twice() bool {
	isTwice := func(d Diagnostic) bool { return strings.Contains(d.Message, alreadyDefined) }
	if !slices.ContainsFunc(c.errs, isTwice) {
		return false
	}
	paths := make([]string, 0, len(c.sources.disk))
	for path := range c.sources.disk {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	first := map[string]string{}
	var faults []Diagnostic
	for _, path := range paths {
		name := c.sources.disk[path]
		if other, ok := first[name]; ok {
			faults = append(faults, Diagnostic{Pos: model.Pos{Path: name}, Message: fmt.Sprintf(
				"the file is used under two import paths, %q and %q, so that all in it is defined twice; drop the -I that makes one of them", other, path)})
		}
		first[name] = path
	}
	if faults != nil {
		c.errs = append(slices.DeleteFunc(c.errs, isTwice), faults...)
	}
	return faults != nil
}

// definedAt matches the file that had a symbol first.
var definedAt = regexp.MustCompile(alreadyDefined + ` at (.+?\.proto)\b`)

// copies leaves, of the symbols of a file that another file defines too, the first
// one, and says there what to do about the two files.
func (c *compilation) copies() {
	first := map[[2]string]int{} // by file and the other one, the index of the fault
	more := map[[2]string]bool{}
	var kept []Diagnostic
	for _, d := range c.errs {
		m := definedAt.FindStringSubmatch(d.Message)
		if m == nil || m[1] == d.Pos.Path {
			kept = append(kept, d)
			continue
		}
		files := [2]string{d.Pos.Path, m[1]}
		if _, ok := first[files]; ok {
			more[files] = true
			continue
		}
		first[files] = len(kept)
		kept = append(kept, d)
	}
	for files := range more {
		d := &kept[first[files]]
		mend := "; the files have more symbols in common, so that they can't be used together: generate them apart, or rename the package of one"
		for i, other := range []string{files[1], files[0]} {
			if root, ok := strings.CutSuffix(files[i], "/"+other); ok {
				mend = fmt.Sprintf("; %s is a copy of %q under another import path: put -I %s before other folders, or leave it out", files[i], other, root)
			}
		}
		d.Message = strings.TrimSuffix(d.Message, renameOne) + mend
	}
	c.errs = kept
}
