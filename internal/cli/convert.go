package cli

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/load"
)

// builtIn is the schema that coordgen brings along.
const builtIn = "coordination.proto"

// convertFlags are the flags of the convert command. What schemas it looks in is
// said as it is for generate.
type convertFlags struct {
	schemas generateFlags
	message string
	from    string
	to      string
	hex     bool
	pretty  bool
}

func newConvert(s Streams) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:                   "convert --message NAME --from CODEC --to CODEC [FILE|FOLDER]...",
		DisableFlagsInUseLine: true,
		Short:                 "Turn a message's bytes from one codec into another",
		Long:                  convertLong,
		Example:               convertExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := f.requests(args, cmd.Flags().Changed)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("pretty") {
				f.pretty = isTerminal(s.Out)
			}
			return f.run(cmd.Context(), s, requests)
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	codecs := strings.Join(convert.Codecs(), ", ")
	flags.StringVar(&f.message, "message", "", "the message's `NAME` in the schema, in full or as\nmuch of its end as no other has")
	flags.StringVar(&f.from, "from", "", "the `CODEC` of the input, of "+codecs)
	flags.StringVar(&f.to, "to", "", "the `CODEC` of the output, of the same")
	flags.BoolVar(&f.hex, "hex", false, "msgpack and protobuf stand as hex digits, in the\ninput and in the output")
	flags.BoolVar(&f.pretty, "pretty", false, "indent JSON (default: on a terminal)")
	flags.StringArrayVarP(&f.schemas.include, "include", "I", nil, "look for imports in `FOLDER`; may be repeated\n(default \".\")")
	flags.StringVar(&f.schemas.config, "config", "", "look in what `FILE` lists, not coordgen.yaml")
	f.complete(cmd)
	return cmd
}

// complete says what a shell offers for the flags' values.
func (f *convertFlags) complete(cmd *cobra.Command) {
	_ = cmd.RegisterFlagCompletionFunc("message", func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		requests, err := f.sources(args, cmd.Flags().Changed)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		results, _, err := loadAll(cmd.Context(), requests, newProgress(io.Discard))
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return names(candidates(results)), cobra.ShellCompDirectiveNoFileComp
	})
	_ = cmd.RegisterFlagCompletionFunc("from", cobra.FixedCompletions(convert.Codecs(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("to", cobra.FixedCompletions(convert.Codecs(), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.MarkFlagFilename("config", "yaml", "yml")
	_ = cmd.MarkFlagDirname("include")
}

// requests checks the flags and returns where the message is to be looked for.
func (f *convertFlags) requests(files []string, given func(flag string) bool) ([]request, error) {
	if f.message == "" {
		return nil, usagef("name the message with --message")
	}
	binary := false
	for _, flag := range []struct{ name, codec string }{{"from", f.from}, {"to", f.to}} {
		switch {
		case flag.codec == "":
			return nil, usagef("name a codec with --%s; the codecs are %s", flag.name, strings.Join(convert.Codecs(), ", "))
		case !slices.Contains(convert.Codecs(), flag.codec):
			return nil, usagef("unknown codec %q; the codecs are %s", flag.codec, strings.Join(convert.Codecs(), ", "))
		case flag.codec != convert.JSON:
			binary = true
		}
	}
	switch {
	case f.hex && !binary:
		return nil, usagef("--hex is for msgpack and protobuf")
	case f.pretty && f.to != convert.JSON:
		return nil, usagef("--pretty is for --to json")
	}
	return f.sources(files, given)
}

// sources are the schemas that were named, else those of the configuration, else
// the built-in one.
func (f *convertFlags) sources(files []string, given func(flag string) bool) ([]request, error) {
	requests, err := f.schemas.requests(files, given)
	if errors.Is(err, usageError(nothingToGenerate)) {
		return []request{{files: []string{builtIn}}}, nil
	}
	return requests, err
}

// isNull says whether w is the null device, which looks like a terminal.
func isNull(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	return err == nil && nullErr == nil && os.SameFile(info, null)
}

// run converts standard input to standard output.
func (f *convertFlags) run(ctx context.Context, s Streams, requests []request) error {
	if f.to != convert.JSON && !f.hex && isTerminal(s.Out) && !isNull(s.Out) {
		return usagef("%s is binary, and the output is a terminal; redirect it into a file, or add --hex", f.to)
	}
	type product struct {
		output  []byte
		leftOut []string
	}
	p, err := interruptible(ctx, func() (product, error) {
		output, leftOut, err := f.convert(ctx, s.In, requests)
		return product{output, leftOut}, err
	})
	for _, sentence := range p.leftOut {
		newReporter(s.Err).warnings([]load.Diagnostic{{Message: sentence}})
	}
	if err != nil {
		return err
	}
	_, err = s.Out.Write(p.output)
	return err
}

func (f *convertFlags) convert(ctx context.Context, in io.Reader, requests []request) (output []byte, leftOut []string, err error) {
	results, _, err := loadAll(ctx, requests, newProgress(io.Discard))
	if err != nil {
		return nil, nil, err
	}
	found, err := find(candidates(results), f.message)
	if err != nil {
		return nil, nil, err
	}
	converter, err := convert.New(found.message, found.descriptor)
	if err != nil {
		return nil, nil, err
	}
	input, err := f.read(in)
	if err != nil {
		return nil, nil, err
	}
	output, leftOut, err = converter.Convert(input, f.from, f.to)
	if err != nil {
		return nil, nil, err
	}
	output, err = f.shown(output)
	return output, leftOut, err
}

// read reads the bytes of the message.
func (f *convertFlags) read(in io.Reader) ([]byte, error) {
	input, err := io.ReadAll(io.LimitReader(in, convert.MaxInput+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read standard input: %w", err)
	case len(input) > convert.MaxInput:
		return nil, fmt.Errorf("standard input has more than %d MiB, which is the most that one message may have", convert.MaxInput>>20)
	case f.hex && f.from != convert.JSON:
		text := strings.Join(strings.Fields(string(input)), "")
		if input, err = hex.DecodeString(text); err != nil {
			return nil, fmt.Errorf("standard input is not hex digits, as --hex says that it is: %w", err)
		}
	}
	return input, nil
}

// shown is the output in the form that was asked for.
func (f *convertFlags) shown(output []byte) ([]byte, error) {
	switch {
	case f.hex && f.to != convert.JSON:
		return append(hex.AppendEncode(nil, output), '\n'), nil
	case f.pretty && f.to == convert.JSON:
		var b bytes.Buffer
		err := json.Indent(&b, output, "", "  ")
		b.WriteByte('\n')
		return b.Bytes(), err
	}
	return output, nil
}
