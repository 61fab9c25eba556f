package compat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// schemas are files by their names, without what all of them begin with.
type schemas map[string]string

// load loads the schemas, of which those that are named are asked for, or all.
func (s schemas) load(t *testing.T, version string, names ...string) *load.Result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range s {
		pkg := strings.TrimSuffix(name, ".proto")
		text = "syntax = \"proto3\";\npackage " + pkg + ";\noption go_package = \"example.com/x/" + pkg + "\";\nimport \"coordgen/options.proto\";\nimport \"google/protobuf/empty.proto\";\noption (coordgen.schema).version = " + version + ";\n" + text
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(dir, name))
	}
	if len(files) == 0 {
		files = []string{dir}
	}
	r, err := load.Load(t.Context(), load.Options{Files: files, Include: []string{dir}})
	require.NoError(t, err)
	return r
}

// checkFiles compares what is asked for with a first version, in the files themselves
// or, if locked are named, with the locks of those.
func checkFiles(t *testing.T, was, is schemas, asked string, locked ...string) *compat.Report {
	t.Helper()
	first, next := was.load(t, "1"), is.load(t, "2", asked)
	among := lock.Among{Schema: next.Schema, Locks: map[string]*lock.Lock{}}
	for _, f := range first.Schema.Files {
		for _, name := range locked {
			if f.Path == name {
				among.Locks[name], _ = (&lock.Lock{Path: name + lock.Extension}).Record(f, false)
			}
		}
	}
	var h []compat.History
	for _, f := range first.Schema.Files {
		switch l := among.Locks[f.Path]; {
		case f.Path != asked:
		case l != nil:
			f = l.Restore(f.Path, 1, among)
			fallthrough
		default:
			h = append(h, compat.History{Versions: []*model.File{f}, Whole: true})
		}
	}
	return compat.Check(h, next.Schema, compat.Options{Mode: compat.Full, Codecs: compat.All})
}

func rules(r *compat.Report) []string {
	var all []string
	for _, f := range r.Breaks() {
		all = append(all, f.Rule+" "+f.Element)
	}
	return all
}

// What stands in an import is compared with what it was when the version was recorded,
// and told of if that is not on record.
func TestImports(t *testing.T) {
	const imports = "import \"b.proto\";\n"
	const topic = imports + "service S { rpc Placed(%) returns (google.protobuf.Empty) { option (coordgen.topic).name = \"placed\"; } }"
	takes := func(message string) string { return strings.ReplaceAll(topic, "%", message) }
	for name, c := range map[string]struct {
		was, is schemas
		// compared is what the files themselves find, and their locks, and alone what the
		// lock of a.proto finds, of whose import there is none.
		compared, alone []string
	}{
		"a field": {
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { string x = 1; }"},
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { int32 x = 1; }"},
			[]string{"FIELD_TYPE_CHANGED b.B.x"}, []string{"IMPORT_NOT_COMPARED b.proto"},
		},
		"an enum": {
			schemas{"a.proto": imports + "message A { b.E e = 1; }", "b.proto": "enum E { X = 0; Y = 1; }"},
			schemas{"a.proto": imports + "message A { b.E e = 1; }", "b.proto": "enum E { X = 0; Z = 1; }"},
			[]string{"ENUM_VALUE_RENAMED b.E.Z"}, []string{"IMPORT_NOT_COMPARED b.proto"},
		},
		"a topic's message": {
			schemas{"a.proto": takes("b.B"), "b.proto": "message B { string x = 1; } message C { int32 x = 1; }"},
			schemas{"a.proto": takes("b.C"), "b.proto": "message B { string x = 1; } message C { int32 x = 1; }"},
			[]string{"FIELD_TYPE_CHANGED b.C.x"}, []string{"TOPIC_PAYLOAD_CHANGED placed"},
		},
		"a topic's message that changed": {
			schemas{"a.proto": takes("b.B"), "b.proto": "message B { string x = 1; }"},
			schemas{"a.proto": takes("b.B"), "b.proto": "message B { int32 x = 1; }"},
			[]string{"FIELD_TYPE_CHANGED b.B.x"}, []string{"IMPORT_NOT_COMPARED b.proto"},
		},
		"a waiver there": {
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { string x = 1; }"},
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { int32 x = 1 [(coordgen.field).waive = { rule: \"FIELD_TYPE_CHANGED\", reason: \"new\" }]; }"},
			nil, []string{"IMPORT_NOT_COMPARED b.proto"},
		},
		"what was not compared, waived": {
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { string x = 1; }"},
			schemas{"a.proto": imports + "option (coordgen.schema).waive = { rule: \"IMPORT_NOT_COMPARED\", reason: \"stays\" };message A { b.B b = 1; }", "b.proto": "message B { string x = 1; }"},
			nil, nil,
		},
		"its form": {
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "message B { string x = 1; }"},
			schemas{"a.proto": imports + "message A { b.B b = 1; }", "b.proto": "option (coordgen.schema).json = PROTOJSON; message B { string x = 1; }"},
			[]string{"JSON_FORM_CHANGED "}, []string{"IMPORT_NOT_COMPARED b.proto"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.compared, rules(checkFiles(t, c.was, c.is, "a.proto")), "without locks")
			assert.Equal(t, c.compared, rules(checkFiles(t, c.was, c.is, "a.proto", "a.proto", "b.proto")), "with locks")
			assert.Equal(t, c.alone, rules(checkFiles(t, c.was, c.is, "a.proto", "a.proto")), "with one lock")
		})
	}
}

// A message that moves to a file of another form has another form.
func TestMoved(t *testing.T) {
	was := schemas{"a.proto": "message A { string x_y = 1; }"}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"of its own":  {"", nil},
		"of protobuf": {"option (coordgen.schema).json = PROTOJSON;", []string{"JSON_FORM_CHANGED a.A", "FIELD_KEY_CHANGED a.A.x_y"}},
	} {
		t.Run(name, func(t *testing.T) {
			first := was.load(t, "1")
			is := schemas{"b.proto": c.text + "message A { string x_y = 1; }"}.load(t, "2").Schema
			is.Files[len(is.Files)-1].Messages[0].Name = "a.A" // as if both files were of one package
			r := compat.Check([]compat.History{{Versions: first.Schema.Files[len(first.Schema.Files)-1:]}}, is, compat.Options{Mode: compat.Full, Codecs: compat.All})
			assert.ElementsMatch(t, c.want, rules(r))
		})
	}
}

// What is gone together with its package is waived by its name in any file.
func TestWaivedPackage(t *testing.T) {
	was := schemas{"a.proto": "message A { string x = 1; }", "b.proto": "message B { string x = 1; }"}
	for waiver, want := range map[string][]string{
		"": {"MESSAGE_REMOVED b.B"},
		`option (coordgen.schema).waive = { rule: "MESSAGE_REMOVED", element: "b.B", reason: "unused" };`: nil,
		`option (coordgen.schema).waive = { rule: "MESSAGE_REMOVED", element: "b.C", reason: "unused" };`: {"MESSAGE_REMOVED b.B"},
		`option (coordgen.schema).waive = { rule: "MESSAGE_REMOVED", reason: "unused" };`:                 {"MESSAGE_REMOVED b.B"},
	} {
		first := was.load(t, "1")
		next := schemas{"a.proto": waiver + "message A { string x = 1; }"}.load(t, "2")
		var h []compat.History
		for _, f := range first.Schema.Files {
			h = append(h, compat.History{Versions: []*model.File{f}, Whole: true})
		}
		r := compat.Check(h, next.Schema, compat.Options{Mode: compat.Full, Codecs: compat.All})
		assert.Equal(t, want, rules(r), waiver)
		if strings.Contains(waiver, "b.C") {
			assert.Contains(t, told(r), `remove it, or move it to one of what MESSAGE_REMOVED found: "b.B" (b.proto)`)
		}
	}
}
