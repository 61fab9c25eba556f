package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// modules are what makes servers that no package manager has. Each folder has a
// go.mod.txt, with all versions that matter.
//
//go:embed consul/go.mod.txt etcd/go.mod.txt kubernetes/go.mod.txt
var modules embed.FS

// build returns a server's program, built by Go from a module of its own and kept
// in the user's cache: the dear ones take minutes.
func build(ctx context.Context, module, name, pkg string, flags ...string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	text, err := fs.ReadFile(modules, module+"/go.mod.txt")
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "coordgen-services", module)
	program := filepath.Join(dir, name)
	if built, err := os.ReadFile(program + ".mod"); err == nil && bytes.Equal(built, text) {
		return program, nil
	}
	fmt.Fprintf(os.Stderr, "services: building %s, once\n", name)
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return "", err
	}
	files := map[string]string{
		"go.mod":   string(text),
		"tools.go": "//go:build tools\n\npackage tools\n\nimport _ \"" + pkg + "\"\n",
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			return "", err
		}
	}
	args := append([]string{"build", "-mod=mod", "-o", program}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w: %s", pkg, err, out)
	}
	return program, os.WriteFile(program+".mod", text, 0o600) // last: what is not finished is built again
}
