package cli

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/docgen"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/version"
)

// docFlags are the flags of the doc command. What schemas it is about is said as
// it is for generate.
type docFlags struct {
	schemas generateFlags
	format  string
	json    bool
	out     string
	check   bool
}

func newDoc(s Streams) *cobra.Command {
	var f docFlags
	cmd := &cobra.Command{
		Use:     "doc [flags] [FILE|FOLDER]...",
		Short:   "Write an AsyncAPI document or a Markdown reference of schemas",
		Long:    docLong,
		Example: docExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := f.requests(args, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), s, requests)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"proto"}, cobra.ShellCompDirectiveFilterFileExt
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.format, "format", docgen.Markdown, "write `FORMAT` "+strings.Join(docgen.Formats(), " or "))
	flags.BoolVar(&f.json, "json", false, "write AsyncAPI as JSON, not YAML; so is a file that\nends in .json")
	flags.StringVar(&f.out, "out", "", "write into `FILE` (default: standard output)")
	flags.StringArrayVarP(&f.schemas.include, "include", "I", nil, "look for imports in `FOLDER`; may be repeated\n(default \".\")")
	flags.StringSliceVar(&f.schemas.codecs, "codecs", nil, "the `CODECS` of the code, of "+strings.Join(gogen.Codecs(), ", ")+"\n(default all)")
	flags.StringVar(&f.schemas.config, "config", "", "document what `FILE` lists, not coordgen.yaml")
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with 1 and print a diff when\nthe file of --out is out of date")
	f.complete(cmd)
	return cmd
}

// complete says what a shell offers for the flags' values.
func (f *docFlags) complete(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(docgen.Formats(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("codecs", cobra.FixedCompletions(gogen.Codecs(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	_ = cmd.MarkFlagFilename("out", "md", "yaml", "yml", "json")
	_ = cmd.MarkFlagDirname("include")
}

// requests checks the flags and returns what is to be documented.
func (f *docFlags) requests(files []string, given func(flag string) bool) ([]request, error) {
	switch {
	case !slices.Contains(docgen.Formats(), f.format):
		return nil, usagef("unknown format %q; the formats are %s", f.format, strings.Join(docgen.Formats(), ", "))
	case f.json && f.format != docgen.AsyncAPI:
		return nil, usagef("--json is for --format %s", docgen.AsyncAPI)
	case f.check && f.out == "":
		return nil, usagef("--check compares with a file; name it with --out")
	}
	requests, err := f.schemas.requests(files, func(flag string) bool { return flag != "out" && given(flag) })
	return requests, toldBy("coordgen doc", err)
}

// run writes the document, or checks it.
func (f *docFlags) run(ctx context.Context, s Streams, requests []request) error {
	type product struct {
		document []byte
		warnings []load.Diagnostic
	}
	told := newProgress(s.Err)
	p, err := interruptible(ctx, func() (product, error) {
		document, warnings, err := f.document(ctx, requests, told)
		return product{document, warnings}, err
	})
	told.end()
	newReporter(s.Err).warnings(p.warnings)
	if err != nil {
		return err
	}
	if f.out == "" {
		_, err := s.Out.Write(p.document)
		return err
	}
	c, err := compareDocument(filepath.Clean(f.out), p.document)
	if err != nil {
		return err
	}
	if f.check {
		if docgen.SameButVersion(c.old, c.new) {
			c.state = same
		}
		return check([]change{c}, s.Out, s.Err, false)
	}
	return apply(ctx, []change{c})
}

// document makes the document of all requests.
func (f *docFlags) document(ctx context.Context, requests []request, told *progress) ([]byte, []load.Diagnostic, error) {
	results, warnings, err := loadAll(ctx, requests, told)
	if err != nil {
		return nil, warnings, err
	}
	parts := make([]docgen.Part, len(results))
	for i, result := range results {
		codecs := requests[i].codecs
		if len(codecs) == 0 {
			codecs = gogen.Codecs()
		}
		parts[i] = docgen.Part{Schema: result.Schema, Codecs: codecs}
	}
	document, err := docgen.Generate(parts, docgen.Options{
		Format: f.format, JSON: f.json || strings.EqualFold(filepath.Ext(f.out), ".json"), Version: version.Current(),
	})
	if clash, ok := errors.AsType[*docgen.ClashError](err); ok {
		err = load.Errors{{Pos: clash.At, Message: clash.Error()}}
	}
	return document, warnings, err
}

// compareDocument finds what is to be done so that the file holds the document.
// It refuses to replace a file that coordgen did not write.
func compareDocument(path string, document []byte) (change, error) {
	c, err := compareFile(path, document)
	if err == nil && c.inTheWay(docgen.Made(c.old)) {
		return c, load.Errors{{
			Pos:     model.Pos{Path: path},
			Message: "the file is in the way, and coordgen did not write it; move it, or write into another file",
		}}
	}
	return c, err
}
