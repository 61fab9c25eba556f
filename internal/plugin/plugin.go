// Package plugin is coordgen as a plugin of protoc and buf: it reads the
// descriptors that they compiled, and answers with the code that the generate
// command writes for the same schemas.
package plugin

import (
	"fmt"
	"io"
	"os"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/internal/version"
)

// The exit codes of the plugin. A fault of the schema is none of them: it is an
// answer.
const (
	exitOK    = 0
	exitIO    = 1 // the request can't be read, or the answer can't be written
	exitUsage = 2 // the command line is at fault
)

// Streams are what the plugin reads and where it prints.
type Streams struct {
	// In holds the request.
	In io.Reader
	// Out takes the answer, or what was asked for on the command line.
	Out io.Writer
	// Err takes warnings, and why there is no answer.
	Err io.Writer
}

// Main runs the plugin with the given arguments, the program's name not among
// them, and returns its exit code: 0 when it answered the request, be it with
// what is wrong with the schema.
func Main(args []string, s Streams) int {
	if len(args) > 0 {
		return command(args, s)
	}
	if f, ok := s.In.(*os.File); ok {
		// Somebody ran it by hand: reading would wait for them without a word.
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			fmt.Fprint(s.Err, byHand)
			return exitIO
		}
	}
	if err := serve(s); err != nil {
		fmt.Fprintf(s.Err, "protoc-gen-coordgen: %v\n", err)
		return exitIO
	}
	return exitOK
}

// command does what a person asked for. protoc and buf give no arguments.
func command(args []string, s Streams) int {
	var text string
	switch {
	case len(args) == 1 && args[0] == "--version":
		text = version.Describe() + "\n"
	case len(args) == 1 && (args[0] == "--help" || args[0] == "-h"):
		text = help
	default:
		fmt.Fprintf(s.Err, "protoc-gen-coordgen: it takes --help or --version, not %q: protoc and buf hand it parameters in their request\n", args)
		return exitUsage
	}
	if _, err := io.WriteString(s.Out, text); err != nil {
		return exitIO
	}
	return exitOK
}

// deepest is how deep messages of a request lie in each other at most. protoc and
// buf nest those of a schema 32 deep, and names grow with each level.
const deepest = 100

// serve reads one request and answers it.
func serve(s Streams) error {
	raw, err := io.ReadAll(s.In)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	request := &pluginpb.CodeGeneratorRequest{}
	if err := (proto.UnmarshalOptions{RecursionLimit: deepest}).Unmarshal(raw, request); err != nil || len(raw) == 0 {
		return fmt.Errorf("what came on standard input (%d bytes) is no request of protoc or buf; run it with --help", len(raw))
	}
	response, warnings := Respond(request)
	for _, w := range warnings {
		w.Message = "warning: " + w.Message
		fmt.Fprintln(s.Err, w.Error())
	}
	raw, err = proto.Marshal(response)
	if err != nil {
		return fmt.Errorf("encode the answer: %w", err)
	}
	if _, err := s.Out.Write(raw); err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	return nil
}
