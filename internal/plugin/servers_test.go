//go:build servers

package plugin_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
)

// tools are the real protoc and buf, with the plugin on their path.
type tools struct {
	bin string // the folder of the plugin
	buf string
	// exported is where the schemas that coordgen carries are on disk, and
	// googleProtos the folder of protobuf's own.
	exported, googleProtos string
}

func newTools(t *testing.T) tools {
	npm, err := filepath.Abs("../../tools/npm/node_modules")
	require.NoError(t, err)
	x := tools{
		bin: t.TempDir(), buf: filepath.Join(npm, ".bin", "buf"),
		exported: t.TempDir(), googleProtos: filepath.Join(npm, "google-proto-files"),
	}
	require.FileExists(t, x.buf, "run make test-servers, which installs it")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", x.bin, "../../cmd/protoc-gen-coordgen", "../../cmd/coordgen").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Zero(t, cli.Main(t.Context(), []string{"export", "--out", x.exported}, cli.Streams{Out: os.Stderr, Err: os.Stderr}))
	return x
}

// run runs a command in the current folder and returns what it printed.
func (x tools) run(t *testing.T, name string, args ...string) (printed string, ok bool) {
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "PATH="+x.bin+string(os.PathListSeparator)+filepath.Dir(x.buf)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorAs(t, err, new(*exec.ExitError), "%s: run make test-servers, which installs it", name)
	}
	return string(out), err == nil
}

// protoc generates files, by their import paths, and returns the code.
func (x tools) protoc(t *testing.T, include, files []string, parameter string) (code map[string]string, printed string, ok bool) {
	out := t.TempDir()
	args := []string{"--coordgen_out=" + out, "--coordgen_opt=" + parameter}
	for _, folder := range append(include, x.exported, x.googleProtos) {
		args = append(args, "-I", folder)
	}
	printed, ok = x.run(t, "protoc", append(args, files...)...)
	return written(t, out), printed, ok
}

// bufGenerate does the same with buf. Each include folder is a module of it.
func (x tools) bufGenerate(t *testing.T, include, files []string, parameter string) (code map[string]string, printed string, ok bool) {
	home := t.TempDir()
	modules := "version: v2\nmodules:\n"
	var targets []string
	for i, folder := range append(include, x.exported) {
		name := fmt.Sprint("module", i)
		modules += "  - path: " + name + "\n"
		protos := written(t, folder)
		for file, text := range protos {
			if filepath.Ext(file) == ".proto" {
				write(t, filepath.Join(home, name, filepath.FromSlash(file)), text)
			}
		}
		for _, file := range files {
			if _, here := protos[file]; here {
				targets = append(targets, "--path", name+"/"+file)
			}
		}
	}
	write(t, filepath.Join(home, "buf.yaml"), modules)
	write(t, filepath.Join(home, "buf.gen.yaml"), "version: v2\nplugins:\n  - local: protoc-gen-coordgen\n    out: gen\n    strategy: all\n    opt: ["+parameter+"]\n")
	t.Chdir(home)
	printed, ok = x.run(t, x.buf, append([]string{"generate"}, targets...)...)
	if _, err := os.Stat("gen"); err != nil {
		return nil, printed, ok
	}
	return written(t, "gen"), printed, ok
}

// What protoc and buf have the plugin write is what the command writes, to the
// byte: their compilers find the same comments that ours finds.
func TestSameWithProtocAndBuf(t *testing.T) {
	x := newTools(t)
	for _, e := range examples(t) {
		t.Run(e.name, func(t *testing.T) {
			t.Chdir(e.folder)
			targets := e.load(t)
			want := e.command(t)
			if !e.editions { // protoc of Debian 12 has none
				got, printed, ok := x.protoc(t, e.include, targets, e.parameter())
				require.True(t, ok, printed)
				assert.Equal(t, want, e.below(t, got), "protoc")
			}
			got, printed, ok := x.bufGenerate(t, e.include, targets, e.parameter())
			require.True(t, ok, printed)
			assert.Equal(t, want, e.below(t, got), "buf")
		})
	}
}

var _ = strings.TrimSpace
