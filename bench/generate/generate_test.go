package generate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/coordgen/coordgen/bench/plugin"
)

func TestSchemaCompiles(t *testing.T) {
	dir := t.TempDir()
	paths, err := writeSchema(dir, 2*perFile)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plugin.Request(t.Context(), dir, paths, ""); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkGenerate runs each generator as people run it, as a process of its
// own. Beside the time it reports the processor's time and the peak of resident
// memory. A plugin is handed compiled schemas; the command "coordgen generate"
// compiles them itself, and writes the files, as protocompile+protoc-gen-go does.
func BenchmarkGenerate(b *testing.B) {
	bin := b.TempDir()
	build(b, bin,
		"github.com/coordgen/coordgen/cmd/coordgen",
		"github.com/coordgen/coordgen/cmd/protoc-gen-coordgen",
		"google.golang.org/protobuf/cmd/protoc-gen-go")
	for _, messages := range []int{1_000, 10_000} {
		b.Run(fmt.Sprintf("messages=%d", messages), func(b *testing.B) {
			dir := b.TempDir()
			paths, err := writeSchema(dir, messages)
			if err != nil {
				b.Fatal(err)
			}
			request, err := plugin.Request(b.Context(), dir, paths, "")
			if err != nil {
				b.Fatal(err)
			}
			for _, name := range []string{"protoc-gen-go", "protoc-gen-coordgen"} {
				b.Run("tool="+name, func(b *testing.B) {
					measure(b, func() *exec.Cmd {
						cmd := exec.CommandContext(b.Context(), filepath.Join(bin, name))
						cmd.Stdin, cmd.Stdout = bytes.NewReader(request), io.Discard
						return cmd
					})
				})
			}
			b.Run("tool=protocompile+protoc-gen-go", func(b *testing.B) {
				out := b.TempDir()
				for b.Loop() {
					if err := compileAndRun(b.Context(), dir, paths, filepath.Join(bin, "protoc-gen-go"), out); err != nil {
						b.Fatal(err)
					}
				}
			})
			generate := func(out string) *exec.Cmd {
				cmd := exec.CommandContext(b.Context(), filepath.Join(bin, "coordgen"), "generate", "--out", out, "--module", "example.com/bench", ".")
				cmd.Dir = dir
				return cmd
			}
			b.Run("tool=coordgen", func(b *testing.B) {
				out := b.TempDir()
				runs := 0
				measure(b, func() *exec.Cmd {
					runs++
					return generate(filepath.Join(out, fmt.Sprint(runs)))
				})
			})
			b.Run("tool=coordgen-unchanged", func(b *testing.B) {
				out := b.TempDir()
				if text, err := generate(out).CombinedOutput(); err != nil {
					b.Fatalf("%v: %s", err, text)
				}
				measure(b, func() *exec.Cmd { return generate(out) })
			})
		})
	}
}

// compileAndRun does what protoc does with a plugin: it compiles the schemas, runs the
// plugin, and writes its files.
func compileAndRun(ctx context.Context, dir string, paths []string, command, out string) error {
	request, err := plugin.Request(ctx, dir, paths, "")
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command)
	cmd.Stdin = bytes.NewReader(request)
	answer, err := cmd.Output()
	if err != nil {
		return err
	}
	var response pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(answer, &response); err != nil {
		return err
	}
	for _, f := range response.GetFile() {
		name := filepath.Join(out, f.GetName())
		if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(f.GetContent()), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// measure runs a process b.N times.
func measure(b *testing.B, command func() *exec.Cmd) {
	var processor, memory int64
	for b.Loop() {
		cmd := command()
		var log bytes.Buffer
		cmd.Stderr = &log
		if err := cmd.Run(); err != nil {
			b.Fatalf("%v: %s", err, &log)
		}
		processor += int64(cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime())
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			memory = max(memory, usage.Maxrss)
		}
	}
	b.ReportMetric(float64(processor)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(memory)/1024, "peak-MB")
}

// build compiles commands into a folder.
func build(b *testing.B, folder string, commands ...string) {
	for _, command := range commands {
		if text, err := exec.CommandContext(b.Context(), "go", "build", "-o", folder, command).CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, text)
		}
	}
}
