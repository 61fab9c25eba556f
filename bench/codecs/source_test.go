package codecs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/coordgen/coordgen/bench/codecs/pb"
)

// BenchmarkSource reports how much code each generator makes.
func BenchmarkSource(b *testing.B) {
	messages := float64(pb.File_bench_proto.Messages().Len())
	for _, tool := range []struct{ name, files string }{
		{"coordgen-types", "ours/*_types.gen.go"},
		{"coordgen-methods", "ours/*_methods.gen.go"},
		{"coordgen-json", "ours/*_json.gen.go"},
		{"coordgen-msgpack", "ours/*_msgpack.gen.go"},
		{"easyjson", "plain/plain_easyjson.go"},
		{"msgp", "plain/plain_msgp.go"},
		{"protobuf-go", "pb/bench.pb.go"},
		{"vtprotobuf", "pb/bench_vtproto.pb.go"},
	} {
		b.Run("tool="+tool.name, func(b *testing.B) {
			files, err := filepath.Glob(tool.files)
			if err != nil || len(files) == 0 {
				b.Fatal("no code: ", tool.files, err)
			}
			var size, lines int
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					b.Fatal(err)
				}
				size += len(text)
				lines += bytes.Count(text, []byte("\n"))
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(size)/messages, "bytes/message")
			b.ReportMetric(float64(lines)/messages, "lines/message")
		})
	}
}

// BenchmarkCompile reports how long the compiler takes for each package of
// generated code, all that it imports being compiled: ours has both of coordgen's
// codecs, plain those of msgp and easyjson, pb those of protobuf-go and vtprotobuf.
func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"ours", "plain", "pb"} {
		b.Run("package="+name, func(b *testing.B) {
			compile(b, name) // what it imports
			var wall, processor time.Duration
			for b.Loop() {
				w, p := compile(b, name)
				wall, processor = wall+w, processor+p
			}
			b.ReportMetric(float64(wall.Milliseconds())/float64(b.N), "compile-ms")
			b.ReportMetric(float64(processor.Milliseconds())/float64(b.N), "compile-cpu-ms")
		})
	}
}

// compile compiles one package anew, and says how long the compiler took: by the
// clock, and of all processors.
func compile(b *testing.B, name string) (wall, processor time.Duration) {
	path := "github.com/coordgen/coordgen/bench/codecs/" + name
	graph := filepath.Join(b.TempDir(), "actions.json")
	// A flag that has no effect and was never given makes the package a new one.
	flag := fmt.Sprintf("-gcflags=%s=-D=x%d", path, time.Now().UnixNano())
	if text, err := exec.CommandContext(b.Context(), "go", "build", flag, "-debug-actiongraph="+graph, path).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, text)
	}
	text, err := os.ReadFile(graph)
	if err != nil {
		b.Fatal(err)
	}
	var actions []struct {
		Mode, Package            string
		CmdReal, CmdUser, CmdSys time.Duration
	}
	if err := json.Unmarshal(text, &actions); err != nil {
		b.Fatal(err)
	}
	for _, a := range actions {
		if a.Mode == "build" && a.Package == path {
			return a.CmdReal, a.CmdUser + a.CmdSys
		}
	}
	b.Fatal("go build did not compile " + path)
	return 0, 0
}
