package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coordgen/coordgen/internal/scaffold"
	"github.com/coordgen/coordgen/internal/version"
)

const initLong = `Init makes a package that publishes and receives events, to begin with: a
schema, the code that is generated from it, a handler with its test, and an
example that runs over an in-memory bus. The FOLDER (default: the current one)
lies in a Go module; it is made if it is not there.

All files but the generated ones (*.gen.go) are yours from then on. None that
is there already is replaced: init then names them, writes nothing and exits
with 1.

Code that is generated needs coordgen's runtime, and "go generate" the command.
Init does not change go.mod; it prints the commands that do.`

const initExample = `  Begin a module:
    go mod init example.com/shop && coordgen init
  A package of a module that you have:
    coordgen init internal/orders --name orders`

// initFlags are the flags of the init command.
type initFlags struct {
	pkg  string
	name string
}

func newInit(s Streams) *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:     "init [flags] [FOLDER]",
		Short:   "Begin a package with a schema, a handler and a test",
		Long:    initLong,
		Example: initExample,
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), s, filepath.Join(append([]string{"."}, args...)...))
		},
		ValidArgsFunction: folders,
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.pkg, "package", "", "call the Go package `NAME` (default: that of the\nfolder)")
	flags.StringVar(&f.name, "name", "schema", "call the schema's file `NAME`.proto")
	_ = cmd.RegisterFlagCompletionFunc("package", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("name", cobra.NoFileCompletions)
	return cmd
}

// run makes the package in a folder.
func (f *initFlags) run(ctx context.Context, s Streams, folder string) error {
	f.name = strings.TrimSuffix(f.name, ".proto")
	if !fileName.MatchString(f.name) {
		return usagef("--name %q can't name a file; write letters, digits, - and _, a letter first", f.name)
	}
	module, err := scaffold.FindModule(folder)
	if errors.Is(err, scaffold.ErrNoModule) {
		return fmt.Errorf("%s lies in no Go module; begin one with \"go mod init example.com/NAME\", and run this again", folder)
	}
	if err != nil {
		return err
	}
	importPath, name, err := packageIn(folder, f.pkg)
	if err != nil {
		return err
	}
	files, err := scaffold.Project{Package: name, ImportPath: importPath, Schema: f.name}.Files()
	if err != nil {
		return err
	}
	outputs := below(folder, files)
	generated, err := f.generated(ctx, files, folder)
	if err != nil {
		return err
	}
	if err := create(ctx, append(outputs, generated.outputs...), s.Err); err != nil {
		return err
	}
	fmt.Fprint(s.Err, nextSteps(folder, module.HasTool(commandPath)))
	return nil
}

// packageIn is the import path of a folder and what the Go package there is to be
// called: as the user says, or as it is called already, or after the folder.
func packageIn(folder, said string) (importPath, name string, err error) {
	importPath, name, err = home(folder)
	if err != nil {
		return "", "", err
	}
	// The folder my-orders has the package myorders, as Go programmers name them.
	if short := strings.ReplaceAll(name, "_", ""); badPackage(short) == "" {
		name = short
	}
	there, err := scaffold.PackageIn(folder)
	if err != nil {
		return "", "", err
	}
	name = cmp.Or(said, there, name)
	if fault := badPackage(name); fault != "" {
		return "", "", fmt.Errorf("the Go package would be called %q, which %s; give --package another name, or choose another folder", name, fault)
	}
	if there != "" && there != name {
		return "", "", fmt.Errorf("%s holds the Go package %q; choose another folder for %q", folder, there, name)
	}
	return importPath, name, nil
}

// generated is what is generated for the schema among the files. The schema is
// not in the folder yet, so that it is read from another.
func (f *initFlags) generated(ctx context.Context, files []scaffold.File, folder string) (_ product, err error) {
	elsewhere, err := os.MkdirTemp("", "coordgen-")
	if err != nil {
		return product{}, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(elsewhere)) }()
	for _, f := range files {
		if filepath.Ext(f.Name) != ".proto" {
			continue
		}
		if err := os.WriteFile(filepath.Join(elsewhere, f.Name), f.Content, 0o600); err != nil {
			return product{}, err
		}
	}
	return interruptible(ctx, func() (product, error) {
		return produce(ctx, []request{{files: []string{elsewhere}, include: []string{elsewhere}, out: folder}}, newProgress(io.Discard))
	})
}

var (
	fileName    = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	packageName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
)

// badPackage says what is wrong with the name of a package, or "".
func badPackage(name string) string {
	switch {
	case token.IsKeyword(name):
		return "is a keyword"
	case name == "main":
		return "no other package can import"
	case strings.HasSuffix(name, "_test"):
		return "is what Go calls a package of tests"
	case !packageName.MatchString(name):
		return "is not made of ASCII letters, digits and _, a letter first"
	}
	return ""
}

// commandPath is the import path of this command.
const commandPath = version.Module + "/cmd/coordgen"

// nextSteps says what is left to do after the package was made.
func nextSteps(folder string, hasTool bool) string {
	var b strings.Builder
	b.WriteString("\nNext:\n")
	if folder != "." {
		fmt.Fprintf(&b, "    cd %s\n", folder)
	}
	if !hasTool {
		release := "latest"
		if version.Pinned() {
			release = version.Current()
		}
		fmt.Fprintf(&b, "    go get -tool %s@%s\n", commandPath, release)
	}
	b.WriteString("    go mod tidy\n    go test .\n\nThen change the schema, and run \"go generate\".\n")
	return b.String()
}
