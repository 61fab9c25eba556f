package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/gogen"
)

// generateFlags are the flags of the generate command.
type generateFlags struct {
	config   string
	include  []string
	out      string
	module   string
	packages map[string]string
	codecs   []string
	check    bool
	watch    bool
	verbose  bool
}

func newGenerate(s Streams) *cobra.Command {
	var f generateFlags
	cmd := &cobra.Command{
		Use:     "generate [flags] [FILE|FOLDER]...",
		Short:   "Write the Go code of schemas",
		Long:    generateLong,
		Example: generateExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			plan := func() ([]request, error) { return f.requests(args, cmd.Flags().Changed) }
			if f.watch {
				return watch(cmd.Context(), s, f, plan)
			}
			requests, err := plan()
			if err != nil {
				return err
			}
			_, err = generate(cmd.Context(), s, f, requests)
			return err
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.add(cmd)
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with 1 and print a diff when\nsomething is out of date")
	flags.BoolVar(&f.watch, "watch", false, "generate, and again whenever a schema or the\nconfiguration changes, until interrupted")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print a line for each file")
	return cmd
}

// add adds the flags that say what is generated and where it goes.
func (f *generateFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVarP(&f.include, "include", "I", nil, "look for imports in `FOLDER`; may be repeated\n(default \".\")")
	flags.StringVar(&f.out, "out", ".", "write into `FOLDER`")
	flags.StringVar(&f.module, "module", "", "the import `PATH` of the output folder; needed for\nschemas of several Go packages")
	flags.StringToStringVar(&f.packages, "package", nil, "the Go package of a .proto file, of a folder of them,\nor for a go_package, in place of what the files say,\nas `PROTO=GO`; may be repeated")
	flags.Lookup("package").DefValue = "" // else help shows it as []
	flags.StringSliceVar(&f.codecs, "codecs", nil, "generate these `CODECS` only, of "+strings.Join(gogen.Codecs(), ", ")+"\n(default all)")
	flags.StringVar(&f.config, "config", "", "do what `FILE` says, not coordgen.yaml")
	// What a shell offers for their values. An error means a misspelt flag, which the
	// tests of completion find.
	_ = cmd.RegisterFlagCompletionFunc("include", folders)
	_ = cmd.RegisterFlagCompletionFunc("out", folders)
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	_ = cmd.RegisterFlagCompletionFunc("module", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("package", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("codecs", cobra.FixedCompletions(gogen.Codecs(), cobra.ShellCompDirectiveNoFileComp))
}

// schemas says that a shell offers .proto files, and folders says that it offers
// those.
func schemas(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"proto"}, cobra.ShellCompDirectiveFilterFileExt
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// requests are what the command line asks for: by itself where it names schemas,
// else by a configuration. The two do not mix, so that one place says it all.
func (f *generateFlags) requests(files []string, given func(flag string) bool) ([]request, error) {
	if f.check && f.watch {
		return nil, usagef("--check writes nothing, and --watch writes again and again; drop one of them")
	}
	if len(files) > 0 {
		if given("config") {
			return nil, usagef("--config is for a run without schemas on the command line; list %s in the configuration", files[0])
		}
		for _, codec := range f.codecs {
			if !slices.Contains(gogen.Codecs(), codec) {
				return nil, usagef("unknown codec %q; the codecs are %s", codec, strings.Join(gogen.Codecs(), ", "))
			}
		}
		packages := map[string]string{}
		for file, goPackage := range f.packages {
			packages[path.Clean(file)] = goPackage
		}
		return []request{{files: files, include: f.include, out: f.out, module: f.module, packages: packages, codecs: f.codecs}}, nil
	}
	for _, flag := range []string{"include", "out", "module", "package", "codecs"} {
		if given(flag) {
			return nil, usagef("--%s is for schemas named on the command line; without one, the configuration says it", flag)
		}
	}
	if given("config") {
		return readConfig(filepath.Clean(f.config))
	}
	if _, err := os.Stat(configName); errors.Is(err, fs.ErrNotExist) {
		const other = "coordgen.yml"
		if isFile(other) {
			return nil, usagef("no schema is named, and %s is not read; rename it to %s, or say --config %[1]s", other, configName)
		}
		return nil, usageError(nothingToGenerate)
	}
	return readConfig(configName)
}

// generate carries out the requests and returns the names of the files that it
// read, also beside an error.
func generate(ctx context.Context, s Streams, f generateFlags, requests []request) ([]string, error) {
	told := newProgress(s.Err)
	p, err := interruptible(ctx, func() (product, error) { return produce(ctx, requests, told) })
	told.end()
	newReporter(s.Err).warnings(p.warnings)
	if err != nil {
		return p.read, err
	}
	if len(p.outputs) == 0 {
		fmt.Fprintln(s.Err, "coordgen: the schemas have no messages, enums, topics or callbacks, and so no code")
	}
	changes, err := compare(p)
	if err != nil {
		return p.read, err
	}
	if f.check {
		return p.read, check(changes, s.Out, s.Err, f.verbose)
	}
	if err := apply(ctx, changes); err != nil {
		return p.read, err
	}
	if !f.verbose {
		changes = slices.DeleteFunc(changes, func(c change) bool { return !f.watch || c.state == same })
	}
	list(changes, s.Err)
	return p.read, nil
}
