package install_test

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// The versions that the proxy serves. They lie beyond those that coordgen will
// have, so that none is mistaken for the release that the checkout belongs to.
const (
	first  = "v0.998.0" // the checkout
	second = "v0.998.1" // the checkout once more
	newer  = "v0.999.0" // the checkout, with generated code that needs this release
)

const modulePath = "github.com/coordgen/coordgen"

// A release is what a version has other than the checkout: a text of a file, and
// what stands there instead.
type release map[string]struct{ old, new string }

func releases() map[string]release {
	return map[string]release{
		first:  {},
		second: {},
		newer: {
			"internal/gogen/header.go": {`const needs = "`, `const needs = "` + newer + `" //`},
			"runtime/wire/version.go":  {"const (\n", "const (\n\tNeedsCoordgenV0_999_0 = true\n"},
		},
	}
}

// newProxy makes a module proxy of files, and returns what GOPROXY is to be for
// it. It serves coordgen from the checkout, and what coordgen needs from the
// module cache, which holds it since this test was built.
func newProxy(t *testing.T) string {
	root := t.TempDir()
	folder := filepath.Join(root, filepath.FromSlash(modulePath), "@v")
	require.NoError(t, os.MkdirAll(folder, 0o750))
	goMod, err := os.ReadFile("../../go.mod")
	require.NoError(t, err)
	files := checkout(t)
	var list bytes.Buffer
	for version, r := range releases() {
		fmt.Fprintln(&list, version)
		var archive bytes.Buffer
		require.NoError(t, zip.Create(&archive, module.Version{Path: modulePath, Version: version}, r.files(t, files)))
		info := fmt.Sprintf("{%q: %q, %q: %q}", "Version", version, "Time", "2026-01-02T03:04:05Z")
		for extension, content := range map[string][]byte{".info": []byte(info), ".mod": goMod, ".zip": archive.Bytes()} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, version+extension), content, 0o600))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "list"), list.Bytes(), 0o600))
	cache := goEnv(t, "GOMODCACHE")
	return fileURL(root) + "," + fileURL(filepath.Join(cache, "cache", "download"))
}

// checkout returns the files that a release of the checkout would hold: all that
// version control knows or would take. What belongs to another module, such as
// the examples, is among them; making the archive leaves it out.
func checkout(t *testing.T) []zip.File {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	out, err := cmd.Output()
	require.NoError(t, err, "the files of the checkout are listed by git")
	var files []zip.File
	for name := range strings.SplitSeq(strings.TrimRight(string(out), "\x00"), "\x00") {
		f := file{path: name, disk: filepath.Join(root, filepath.FromSlash(name))}
		if _, err := os.Lstat(f.disk); err == nil { // deleted, and still in the index
			files = append(files, f)
		}
	}
	return files
}

// files returns the files of the checkout as the release has them.
func (r release) files(t *testing.T, checkout []zip.File) []zip.File {
	files := make([]zip.File, len(checkout))
	patched := 0
	for i, f := range checkout {
		files[i] = f
		edit, ok := r[f.Path()]
		if !ok {
			continue
		}
		patched++
		text, err := os.ReadFile(f.(file).disk)
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(text), edit.old), "%q in %s", edit.old, f.Path())
		disk := filepath.Join(t.TempDir(), "patched.go")
		require.NoError(t, os.WriteFile(disk, []byte(strings.Replace(string(text), edit.old, edit.new, 1)), 0o600))
		files[i] = file{path: f.Path(), disk: disk}
	}
	require.Equal(t, len(r), patched)
	return files
}

// A file is one of a release, and where it lies on disk.
type file struct{ path, disk string }

func (f file) Path() string                 { return f.path }
func (f file) Lstat() (os.FileInfo, error)  { return os.Lstat(f.disk) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(f.disk) }

func fileURL(folder string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(folder)}).String()
}

// goEnv returns a setting of the go command.
func goEnv(t *testing.T, name string) string {
	out, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
