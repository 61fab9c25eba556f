package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// lockFlags are the flags of the lock command. What schemas it is about is said as it
// is for generate.
type lockFlags struct {
	schemas generateFlags
	amend   bool
	check   bool
}

func newLock(s Streams) *cobra.Command {
	var f lockFlags
	cmd := &cobra.Command{
		Use:     "lock [flags] [FILE|FOLDER]...",
		Short:   "Record a version of schemas in the locks beside them",
		Long:    lockLong,
		Example: lockExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.amend && f.check {
				return usagef("--check writes nothing, and --amend says what to write; drop one of them")
			}
			requests, err := f.schemas.requests(args, cmd.Flags().Changed)
			if err != nil {
				return toldBy("coordgen lock", err)
			}
			return f.run(cmd.Context(), s, requests)
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	addSchemaFlags(cmd, &f.schemas)
	flags.BoolVar(&f.amend, "amend", false, "the version on record is not out yet: record it\nanew, with what changed since")
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with 1 and print a diff when\na lock is out of date")
	return cmd
}

// addSchemaFlags are the flags of a command that only reads schemas.
func addSchemaFlags(cmd *cobra.Command, f *generateFlags) {
	cmd.Flags().StringArrayVarP(&f.include, "include", "I", nil, "look for imports in `FOLDER`; may be repeated\n(default \".\")")
	cmd.Flags().StringVar(&f.config, "config", "", "do it for what `FILE` lists, not coordgen.yaml")
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	_ = cmd.MarkFlagDirname("include")
}

// run records the schemas, or checks their locks.
func (f *lockFlags) run(ctx context.Context, s Streams, requests []request) error {
	told := newProgress(s.Err)
	results, err := interruptible(ctx, func() ([]*load.Result, error) {
		results, _, err := loadAll(ctx, requests, told)
		return results, err
	})
	told.end()
	if err != nil {
		return err
	}
	var changes []change
	var carried, faults load.Errors
	var report []string
	var warnings []load.Diagnostic
	seen := map[string]bool{}
	for _, r := range results {
		for _, file := range r.Schema.Files {
			if !file.Target || seen[file.Pos.Path] {
				continue
			}
			seen[file.Pos.Path] = true
			if !file.OnDisk {
				carried = append(carried, load.Diagnostic{Pos: model.Pos{Path: file.Path}, Message: "the schema comes with coordgen and has no place for a lock; name a file of your own"})
				continue
			}
			c, said, fault := f.record(r, file)
			if fault != nil {
				faults = append(faults, *fault)
			}
			if c.path != "" {
				changes = append(changes, c)
				report = append(report, said...)
			}
		}
		warnings = append(warnings, withoutRecord(r)...)
	}
	warnings = slices.DeleteFunc(distinct(warnings), func(w load.Diagnostic) bool { return seen[w.Pos.Path] })
	newReporter(s.Err).warnings(warnings)
	if f.check && len(faults) > 0 {
		_ = check(changes, s.Out, s.Err, false) // the faults say what to do
	}
	switch {
	case len(faults) > 0:
		return faults
	case len(changes) == 0 && len(carried) > 0:
		return carried
	case f.check:
		return check(changes, s.Out, s.Err, false)
	}
	if err := apply(ctx, changes); err != nil {
		return err
	}
	for _, line := range report {
		fmt.Fprintln(s.Err, line)
	}
	return nil
}

// record is what is to be done so that the lock of a file has its version, and what to
// say about it.
func (f *lockFlags) record(r *load.Result, file *model.File) (c change, said []string, fault *load.Diagnostic) {
	path := filepath.Clean(file.Pos.Path) + lock.Extension
	l := r.Locks[file.Path]
	if l == nil {
		l = &lock.Lock{Path: path}
	}
	next, changed := l.Record(file, f.amend)
	other := wasOther(r, l, file)
	switch {
	case file.Version < l.Latest() && !slices.Contains(l.Versions(), file.Version):
		return change{}, nil, &load.Diagnostic{Pos: file.Pos, Message: fmt.Sprintf(
			"version %d is not on record, and version %d in %s is; if this is a new version, raise (coordgen.schema).version to %d; if it went out before that one, %s",
			file.Version, l.Latest(), path, l.Latest()+1, inOrder(file.Version))}
	case file.Version < l.Latest():
		return change{}, nil, &load.Diagnostic{Pos: file.Pos, Message: fmt.Sprintf(
			"the schema is at version %d, and %s has version %d on record; raise (coordgen.schema).version", file.Version, path, l.Latest())}
	case !f.amend && len(other) > 0:
		fault = &load.Diagnostic{Pos: file.Pos, Message: fmt.Sprintf(
			"version %d is on record and was another (%s); %sraise (coordgen.schema).version to %d, or, if version %[1]d is not out yet, say --amend",
			file.Version, few(changed), lock.Doubt(other), file.Version+1)}
		if !f.check {
			return change{}, nil, fault
		}
	}
	c, err := compareFile(path, next.Format())
	if err != nil {
		return change{}, nil, &load.Diagnostic{Pos: model.Pos{Path: path}, Message: err.Error()}
	}
	if c.state == same || fault != nil {
		return c, nil, fault
	}
	said = []string{fmt.Sprintf("recorded version %d in %s", file.Version, path)}
	for _, change := range changed {
		said = append(said, "  "+change.String())
	}
	if last := l.Latest(); last > 0 && file.Version > last+1 {
		said = append(said, fmt.Sprintf("  version %d is not on record, so that check can't compare with it; if it went out, %s", last+1, inOrder(last+1)))
	}
	return c, said, nil
}

// inOrder says how to record a version that was forgotten.
func inOrder(version int) string {
	return fmt.Sprintf("take the lock from before the later ones from the version control, lock the schema as it was at version %d, and then the later ones", version)
}

// withoutRecord are warnings of imports whose versions are not on record, and are not
// recorded by this run, so that check will not be able to compare them.
func withoutRecord(r *load.Result) []load.Diagnostic {
	var warnings []load.Diagnostic
	for _, file := range r.Schema.Files {
		for _, imported := range r.Schema.Files {
			_, uses := file.Imports[imported.Path]
			if !file.Target || imported.Target || !imported.OnDisk || !uses {
				continue
			}
			if l := r.Locks[imported.Path]; l == nil || !slices.Contains(l.Versions(), imported.Version) {
				warnings = append(warnings, load.Diagnostic{Pos: model.Pos{Path: imported.Pos.Path}, Message: fmt.Sprintf(
					"%s imports the schema, and its version %d is not on record, so that check can't compare it; run \"coordgen lock %s\"", file.Pos.Path, imported.Version, imported.Pos.Path)})
			}
		}
	}
	return warnings
}

// few names the first changes.
func few(changes []lock.Change) string {
	const most = 3
	text := ""
	for i, c := range changes {
		switch {
		case i == most:
			return fmt.Sprintf("%s and %d more", text, len(changes)-most)
		case i > 0:
			text += ", "
		}
		text += c.String()
	}
	return text
}
