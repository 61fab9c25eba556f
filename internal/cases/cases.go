// Package cases reads cases by which the handling of schemas is tested: archives
// of .proto files. It serves tests.
package cases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/load"
)

// Arguments are what the first line of a case asks for, which is
// "VERB FILE... [-I FOLDER]... [--module PATH] [--package PROTO=GO]...".
type Arguments struct {
	Files, Include []string
	Module         string
	Packages       []string // as the flag has them
}

// Parse reads the first line of a case's comment.
func Parse(t testing.TB, comment []byte) Arguments {
	t.Helper()
	line, _, _ := strings.Cut(string(comment), "\n")
	words := strings.Fields(line)
	require.NotEmpty(t, words, "a case begins with: VERB FILE...")
	var a Arguments
	for words = words[1:]; len(words) > 0; {
		if !strings.HasPrefix(words[0], "-") {
			a.Files = append(a.Files, words[0])
			words = words[1:]
			continue
		}
		require.Greater(t, len(words), 1, "%s has a value", words[0])
		switch flag, value := words[0], words[1]; flag {
		case "-I":
			a.Include = append(a.Include, value)
		case "--module":
			a.Module = value
		case "--package":
			a.Packages = append(a.Packages, value)
		default:
			require.Fail(t, "a case has an unknown flag", flag)
		}
		words = words[2:]
	}
	return a
}

// Options are the arguments as package load takes them.
func (a Arguments) Options() load.Options {
	of := map[string]string{}
	for _, p := range a.Packages {
		file, goPackage, _ := strings.Cut(p, "=")
		of[file] = goPackage
	}
	return load.Options{Files: a.Files, Include: a.Include, Go: load.GoPackages{Module: a.Module, Of: of}}
}

// Extract writes a case's schemas into a new folder and returns what its first
// line asks for, as it is said from another one.
func Extract(t testing.TB, archive *txtar.Archive) load.Options {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		if filepath.Ext(f.Name) == ".proto" {
			name := filepath.Join(dir, filepath.FromSlash(f.Name))
			require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o750))
			require.NoError(t, os.WriteFile(name, f.Data, 0o600))
		}
	}
	o := Parse(t, archive.Comment).Options()
	for i, name := range o.Files {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			o.Files[i] = filepath.Join(dir, name) // another is one that coordgen carries
		}
	}
	for i, folder := range o.Include {
		o.Include[i] = filepath.Join(dir, folder)
	}
	if o.Include == nil {
		o.Include = []string{dir}
	}
	return o
}
