package codecs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coordgen/coordgen/bench/codecs/pb"
)

// BenchmarkSource reports how much code each generator makes, coordgen's by what it
// is for.
func BenchmarkSource(b *testing.B) {
	tools := map[string]string{
		"plain/plain_easyjson.go": "easyjson",
		"plain/plain_msgp.go":     "msgp",
		"pb/bench.pb.go":          "protobuf-go",
		"pb/bench_vtproto.pb.go":  "vtprotobuf",
	}
	generated, err := filepath.Glob("ours/bench_*.gen.go")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range generated {
		_, part, _ := strings.Cut(file, "bench_")
		tools[file] = "coordgen-" + strings.TrimSuffix(part, ".gen.go")
	}
	messages := float64(pb.File_bench_proto.Messages().Len())
	for _, file := range slices.Sorted(maps.Keys(tools)) {
		b.Run("tool="+tools[file], func(b *testing.B) {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(len(text))/messages, "bytes/message")
			b.ReportMetric(float64(bytes.Count(text, []byte("\n")))/messages, "lines/message")
		})
	}
}

// BenchmarkCompile reports how long the compiler takes for each package of
// generated code, all that it imports being compiled: ours has all of coordgen's
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
