package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const completionLong = `Completion prints a script that makes a shell complete coordgen's commands,
flags and files. Load it once to try it, or put it where the shell looks for
such scripts to keep it.`

const completionExample = `  Bash, for this session (needs the bash-completion package):
    source <(coordgen completion bash)
  Bash, for all sessions:
    folder=~/.local/share/bash-completion/completions
    mkdir -p "$folder" && coordgen completion bash > "$folder/coordgen"
  Zsh:
    coordgen completion zsh > "${fpath[1]}/_coordgen"
  Fish:
    coordgen completion fish > ~/.config/fish/completions/coordgen.fish
  PowerShell, for this session:
    coordgen completion powershell | Out-String | Invoke-Expression`

func newCompletion(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a completion script for a shell",
		Long:      completionLong,
		Example:   completionExample,
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("name one shell: bash, zsh, fish or powershell")
			}
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(s.Out, true)
			case "zsh":
				return root.GenZshCompletion(s.Out)
			case "fish":
				return root.GenFishCompletion(s.Out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(s.Out)
			}
			return usagef("no completion for shell %q; the shells are bash, zsh, fish and powershell", args[0])
		},
	}
}

// describeOnOneLine makes the flags' usage what a shell shows beside their names.
func describeOnOneLine(cmd *cobra.Command) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		_, usage := pflag.UnquoteUsage(f)
		f.Usage = strings.ReplaceAll(usage, "\n", " ")
	})
	for _, sub := range cmd.Commands() {
		describeOnOneLine(sub)
	}
}
