//go:build servers

package plugin_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
)

// tools are the real protoc and buf, which find the plugin on the PATH.
type tools struct {
	buf string
	// exported is where the schemas that coordgen carries are on disk, and
	// googleProtos the folder of protobuf's own.
	exported, googleProtos string
}

func newTools(t *testing.T) tools {
	npm, err := filepath.Abs("../../tools/npm/node_modules")
	require.NoError(t, err)
	x := tools{
		buf:      filepath.Join(npm, ".bin", "buf"),
		exported: t.TempDir(), googleProtos: filepath.Join(npm, "google-proto-files"),
	}
	require.FileExists(t, x.buf, "run make test-servers, which installs it")
	bin := t.TempDir()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", bin, "../../cmd/protoc-gen-coordgen", "../../cmd/coordgen").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Zero(t, cli.Main(t.Context(), []string{"export", "--out", x.exported}, cli.Streams{Out: io.Discard, Err: io.Discard}))
	return x
}

// run runs a command in the current folder and returns what it printed.
func run(t *testing.T, name string, args ...string) (printed string, ok bool) {
	cmd := exec.CommandContext(t.Context(), name, args...)
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
	printed, ok = run(t, "protoc", append(args, files...)...)
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
	printed, ok = run(t, x.buf, append([]string{"generate"}, targets...)...)
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
				got, printed, ok := x.protoc(t, e.Include, targets, e.parameter())
				require.True(t, ok, printed)
				assert.Equal(t, want, e.below(t, got), "protoc")
			}
			got, printed, ok := x.bufGenerate(t, e.Include, targets, e.parameter())
			require.True(t, ok, printed)
			assert.Equal(t, want, e.below(t, got), "buf")
		})
	}
}

const orders = `syntax = "proto3";

package shop;

import "coordgen/options.proto";

option go_package = "example.com/shop/gen/shop";

// Order is an order that a customer placed.
message Order {
  // The order's number.
  string id = 1 [(coordgen.field).required = true];
  // What the customer wrote.
  optional string note = 2 %s;
}
`

// fenced finds blocks of code in Markdown that are files, and indented those that
// are commands.
var (
	fenced   = regexp.MustCompile("(?s)\n`([^`\n]+)`[^`\n]*\n\n```yaml\n(.*?)```")
	indented = regexp.MustCompile(`(?m)^    (coordgen|protoc) (.*)$`)
)

// The page on protoc and buf, followed as it stands.
func TestPage(t *testing.T) {
	x := newTools(t)
	page := read(t, "../../docs/protoc.md")
	t.Chdir(t.TempDir())
	write(t, "proto/shop/orders.proto", fmt.Sprintf(orders, ""))
	require.NoError(t, os.Mkdir("gen", 0o750))

	for _, command := range indented.FindAllStringSubmatch(page, -1) {
		args := strings.Fields(command[2])
		if command[1] == "protoc" {
			args = append(args, "-I", x.googleProtos) // Debian has them in another package
		}
		printed, ok := run(t, command[1], args...)
		require.True(t, ok, printed)
	}
	printed, ok := run(t, "coordgen", "generate", "-I", "proto", "--out", "want", "--module", "example.com/shop/gen", "proto")
	require.True(t, ok, printed)
	want := written(t, "want")
	require.Contains(t, want, "shop/orders_types.gen.go")
	require.Equal(t, want, written(t, "gen"), "protoc")

	files := fenced.FindAllStringSubmatch(page, -1)
	require.Len(t, files, 2, "buf.yaml and buf.gen.yaml")
	for _, f := range files {
		write(t, f[1], f[2])
	}
	require.NoError(t, os.RemoveAll("gen"))
	printed, ok = run(t, x.buf, "generate")
	require.True(t, ok, printed)
	require.Equal(t, want, written(t, "gen"), "buf")

	// Where each folder is a Go package, buf may take them one by one.
	write(t, "buf.gen.yaml", strings.Replace(files[1][2], "    strategy: all\n", "", 1))
	require.NoError(t, os.RemoveAll("gen"))
	printed, ok = run(t, x.buf, "generate")
	require.True(t, ok, printed)
	require.Equal(t, want, written(t, "gen"), "buf, folder by folder")
}

// What is wrong with a schema is seen as protoc and buf show it, and nothing is
// written.
func TestFaultsWithProtocAndBuf(t *testing.T) {
	x := newTools(t)
	page := read(t, "../../docs/protoc.md")
	folder := t.TempDir()
	file := "shop/orders.proto"
	write(t, filepath.Join(folder, file), fmt.Sprintf(orders, "[(coordgen.field).since = 2];\n  string x = 3 [(coordgen.field).name = \"id\"]"))
	faults := `shop/orders.proto:14:29: "note" is there since version 2, but the schema is at version 1; raise (coordgen.schema).version
shop/orders.proto:15:17: field "shop.Order.x" has the key "id" on the wire, as has field "shop.Order.id" (shop/orders.proto:12:3); give one of them another (coordgen.field).name
`
	assert.Contains(t, page, "--coordgen_out: "+strings.Split(faults, "\n")[0])
	got, printed, ok := x.protoc(t, []string{folder}, []string{file}, "")
	assert.False(t, ok)
	assert.Equal(t, "--coordgen_out: "+faults, printed)
	assert.Empty(t, got)
	got, printed, ok = x.bufGenerate(t, []string{folder}, []string{file}, "")
	assert.False(t, ok)
	assert.Equal(t, "Failure: plugin protoc-gen-coordgen: "+faults, printed)
	assert.Empty(t, got)

	got, printed, ok = x.protoc(t, []string{folder}, []string{file}, "modul=example.com")
	assert.False(t, ok)
	assert.Equal(t, "--coordgen_out: parameter \"modul=example.com\": there is no such parameter; there are codecs, module, paths and M\n", printed)
	assert.Empty(t, got)
}

// Warnings are shown, and the code is written.
func TestWarningsWithProtocAndBuf(t *testing.T) {
	x := newTools(t)
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.proto"), "syntax = \"proto2\";\npackage a;\nmessage A { extensions 5; }\nextend A { optional string e = 5; }\n")
	want := `a.proto:4:12: warning: extension "a.e" of message "a.A" gets no Go code; its values are kept as unknown fields. Make it a field of the message to read it` + "\n"
	got, printed, ok := x.protoc(t, []string{folder}, []string{"a.proto"}, "")
	assert.True(t, ok)
	assert.Equal(t, want, printed)
	assert.Contains(t, got, "a_types.gen.go")
	got, printed, ok = x.bufGenerate(t, []string{folder}, []string{"a.proto"}, "")
	assert.True(t, ok)
	assert.Equal(t, want, printed)
	assert.Contains(t, got, "a_types.gen.go")
}
