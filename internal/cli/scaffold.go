package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const scaffoldLong = `Scaffold writes code to begin with. It is yours from then on, to change as you
like: no file is ever replaced.`

func newScaffold(s Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scaffold",
		Short: "Write code to begin with, which is yours then",
		Long:  scaffoldLong,
		Example: `  coordgen scaffold handler orders.proto
  coordgen scaffold elector --backend redis --out internal/election`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				hint := ""
				if meant := cmd.SuggestionsFor(args[0]); len(meant) > 0 {
					hint = fmt.Sprintf("\n\nDid you mean this?\n\t%s\n", strings.Join(meant, "\n\t"))
				}
				return usagef("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
			}
			cmd.SetOut(s.Err)
			if err := cmd.Help(); err != nil {
				return err
			}
			return errNoCommand
		},
		ValidArgsFunction:          cobra.NoFileCompletions,
		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(newScaffoldHandler(s), newScaffoldElector(s))
	return cmd
}
