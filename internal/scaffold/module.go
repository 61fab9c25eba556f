package scaffold

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
)

// A Module is the Go module that a folder lies in.
type Module struct {
	// Root is the absolute path of the folder with the go.mod.
	Root string
	file *modfile.File
}

// ErrNoModule is returned for a folder that lies in no Go module.
var ErrNoModule = errors.New("no go.mod, here or in a folder above")

// FindModule returns the module of a folder, which need not exist yet.
func FindModule(folder string) (*Module, error) {
	root, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	for {
		name := filepath.Join(root, "go.mod")
		text, err := os.ReadFile(name)
		switch parent := filepath.Dir(root); {
		case err == nil:
			file, err := parseModule(name, text)
			return &Module{Root: root, file: file}, err
		case !errors.Is(err, fs.ErrNotExist):
			return nil, err
		case parent == root:
			return nil, ErrNoModule
		default:
			root = parent
		}
	}
}

func parseModule(name string, text []byte) (*modfile.File, error) {
	file, err := modfile.Parse(name, text, nil)
	if err != nil {
		// What a newer Go brings to the file is passed over, the tools with it.
		file, err = modfile.ParseLax(name, text, nil)
	}
	if err == nil && file.Module == nil {
		err = fmt.Errorf("%s names no module", name)
	}
	return file, err
}

// ImportPath is that of the package in a folder of the module.
func (m *Module) ImportPath(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(m.Root, folder)
	if err != nil {
		return "", err
	}
	return path.Join(m.file.Module.Mod.Path, filepath.ToSlash(below)), nil
}

// HasTool says whether "go tool" knows the command of that import path.
func (m *Module) HasTool(path string) bool {
	return slices.ContainsFunc(m.file.Tool, func(t *modfile.Tool) bool { return t.Path == path })
}
