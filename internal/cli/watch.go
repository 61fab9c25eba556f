package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long nothing may change before a watch generates: an editor
// saves in several steps, and a change of branch in many.
const settle = 100 * time.Millisecond

// watch generates what plan returns, and again whenever something changes that
// the result depends on, until ctx is done. A fault is told and waited out; only
// wrong use ends it.
func watch(ctx context.Context, s Streams, f generateFlags, plan func() ([]request, error)) (err error) {
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, notify.Close()) }()
	w := watcher{Watcher: notify, config: filepath.Clean(cmp.Or(f.config, configName)), folders: map[string]bool{}}
	if err := w.add(filepath.Dir(w.config)); err != nil {
		return err
	}
	for ctx.Err() == nil {
		begin := time.Now()
		requests, err := plan()
		if err == nil {
			if err := w.follow(requests); err != nil {
				return err
			}
			var read []string
			read, err = generate(ctx, s, f, requests)
			switch missed, err := w.followFiles(read, begin); {
			case err != nil:
				return err
			case missed:
				continue
			}
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, new(usageError)):
			return err
		case err != nil:
			newReporter(s.Err).failure(err)
		}
		fmt.Fprintf(s.Err, "coordgen: watching %s; interrupt to end\n", plural(len(w.folders), "folder"))
		if err := w.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

// A watcher waits for changes of schemas and of the configuration. It watches
// folders, since many programs replace a file rather than write into it.
type watcher struct {
	*fsnotify.Watcher
	config  string
	folders map[string]bool
}

// follow watches the folders of schemas and of imports that are known before the
// schemas are read.
func (w *watcher) follow(requests []request) error {
	for _, r := range requests {
		for _, name := range r.files {
			if !isFolder(name) {
				name = filepath.Dir(name)
				if err := w.add(name); err != nil {
					return err
				}
				continue
			}
			if err := w.addTree(name); err != nil {
				return err
			}
		}
		for _, name := range r.include {
			if err := w.add(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// followFiles watches the folders of files that were read, and says whether one
// of them, in a folder that was not watched, has changed since the run began.
func (w *watcher) followFiles(files []string, begin time.Time) (missed bool, err error) {
	for _, name := range files {
		folder := filepath.Dir(name)
		if w.folders[folder] {
			continue
		}
		if err := w.add(folder); err != nil {
			return false, err
		}
		if info, err := os.Stat(name); err == nil && info.ModTime().After(begin) {
			missed = true
		}
	}
	return missed, nil
}

// add watches a folder, if it is there.
func (w *watcher) add(folder string) error {
	err := w.Add(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("watch %s: %w", folder, err)
	}
	w.folders[folder] = true
	return nil
}

// addTree watches a folder and those below it, as the search for schemas goes.
func (w *watcher) addTree(root string) error {
	root += string(filepath.Separator) // so that a link to a folder is followed
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil //nolint:nilerr // the search for schemas tells
		case name != root && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		return w.add(filepath.Clean(name))
	})
}

// wait returns when something has changed and then nothing for a while, or when
// ctx is done.
func (w *watcher) wait(ctx context.Context) error {
	quiet := time.NewTimer(settle)
	quiet.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-quiet.C:
			return nil
		case err := <-w.Errors:
			return fmt.Errorf("watch: %w", err)
		case event := <-w.Events:
			if w.matters(event) {
				quiet.Reset(settle)
			}
		}
	}
}

// matters says whether what has changed may be read by a run.
func (w *watcher) matters(event fsnotify.Event) bool {
	if event.Op == fsnotify.Chmod {
		return false
	}
	name := filepath.Clean(event.Name)
	if w.folders[name] && event.Has(fsnotify.Remove|fsnotify.Rename) {
		delete(w.folders, name)
		return true
	}
	if event.Has(fsnotify.Create) && isFolder(name) {
		return true
	}
	return filepath.Ext(name) == ".proto" || name == w.config
}
