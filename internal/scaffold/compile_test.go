package scaffold_test

import (
	"go/format"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/consumer"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/scaffold"
)

// A schema is what there is of some .proto files.
type schema struct {
	services  []*model.Service // those with topics
	generated []scaffold.Generated
}

// read loads the schemas below a folder and generates their code.
func read(t *testing.T, folder string) schema {
	t.Helper()
	loaded, err := load.Load(t.Context(), load.Options{Files: []string{folder}, Include: []string{folder}})
	require.NoError(t, err)
	code, err := gogen.Generate(loaded.Schema, gogen.Options{Version: "v0.0.0"})
	require.NoError(t, err)
	var s schema
	for _, f := range code {
		s.generated = append(s.generated, scaffold.Generated{Package: f.Package, Name: f.Name, Content: f.Content})
	}
	for _, f := range loaded.Schema.Files {
		for _, service := range f.Services {
			if f.Target && len(service.Fed()) > 0 {
				s.services = append(s.services, service)
			}
		}
	}
	require.NotEmpty(t, s.services)
	return s
}

// readText is read for a file of that text.
func readText(t *testing.T, text string) schema {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "schema.proto"), []byte(text), 0o600))
	return read(t, folder)
}

// write puts files, by slash-separated paths, below a folder.
func write(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// A module is a Go module with the import path path.
type module struct {
	consumer.Module
	t    *testing.T
	path string
}

func newModule(t *testing.T, path string) module {
	return module{consumer.New(t, path), t, path}
}

// generate writes the generated code into the folders of its packages.
func (m module) generate(s schema) {
	for _, g := range s.generated {
		write(m.t, m.Dir, map[string]string{path(m.path, g.Package.Path) + "/" + g.Name: string(g.Content)})
	}
}

// path is the folder of a package of a module.
func path(module, importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, module), "/")
}

// plan plans the handlers of services in a folder of the module.
func (m module) plan(s schema, services []*model.Service, folder, pkg string) *scaffold.Handlers {
	m.t.Helper()
	h, err := scaffold.PlanHandlers(services, scaffold.HandlerOptions{
		Folder: filepath.Join(m.Dir, folder), ImportPath: m.path + "/" + folder, Package: pkg, Fallback: filepath.Base(folder), Generated: s.generated,
	})
	require.NoError(m.t, err)
	return h
}

// create plans handlers and writes them.
func (m module) create(s schema, services []*model.Service, folder, pkg string) {
	m.t.Helper()
	h := m.plan(s, services, folder, pkg)
	require.Len(m.t, h.Files, len(services))
	require.Empty(m.t, h.Existing)
	for _, f := range h.Files {
		formatted, err := format.Source(f.Content)
		require.NoError(m.t, err)
		assert.Equal(m.t, string(formatted), string(f.Content), "%s is as gofmt leaves it", f.Name)
		write(m.t, filepath.Join(m.Dir, folder), map[string]string{f.Name: string(f.Content)})
	}
	again := m.plan(s, services, folder, pkg)
	assert.Empty(m.t, again.Files)
	require.Len(m.t, again.Existing, len(services))
	for _, e := range again.Existing {
		assert.Empty(m.t, e.Findings, "what was just written is complete")
	}
}

// paste writes a type without methods for each service, and then what it is said
// to lack.
func (m module) paste(s schema, folder string) {
	m.t.Helper()
	clause := "package " + folder + "\n"
	types := map[string]string{}
	for _, service := range s.services {
		types[service.Go+"Receiver"] = "\ntype " + service.Go + "Receiver struct{}\n"
	}
	for name, text := range types {
		write(m.t, m.Dir, map[string]string{folder + "/" + name + ".go": clause + text})
	}
	h := m.plan(s, s.services, folder, "")
	require.Empty(m.t, h.Files)
	require.Len(m.t, h.Existing, len(s.services))
	for _, e := range h.Existing {
		require.NotEmpty(m.t, e.Findings)
		body := clause + "\nimport (\n" + strings.Join(e.Imports, "\n") + "\n)\n" + types[e.Type] + "\n" + string(e.Text)
		write(m.t, m.Dir, map[string]string{folder + "/" + e.Type + ".go": body})
	}
	for _, e := range m.plan(s, s.services, folder, "").Existing {
		assert.Empty(m.t, e.Findings, "what was pasted is complete")
	}
}

// Handlers compile in the package of the generated code and in any other, for
// services that have odd names and whose neighbours have the names that handlers
// would have.
func TestHandlersCompile(t *testing.T) {
	for name, s := range map[string]schema{
		"shop":  read(t, "../gogen/testdata/orders"),
		"odd":   read(t, "../gogen/testdata/roles"),
		"taken": readText(t, takenNames),
		"lots":  readText(t, strings.ReplaceAll(takenNames, "example.com/taken/type;type_", "example.com/lots/v1;context")),
		"bus":   readText(t, strings.ReplaceAll(takenNames, "example.com/taken/type;type_", "example.com/bus/x/string")),
		"main":  readText(t, strings.ReplaceAll(takenNames, "example.com/taken/type;type_", "example.com/main/m")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newModule(t, "example.com/"+name)
			m.generate(s)
			for g, services := range byPackage(s.services) {
				m.create(s, services, path(m.path, g.Path), "")
			}
			m.create(s, s.services, "internal/handlers", "")
			m.create(s, s.services, "switch", "switching")
			m.create(s, s.services, "internal/slog", "slog")
			write(t, m.Dir, map[string]string{"own/own.go": ownNames})
			m.create(s, s.services, "own", "")
			m.paste(s, "pasted")
			m.Go("mod", "tidy")
			m.Go("vet", "./...")
		})
	}
}

// ownNames is a user's package that uses the names for itself.
const ownNames = `package own

const bus, context, slog, shop, orders, roles, taken, NewEventsReceiver = 1, 2, 3, 4, 5, 6, 7, 8
`

func byPackage(services []*model.Service) map[model.GoPackage][]*model.Service {
	all := map[model.GoPackage][]*model.Service{}
	for _, s := range services {
		all[s.File.Go] = append(all[s.File.Go], s)
	}
	return all
}

// takenNames has the names that a handler, its methods and what it imports have.
const takenNames = `
syntax = "proto3";
package taken;
import "coordgen/options.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/type.proto";
import "coordination.proto";
option go_package = "example.com/taken/type;type_";

message EventsReceiver { string log = 1; }
message NewThingsReceiver {}
enum Bus { BUS_NONE = 0; }
message Context {}
message error { string error = 1; }
// +build ignore
message Slog { oneof kind { string ctx = 1; } }

// The events.
service Events {
  rpc Log(EventsReceiver) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "log" }; }
  // +build ignore
  rpc type(Context) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "type" }; }
  rpc func(error) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "func" }; }
  rpc HandleLog(Slog) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "handle_log" }; }
}
service Things {
  // Gone is old.
  rpc Gone(coordination.WorkAssignment) returns (google.protobuf.Empty) {
    option deprecated = true;
    option (coordgen.topic) = { name: "gone", addressed_by: "target_instance_id" };
  }
  rpc Typed(google.protobuf.Type) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "typed" }; }
}
service BindFoo {
  rpc Foo(Context) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "foo" }; }
}
service FooReceiver {
  rpc Bar(Context) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "bar" }; }
}
service type {
  rpc string(Context) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "string" }; }
}
`
