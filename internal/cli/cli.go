// Package cli is the coordgen command: its subcommands, flags and configuration,
// and what it says to people. What the subcommands do to schemas is done by the
// packages load and gogen.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/version"
)

// The exit codes of the command.
const (
	exitOK    = 0 // done, or nothing to do
	exitFault = 1 // the input is at fault, the output is out of date, or the run could not end
	exitUsage = 2 // the command line is at fault
)

// Streams are where a command prints.
type Streams struct {
	// In is what the convert command reads.
	In io.Reader
	// Out takes what was asked for: help, a version, a diff.
	Out io.Writer
	// Err takes what is said about the run. Where it is a terminal, diagnostics
	// show the line of source that they are about.
	Err io.Writer
}

// Main runs the command with the given arguments, the program's name not among
// them, and returns its exit code: 0 when it did what was asked, 1 for a fault
// in the input, 2 for wrong use. It writes no file once ctx is done.
func Main(ctx context.Context, args []string, s Streams) int {
	started := false
	root := newRoot(s)
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	if len(args) > 0 && args[0] == cobra.ShellCompRequestCmd {
		describeOnOneLine(root)
	}
	// Without arguments of its own, cobra would take those of the process.
	root.SetArgs(append([]string{}, args...))

	cmd, err := root.ExecuteContextC(ctx)
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errNoCommand):
		return exitUsage
	// What cobra refuses before a command runs is wrong use too.
	case !started || errors.As(err, new(usageError)):
		if len(args) > 0 && strings.HasSuffix(args[0], ".proto") {
			err = fmt.Errorf("%w; did you mean \"coordgen generate %s\"?", err, strings.Join(args, " "))
		}
		fmt.Fprintf(s.Err, "%s: %s\nRun \"%[1]s --help\" to see how it is used.\n", cmd.CommandPath(), strings.TrimSpace(err.Error()))
		return exitUsage
	}
	newReporter(s.Err).failure(err)
	return exitFault
}

// A usageError is a fault in the command line, not in what it names.
type usageError string

func (e usageError) Error() string { return string(e) }

func usagef(format string, args ...any) error {
	return usageError(fmt.Sprintf(format, args...))
}

// errNoCommand is the fault of a command line without any command. The help has
// been printed by then.
var errNoCommand = errors.New("no command")

const rootLong = `coordgen turns a .proto schema of messages, topics and callbacks into Go code:
typed structs, codecs, publishers and handlers, and, for a schema of a fleet's
coordination protocol, the coordinator.

A first run:

  coordgen generate orders.proto

The exit code is 0 when the command did what was asked, 1 for a fault in the
input (a schema with errors, a file that is not there, output that is out of
date), and 2 for wrong use (an unknown command or flag).

Diagnostics have the form "path:line:col: message". On a terminal each shows
the line it is about; colours are left out where NO_COLOR is set.`

const rootExample = `  coordgen generate orders.proto             write the Go code beside you
  coordgen generate                          do what coordgen.yaml says
  coordgen generate --check                  in CI: is the code up to date?
  coordgen lock                              record the schemas' version
  coordgen check                             does it break old or new readers?
  coordgen vectors                           keep samples of what versions wrote
  coordgen doc orders.proto                  print a reference of the schema
  coordgen convert --help                    read a payload, or make one
  coordgen export --out third_party          what schemas import, for protoc
  coordgen completion bash > coordgen.bash   completion for a shell`

func newRoot(s Streams) *cobra.Command {
	root := &cobra.Command{
		Use:           "coordgen",
		Short:         "Generate Go code for messages, topics and coordination from .proto schemas",
		Long:          rootLong,
		Example:       rootExample,
		Version:       version.Describe(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			cmd.SetOut(s.Err)
			if err := cmd.Help(); err != nil {
				return err
			}
			return errNoCommand
		},
	}
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.AddCommand(newInit(s), newGenerate(s), newLock(s), newCheck(s), newVectors(s), newScaffold(s), newDoc(s), newConvert(s), newExport(s), newVersion(s), newCompletion(s))
	return root
}
