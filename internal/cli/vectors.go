package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/runtime/vector"
)

func newVectors(s Streams) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:     "vectors [flags] [FILE|FOLDER]...",
		Short:   "Keep samples of what each version of schemas writes",
		Long:    vectorsLong,
		Example: vectorsExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := f.requests(args, cmd.Flags().Changed)
			if err != nil {
				return toldBy("coordgen vectors", err)
			}
			return writeVectors(cmd.Context(), s, f, requests)
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.add(cmd)
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with 1 and print a diff when\nsomething is out of date, or is not as it was made")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print a line for each file")
	return cmd
}

// writeVectors brings the vectors of the schemas and their tests up to date, or checks
// them.
func writeVectors(ctx context.Context, s Streams, f generateFlags, requests []request) error {
	told := newProgress(s.Err)
	p, err := interruptible(ctx, func() (vectorsProduct, error) { return produceVectors(ctx, requests, told) })
	told.end()
	newReporter(s.Err).warnings(p.warnings)
	if err != nil {
		return err
	}
	if f.check {
		newReporter(s.Err).warnings(p.history)
		if err := check(p.changes, s.Out, s.Err, f.verbose); err != nil || len(p.history) == 0 {
			return err
		}
		return fmt.Errorf("%s not as made", plural(len(p.history), "file"))
	}
	if err := apply(ctx, p.changes); err != nil {
		return err
	}
	newReporter(s.Err).warnings(slices.Concat(p.history, p.notes))
	if !f.verbose {
		p.changes = slices.DeleteFunc(p.changes, func(c change) bool { return c.state == same })
	}
	list(p.changes, s.Err)
	return nil
}

// A vectorsProduct is all that a run is to leave on disk.
type vectorsProduct struct {
	changes  []change
	warnings []load.Diagnostic
	// history are the files of older versions that are not as they were made, and
	// notes those that would be made otherwise today. All of them stay.
	history, notes []load.Diagnostic
}

func produceVectors(ctx context.Context, requests []request, told *progress) (vectorsProduct, error) {
	var p vectorsProduct
	results, warnings, err := loadAll(ctx, requests, told)
	p.warnings = warnings
	if err != nil {
		return p, err
	}
	var faults load.Errors
	for i, r := range requests {
		folders, err := r.folders(results[i].Schema)
		var some load.Errors
		if errors.As(err, &some) {
			faults = append(faults, some...)
			continue
		}
		for _, file := range results[i].Schema.Files {
			if file.Target {
				c := newChronicle(&p, results[i], file, folders[file.Go], r.codecs)
				if err := c.write(ctx); errors.As(err, &some) {
					faults = append(faults, some...)
				} else if err != nil {
					return p, err
				}
			}
		}
	}
	slices.SortStableFunc(p.changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	for i, c := range p.changes {
		if i > 0 && c.path == p.changes[i-1].path {
			faults = append(faults, load.Diagnostic{Pos: model.Pos{Path: c.path}, Message: "two entries of the configuration write this file; give one of them another \"out\""})
		}
	}
	p.warnings = distinct(p.warnings)
	if len(faults) > 0 {
		return p, load.Errors(distinct(faults))
	}
	return p, nil
}

// leftovers finds files of vectors that are of no version, or of no message that it
// has. Those of the current version go, the others are told of.
func (c *chronicle) leftovers(made map[string]bool) error {
	versions, err := os.ReadDir(c.folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, version := range versions {
		if !version.IsDir() || !strings.HasPrefix(version.Name(), "v") {
			continue
		}
		files, err := os.ReadDir(filepath.Join(c.folder, version.Name()))
		if err != nil {
			return err
		}
		for _, file := range files {
			path := filepath.Join(c.folder, version.Name(), file.Name())
			if made[path] || !file.Type().IsRegular() || filepath.Ext(path) != vector.Extension {
				continue
			}
			text, err := readGenerated(path)
			switch {
			case err != nil:
				return err
			case !vector.Made(text):
			case version.Name() == fmt.Sprintf("v%d", c.file.Version):
				c.changes = append(c.changes, change{path: path, state: stale, old: text})
			default:
				c.history = append(c.history, load.Diagnostic{Pos: model.Pos{Path: path}, Message: c.unknown(version.Name())})
			}
		}
	}
	return nil
}

// unknown says what to do about a file that the lock knows nothing of, of the version
// with that folder.
func (c *chronicle) unknown(version string) string {
	lacks := "no such message at " + version
	if l := c.result.Locks[c.file.Path]; l == nil || !slices.ContainsFunc(l.Versions(), func(v int) bool { return fmt.Sprintf("v%d", v) == version }) {
		lacks = "nothing of " + version
	}
	return fmt.Sprintf("%s%s has %s; if it lost that, take the lock from the version control; delete the file only if nobody ever sent this", c.file.Pos.Path, lock.Extension, lacks)
}
