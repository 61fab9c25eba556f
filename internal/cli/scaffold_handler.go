package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/scaffold"
	"github.com/coordgen/coordgen/internal/version"
)

const handlerLong = `Handler writes a type for each namespace of the schemas, which is a service with
topics. It has a method for each callback, which refuses the message until you
write what is to be done with it. Without schemas on the command line, those of
coordgen.yaml are meant.

Where it goes
  Into the folder --out, which may be that of the generated code or any other.
  In another the handler imports the generated package: by go_package, or by
  --import where the code was generated somewhere else.

When it is there
  No file is replaced. Where the folder has a type for the namespace, whatever
  it and its file are called, handler reads the code, which need not compile,
  says which callbacks the type lacks and which methods have a signature that is
  no longer the schema's, and prints the text of those that are lacking, ready
  to be pasted. A type is one for a namespace if it embeds the generated
  "Unimplemented" handler, if the code says

    var _ orders.OrdersHandler = (*Receiver)(nil)

  or if it has the name that this command gives it. Methods of types from other
  packages that it embeds are not seen.

The exit code is 0 when every type is complete or newly written, and 1 when one
lacks something.`

const handlerExample = `  Beside the generated code:
    coordgen scaffold handler --out internal/orders orders.proto
  In a package of its own:
    coordgen scaffold handler --out internal/billing -I proto proto/orders
  For one service of those that coordgen.yaml lists:
    coordgen scaffold handler --out internal/billing --service Orders
  After a callback was added to the schema, the methods to paste:
    coordgen scaffold handler --out internal/billing -I proto proto/orders`

// handlerFlags are the flags of the scaffold handler command.
type handlerFlags struct {
	schemas  generateFlags
	out      string
	pkg      string
	path     string
	services []string
}

func newScaffoldHandler(s Streams) *cobra.Command {
	var f handlerFlags
	cmd := &cobra.Command{
		Use:     "handler [flags] [FILE|FOLDER]...",
		Short:   "Write the types that receive messages, or say what they lack",
		Long:    handlerLong,
		Example: handlerExample,
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := f.schemas.requests(args, func(flag string) bool {
				return (flag == "include" || flag == "config") && cmd.Flags().Changed(flag)
			})
			if err != nil {
				return toldBy(cmd.CommandPath(), err)
			}
			return f.run(cmd.Context(), s, requests)
		},
		ValidArgsFunction: schemas,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVarP(&f.schemas.include, "include", "I", nil, "look for imports in `FOLDER`; may be repeated\n(default \".\")")
	flags.StringVar(&f.out, "out", ".", "write into `FOLDER`")
	flags.StringVar(&f.pkg, "package", "", "call the Go package `NAME` (default: that of the\nfolder)")
	flags.StringVar(&f.path, "import", "", "the import `PATH` of the generated package\n(default: go_package)")
	flags.StringVar(&f.schemas.config, "config", "", "take the schemas of `FILE`, not of coordgen.yaml")
	flags.StringArrayVar(&f.services, "service", nil, "only the service `NAME`; may be repeated\n(default: all with topics)")
	_ = cmd.RegisterFlagCompletionFunc("include", folders)
	_ = cmd.RegisterFlagCompletionFunc("out", folders)
	for _, flag := range []string{"package", "import", "service"} {
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions)
	}
	return cmd
}

// run writes the handlers of schemas, or says what they lack.
func (f *handlerFlags) run(ctx context.Context, s Streams, requests []request) error {
	tell := newReporter(s.Err)
	type product struct {
		schema   model.Schema
		warnings []load.Diagnostic
	}
	p, err := interruptible(ctx, func() (p product, err error) {
		var results []*load.Result
		results, p.warnings, err = loadAll(ctx, requests, newProgress(io.Discard))
		for _, r := range results {
			p.schema.Files = append(p.schema.Files, r.Schema.Files...)
		}
		return p, err
	})
	tell.warnings(p.warnings)
	if err != nil {
		return err
	}
	plan, err := f.plan(&p.schema)
	if err != nil {
		return err
	}
	unseen := diagnostics(plan.Unseen)
	if len(plan.Files) > 0 && len(unseen) > 0 {
		return load.Errors(unseen) // what seems not to be there may be
	}
	tell.warnings(unseen)
	if err := create(ctx, below(f.out, plan.Files), s.Err); err != nil {
		return err
	}
	return report(s, plan.Existing)
}

// report says what the handlers that are there lack, and prints it.
func report(s Streams, existing []scaffold.Existing) error {
	var faults load.Errors
	var texts [][]byte
	for _, e := range existing {
		faults = append(faults, diagnostics(e.Findings)...)
		if len(e.Findings) == 0 {
			fmt.Fprintf(s.Err, "%s: %s has all methods of %s\n", e.Pos.Path, e.Type, e.Handler)
		}
		if len(e.Imports) > 0 {
			fmt.Fprintf(s.Err, "%s: the printed methods need the imports %s\n", e.Pos.Path, strings.Join(e.Imports, ", "))
		}
		if len(e.Text) > 0 {
			texts = append(texts, e.Text)
		}
	}
	if _, err := s.Out.Write(bytes.Join(texts, []byte("\n"))); err != nil {
		return err
	}
	if len(faults) > 0 {
		return load.Errors(distinct(faults))
	}
	return nil
}

// plan finds what is to be done for the schemas' services.
func (f *handlerFlags) plan(schema *model.Schema) (*scaffold.Handlers, error) {
	services, err := f.pick(schema)
	if err != nil {
		return nil, err
	}
	code, err := gogen.Generate(schema, gogen.Options{Version: version.Current()})
	if err != nil {
		return nil, err
	}
	o := scaffold.HandlerOptions{Folder: filepath.Clean(f.out), Package: f.pkg, Import: f.path}
	for _, c := range code {
		o.Generated = append(o.Generated, scaffold.Generated{Package: c.Package, Name: c.Name, Content: c.Content})
	}
	if o.ImportPath, o.Fallback, err = home(o.Folder); err != nil {
		return nil, err
	}
	return scaffold.PlanHandlers(services, o)
}

// pick returns the services that were asked for.
func (f *handlerFlags) pick(schema *model.Schema) ([]*model.Service, error) {
	var all []*model.Service
	var names []string
	for _, file := range schema.Files {
		for _, s := range file.Services {
			if file.Target && len(s.Fed()) > 0 {
				all = append(all, s)
				names = append(names, s.Name)
			}
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the schemas have no service with topics, so there is nothing to handle")
	}
	for _, name := range f.services {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("the schemas have no service %q with topics; they have %s", name, strings.Join(names, ", "))
		}
	}
	if len(f.services) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(s *model.Service) bool { return !slices.Contains(f.services, s.Name) }), nil
}

func diagnostics(findings []scaffold.Finding) []load.Diagnostic {
	all := make([]load.Diagnostic, len(findings))
	for i, f := range findings {
		all[i] = load.Diagnostic{Pos: f.Pos, Message: f.Message}
	}
	return all
}
