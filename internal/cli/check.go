package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// checkFlags are the flags of the check command. What schemas it is about is said as
// it is for generate.
type checkFlags struct {
	schemas generateFlags
	against string
	mode    string
	format  string
}

func checkFormats() []string { return []string{"text", "json", "github"} }

func modes() []string {
	var names []string
	for _, m := range compat.Modes() {
		names = append(names, string(m))
	}
	return names
}

func newCheck(s Streams) *cobra.Command {
	var f checkFlags
	cmd := &cobra.Command{
		Use:     "check [flags] [FILE|FOLDER]...",
		Short:   "Find what breaks old or new readers of schemas",
		Long:    checkLong,
		Example: checkExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := f.requests(args, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), s, requests)
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.against, "against", "", "compare with the schemas of `REV`, a git revision\nor a folder, not with the locks")
	flags.StringVar(&f.mode, "mode", string(compat.Full), "ask in `MODE`: backward, forward or full, each also\nwith -transitive behind it")
	flags.StringVar(&f.format, "format", "text", "write `FORMAT` "+strings.Join(checkFormats(), ", "))
	addSchemaFlags(cmd, &f.schemas)
	flags.StringSliceVar(&f.schemas.codecs, "codecs", nil, "the `CODECS` in use, of "+strings.Join(gogen.Codecs(), ", ")+"\n(default all)")
	_ = cmd.RegisterFlagCompletionFunc("mode", cobra.FixedCompletions(modes(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(checkFormats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("codecs", cobra.FixedCompletions(gogen.Codecs(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (f *checkFlags) requests(files []string, given func(flag string) bool) ([]request, error) {
	f.mode = strings.ToLower(f.mode)
	switch {
	case !slices.Contains(modes(), f.mode):
		return nil, usagef("unknown mode %q; the modes are %s", f.mode, strings.Join(modes(), ", "))
	case !slices.Contains(checkFormats(), f.format):
		return nil, usagef("unknown format %q; the formats are %s", f.format, strings.Join(checkFormats(), ", "))
	case given("against") && f.against == "":
		return nil, usagef("--against names nothing; name a git revision or a folder, or leave it out to compare with the locks")
	case f.against != "" && strings.HasSuffix(f.mode, "-transitive"):
		return nil, usagef("--mode %s asks about all versions on record, and --against names one; drop one of them", f.mode)
	}
	requests, err := f.schemas.requests(files, given)
	return requests, toldBy("coordgen check", err)
}

// run prints what is found, and fails where something breaks.
func (f *checkFlags) run(ctx context.Context, s Streams, requests []request) error {
	type product struct {
		report   *compat.Report
		warnings []load.Diagnostic
	}
	p, err := interruptible(ctx, func() (product, error) {
		report, warnings, err := f.compare(ctx, requests)
		return product{report, warnings}, err
	})
	newReporter(s.Err).warnings(p.warnings)
	if faults, is := errors.AsType[load.Errors](err); is {
		return errors.Join(err, writeFaults(s.Out, faults, f.format))
	}
	if err != nil {
		return err
	}
	if err := writeReport(s.Out, p.report, f.format); err != nil {
		return err
	}
	return failing(p.report)
}

// failing is the error of a check that finds something.
func failing(r *compat.Report) error {
	var counts []string
	breaks := r.Breaks()
	others := slices.DeleteFunc(slices.Clone(breaks), func(f compat.Finding) bool { return f.Backward|f.Forward != 0 })
	if n := len(breaks) - len(others); n > 0 {
		counts = append(counts, plural(n, "breaking change"))
	}
	if n := len(others); n > 0 {
		counts = append(counts, plural(n, "other finding"))
	}
	if len(counts) == 0 {
		return nil
	}
	what := "them"
	if len(breaks) == 1 {
		what = "it"
	}
	return fmt.Errorf("%s; mend %s, or waive %[2]s in the schema with the reason", strings.Join(counts, " and "), what)
}

// compare loads both sides and compares them.
func (f *checkFlags) compare(ctx context.Context, requests []request) (*compat.Report, []load.Diagnostic, error) {
	told := newProgress(io.Discard)
	defer told.end()
	there := make([]request, len(requests))
	for i, r := range requests {
		there[i] = r
		there[i].files = slices.DeleteFunc(slices.Clone(r.files), empty)
	}
	results, warnings, err := loadAll(ctx, there, told)
	if err != nil {
		return nil, warnings, err
	}
	var before []earlier
	if f.against != "" {
		if before, err = loadAgainst(ctx, f.against, requests); err != nil {
			return nil, warnings, err
		}
	}
	report := &compat.Report{}
	compared := false
	for i, r := range results {
		var h []compat.History
		switch {
		case f.against == "":
			recorded, without := histories(r)
			for _, file := range without {
				warnings = append(warnings, load.Diagnostic{Message: file + " has no lock to be compared with"})
			}
			gone, err := requests[i].forsaken(r)
			if err != nil {
				return nil, warnings, err
			}
			for _, versions := range append(recorded, gone...) {
				h = append(h, compat.History{Versions: versions, Whole: true})
			}
		default:
			var more []load.Diagnostic
			h, more = before[i].histories(r, f.against)
			warnings = append(warnings, more...)
		}
		compared = compared || len(h) > 0
		report.Join(compat.Check(h, r.Schema, compat.Options{Mode: compat.Mode(f.mode), Codecs: compat.CodecsOf(requests[i].codecs)}))
	}
	switch {
	case compared:
	case f.against == "":
		return nil, warnings, usagef("no schema has a version on record; record the released one with \"coordgen lock\", or compare with --against REV|FOLDER")
	case isFolder(f.against):
		return nil, warnings, usagef("--against %s has none of the schemas; it has to hold them at the paths that they have here", f.against)
	default: // as when the first schema is added
		report.Rollout = []string{"nothing was compared: " + f.against + " has none of the schemas at the paths that they have now."}
	}
	return report, warnings, nil
}

// breaksOf are warnings of what the schemas break of what their locks have. Schemas
// without a lock break nothing.
func breaksOf(r *load.Result, codecs []string) []load.Diagnostic {
	recorded, _ := histories(r)
	var h []compat.History
	for _, versions := range recorded {
		h = append(h, compat.History{Versions: versions})
	}
	var warnings []load.Diagnostic
	for _, f := range compat.NoRules(r.Schema) {
		warnings = append(warnings, load.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s: %s; %s", f.Rule, f.Message, f.Mend)})
	}
	for _, f := range compat.Check(h, r.Schema, compat.Options{Mode: compat.Full, Codecs: compat.CodecsOf(codecs)}).Breaks() {
		warnings = append(warnings, load.Diagnostic{Pos: f.Pos, Message: fmt.Sprintf("%s: %s (see \"coordgen check\")", f.Rule, f.Message)})
	}
	return warnings
}
