package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
)

// apply brings the disk up to date. It first puts all new content beside the
// files to be, where disk or context may fail without a trace, and then moves it
// into place, so that a run changes all of its files or none. Only a file system
// that refuses a rename or a removal can leave it between the two.
func apply(ctx context.Context, changes []change) (err error) {
	var s staging
	defer func() {
		if err != nil {
			s.drop()
		}
	}()
	for _, c := range changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.state == missing || c.state == changed {
			if err := s.put(c); err != nil {
				return err
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	// From here on an interrupt waits.
	if err := s.move(); err != nil {
		return err
	}
	for _, c := range changes {
		if c.state != stale {
			continue
		}
		if err := os.Remove(c.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// A staging holds files that are written and not yet in place.
type staging struct {
	files   []staged
	folders []string // those made for the files
}

type staged struct {
	temporary, path string
}

// put writes the new content of a file beside it.
func (s *staging) put(c change) error {
	if err := s.makeFolder(filepath.Dir(c.path)); err != nil {
		return err
	}
	mode := fs.FileMode(0o666) // less what the umask takes
	if c.state == changed {
		info, err := os.Stat(c.path)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	// Go and this command's search for leftovers pass over the name.
	temporary := filepath.Join(filepath.Dir(c.path), fmt.Sprintf(".%s.%08x.tmp", filepath.Base(c.path), rand.Uint32()))
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	path := c.path
	if linked, err := filepath.EvalSymlinks(path); err == nil {
		path = linked // a link stays one
	}
	s.files = append(s.files, staged{temporary: temporary, path: path})
	_, err = f.Write(c.new)
	return errors.Join(err, f.Close())
}

// makeFolder makes a folder and those it lies in.
func (s *staging) makeFolder(folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if parent := filepath.Dir(folder); parent != folder {
		if err := s.makeFolder(parent); err != nil {
			return err
		}
	}
	switch err := os.Mkdir(folder, 0o777); {
	case errors.Is(err, fs.ErrExist):
		return nil // another run was faster, or the file in the way will tell
	case err != nil:
		return err
	}
	s.folders = append(s.folders, folder)
	return nil
}

// move puts all files into place.
func (s *staging) move() error {
	for len(s.files) > 0 {
		if err := os.Rename(s.files[0].temporary, s.files[0].path); err != nil {
			return err
		}
		s.files = s.files[1:]
	}
	return nil
}

// drop removes the files that are not in place, and the folders made for them.
func (s *staging) drop() {
	for _, f := range s.files {
		_ = os.Remove(f.temporary)
	}
	for _, folder := range slices.Backward(s.folders) {
		_ = os.Remove(folder) // one that is in use stays
	}
}

// list prints what was done about each file.
func list(changes []change, log io.Writer) {
	verbs := map[state]string{same: "unchanged", missing: "wrote", changed: "wrote", stale: "removed"}
	for _, c := range changes {
		fmt.Fprintf(log, "%s %s\n", verbs[c.state], c.path)
	}
}
