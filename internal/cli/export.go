package cli

import (
	"context"
	"io/fs"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/schema"
)

const exportLong = `Export writes the .proto files that coordgen carries with it into a folder, for
programs that look for imports on disk, such as protoc, buf and editors:

  coordgen/options.proto   the vocabulary: the options that schemas use
  coordination.proto       the built-in coordination protocol

"coordgen generate" finds both by itself. Put them into a folder apart from your
schemas: they are there to be imported (-I), not to be generated.

A file that is as it should be is not touched. One that differs may be yours:
export then writes nothing and exits with 1, unless you say --force, as after an
upgrade of coordgen.`

const exportExample = `  For protoc:
    coordgen export --out third_party
    protoc -I proto -I third_party --coordgen_out=gen proto/orders.proto
  After an upgrade of coordgen:
    coordgen export --out third_party --force`

func newExport(s Streams) *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:     "export [flags]",
		Short:   "Write the .proto files that schemas import, for protoc and buf",
		Long:    exportLong,
		Example: exportExample,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return export(cmd.Context(), s, filepath.Clean(out), force)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&out, "out", ".", "write into `FOLDER`")
	flags.BoolVar(&force, "force", false, "replace files that differ")
	_ = cmd.RegisterFlagCompletionFunc("out", folders)
	return cmd
}

// export writes the carried files into a folder, all or none.
func export(ctx context.Context, s Streams, folder string, force bool) error {
	var changes []change
	var faults load.Errors
	err := fs.WalkDir(schema.Files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := schema.Files.ReadFile(name)
		if err != nil {
			return err
		}
		c, err := compareFile(filepath.Join(folder, filepath.FromSlash(name)), text)
		if err != nil {
			return err
		}
		if c.inTheWay(force) {
			faults = append(faults, load.Diagnostic{
				Pos:     model.Pos{Path: c.path},
				Message: "the file differs from the one that coordgen carries; if nothing in it is yours, replace it with --force",
			})
		}
		changes = append(changes, c)
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(faults) > 0:
		return faults
	}
	if err := apply(ctx, changes); err != nil {
		return err
	}
	list(changes, s.Err)
	return nil
}
