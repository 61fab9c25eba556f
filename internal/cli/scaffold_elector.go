package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/scaffold"
	"github.com/coordgen/coordgen/internal/version"
)

const electorLong = `Elector writes an elector over a backend that you run: the code by which the
instances of your program agree on a leader, a test that has it pass coordgen's
conformance suite on your backend, and a README.md that says what it promises,
what the backend has to keep for that, and how to run the test.

The elector takes the client that you made, with your settings for TLS and
authentication. It opens no connection of its own.

No file is ever replaced. With --diff nothing is written: it prints how the
files in --out differ from what this version of coordgen would write, and says
of each whether coordgen's text has changed since the file was written. The exit
code is then 0 when there is no difference, and 1 when there is one.

The backends`

const electorExample = `  Into a package of its own:
    coordgen scaffold elector --backend redis --out internal/election
  After an update of coordgen, what is different:
    coordgen scaffold elector --backend redis --out internal/election --diff`

// electorFlags are the flags of the scaffold elector command.
type electorFlags struct {
	backend string
	out     string
	pkg     string
	diff    bool
}

func newScaffoldElector(s Streams) *cobra.Command {
	var f electorFlags
	var names []string
	var list strings.Builder
	for _, b := range scaffold.ElectorBackends() {
		names = append(names, cobra.CompletionWithDesc(b.Name, b.Doc))
		fmt.Fprintf(&list, "\n  %-12s%s", b.Name, b.Doc)
	}
	cmd := &cobra.Command{
		Use:     "elector --backend NAME",
		Short:   "Write an elector over a backend, with its test",
		Long:    electorLong + list.String(),
		Example: electorExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("no argument is known; name the backend with --backend %s, and the folder with --out", args[0])
			}
			b, err := f.find()
			if err != nil {
				return err
			}
			return f.run(cmd.Context(), s, b)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.backend, "backend", "", "the backend's `NAME`")
	flags.StringVar(&f.out, "out", ".", "write into `FOLDER`")
	flags.StringVar(&f.pkg, "package", "", "call the Go package `NAME` (default: that of the\nfolder)")
	flags.BoolVar(&f.diff, "diff", false, "write nothing; print how the files differ, and exit\nwith 1 when they do")
	_ = cmd.RegisterFlagCompletionFunc("backend", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("out", folders)
	_ = cmd.RegisterFlagCompletionFunc("package", cobra.NoFileCompletions)
	return cmd
}

// find returns the backend that was asked for.
func (f *electorFlags) find() (scaffold.Backend, error) {
	all := scaffold.ElectorBackends()
	i := slices.IndexFunc(all, func(b scaffold.Backend) bool { return b.Name == f.backend })
	if i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, b := range all {
		names[i] = b.Name
	}
	list := strings.Join(names, ", ") + `; "custom" is for any other`
	if f.backend == "" {
		return scaffold.Backend{}, usagef("name a backend with --backend: %s", list)
	}
	return scaffold.Backend{}, usagef("no backend %q is known; there are %s", f.backend, list)
}

// run writes the elector, or compares it to what is there.
func (f *electorFlags) run(ctx context.Context, s Streams, b scaffold.Backend) error {
	_, name, err := packageIn(f.out, f.pkg)
	if err != nil {
		return err
	}
	files, err := scaffold.Elector(b.Name, name)
	if err != nil {
		return err
	}
	outputs := below(f.out, files)
	if f.diff {
		return differ(s, outputs)
	}
	if err := create(ctx, outputs, s.Err); err != nil {
		return err
	}
	fmt.Fprint(s.Err, "\nNext:\n")
	if f.out != "." {
		fmt.Fprintf(s.Err, "    cd %s\n", f.out)
	}
	for _, client := range b.Clients {
		fmt.Fprintf(s.Err, "    go get %s\n", client)
	}
	fmt.Fprintf(s.Err, "    go mod tidy\n    %s\n\nREADME.md says what the test needs, and how to use the elector.\n", b.Test)
	return nil
}

// differ prints how the user's files differ from what would be written.
func differ(s Streams, outputs []output) error {
	count := 0
	for _, o := range outputs {
		origin, want := scaffold.OriginOf(o.content)
		from := o.path
		var about string
		text, err := readGenerated(o.path)
		was, have := scaffold.OriginOf(text)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			from, about = nowhere, "is missing"
		case err != nil:
			return err
		case bytes.Equal(have, want):
			continue
		case was.Sum == origin.Sum:
			about = "differs only by what you changed"
		default:
			about = fmt.Sprintf("differs, and coordgen's text has changed since %s", cmp.Or(was.Version, "an unknown version"))
		}
		count++
		fmt.Fprintf(s.Err, "%s: %s\n", o.path, about)
		if _, err := s.Out.Write(diff.Diff(from, have, o.path, want)); err != nil {
			return err
		}
	}
	if count > 0 {
		return fmt.Errorf("%s not as coordgen %s would write them", plural(count, "file"), version.Current())
	}
	return nil
}
