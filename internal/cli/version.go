package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/version"
)

const versionLong = `Version prints the version of coordgen, and the Go it was built with.

The version is the one that generated files name in their first line. A
coordgen that was built from a checkout says "devel", and names the release
that the checkout belongs to.`

func newVersion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:               "version",
		Short:             "Print the version of coordgen",
		Long:              versionLong,
		Example:           "  coordgen version",
		Args:              cobra.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(s.Out, version.Describe())
			return err
		},
	}
}
