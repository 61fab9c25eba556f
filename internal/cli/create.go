package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/scaffold"
)

// below are scaffolded files as outputs in a folder.
func below(folder string, files []scaffold.File) []output {
	outputs := make([]output, len(files))
	for i, f := range files {
		outputs[i] = output{path: filepath.Join(folder, filepath.FromSlash(f.Name)), content: f.Content}
	}
	return outputs
}

// create writes files that do not exist yet, all or none, and lists them. Those
// that exist may be the user's work, so that no file is written then.
func create(ctx context.Context, outputs []output, log io.Writer) error {
	var faults load.Errors
	changes := make([]change, len(outputs))
	for i, o := range outputs {
		changes[i] = change{path: o.path, state: missing, new: o.content}
		switch _, err := os.Lstat(o.path); {
		case err == nil:
			faults = append(faults, load.Diagnostic{
				Pos:     model.Pos{Path: o.path},
				Message: "the file is there already, and is not replaced; move it, or choose another folder",
			})
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if len(faults) > 0 {
		return faults
	}
	if err := apply(ctx, changes); err != nil {
		return err
	}
	list(changes, log)
	return nil
}

// home is the import path of a folder, "" outside of a module, and what a Go
// package there is called unless somebody says otherwise.
func home(folder string) (importPath, name string, err error) {
	switch m, err := scaffold.FindModule(folder); {
	case errors.Is(err, scaffold.ErrNoModule):
		absolute, err := filepath.Abs(folder)
		return "", load.PackageName(filepath.ToSlash(absolute)), err
	case err != nil:
		return "", "", fmt.Errorf("the Go module of %s: %w", folder, err)
	default:
		importPath, err := m.ImportPath(folder)
		return importPath, load.PackageName(importPath), err
	}
}
