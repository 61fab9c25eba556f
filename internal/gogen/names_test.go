package gogen_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gocheck"
	"github.com/coordgen/coordgen/internal/gogen"
	"github.com/coordgen/coordgen/internal/load"
)

// Both files have a number in place of N. Used stands in for every type that code
// can use of another package, and user uses it in every way.
const (
	used = `syntax = "proto3";
package kN;
import "coordgen/options.proto";
import "google/protobuf/timestamp.proto";
option go_package = "example.com/names/kN;NAME";
enum E { E_ZERO = 0; E_ONE = 1; }
message T { string id = 1; }
message Beat {
  option (coordgen.message) = { role: HEARTBEAT };
  string instance_id = 1;
  google.protobuf.Timestamp timestamp = 2;
  repeated string subscriptions = 3;
}
message Leaving {
  option (coordgen.message) = { role: SHUTDOWN };
  string instance_id = 1;
  E intent = 2;
  google.protobuf.Timestamp initiated_at = 3;
  google.protobuf.Timestamp expected_completion_at = 4;
  repeated string subscriptions = 5;
}
message Work {
  option (coordgen.message) = { role: ASSIGNMENT };
  string target_instance_id = 1;
  repeated string subscriptions = 2;
  string source_instance_id = 3;
  google.protobuf.Timestamp assigned_at = 4;
}
`
	user = `syntax = "proto3";
package uN;
import "coordgen/options.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "kN.proto";
option go_package = "example.com/names/uN;user";
enum Local { LOCAL_A = 0; }
message User {
  kN.T a = 1 [(coordgen.field) = { required: true }];
  kN.E b = 2 [(coordgen.field) = { default: "\"one\"" }];
  optional kN.E c = 3;
  repeated kN.T d = 4;
  map<string, kN.T> e = 5;
  map<int32, kN.E> f = 6;
  repeated kN.E g = 7;
  oneof one { kN.T h = 8; kN.E i = 9; }
  google.protobuf.Timestamp at = 10;
  User self = 11;
}
service S {
  option (coordgen.namespace) = { prefix: "s" };
  rpc Got(kN.T) returns (google.protobuf.Empty) {
    option (coordgen.topic) = { name: "got", addressed_by: "id" };
  }
  rpc Sent(User) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "sent" }; }
  rpc Local(kN.T) returns (google.protobuf.Empty) { option (coordgen.callback) = {}; }
  rpc Text(google.protobuf.StringValue) returns (google.protobuf.Empty) { option (coordgen.callback) = {}; }
}
service Fleet {
  option (coordgen.namespace) = { prefix: "fleet" };
  rpc Beat(kN.Beat) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "beat" }; }
  rpc Leave(kN.Leaving) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "leave" }; }
  rpc Assign(kN.Work) returns (google.protobuf.Empty) {
    option (coordgen.topic) = { name: "assign", addressed_by: "target_instance_id" };
  }
  rpc Own(kN.T) returns (google.protobuf.Empty) { option (coordgen.callback) = {}; }
  rpc Lost(google.protobuf.StringValue) returns (google.protobuf.Empty) { option (coordgen.callback) = { on: PEER_TIMEOUT }; }
}
`
)

// A package may be called like anything that stands in the code of one that
// imports it: a variable, a type, another import, a name or a word of Go's.
func TestImportsAreCalledLikeAnything(t *testing.T) {
	names := map[string]bool{"init": true, "documentation": true, "mschema": true, "User": true, "GotTopic": true}
	for k := gotoken.BREAK; k <= gotoken.VAR; k++ {
		names[k.String()] = true
	}
	for _, name := range types.Universe.Names() {
		names[name] = true
	}
	for _, f := range generateUsers(t, []string{"other"}) {
		tree, err := parser.ParseFile(gotoken.NewFileSet(), f.Name, f.Content, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !id.IsExported() {
				names[id.Name] = true
			}
			return true
		})
	}
	require.Contains(t, names, "unbind")
	c, err := gocheck.New(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Check(generateUsers(t, slices.Sorted(maps.Keys(names)))))
}

// generateUsers generates the code of a package of each name, and of one that
// imports it.
func generateUsers(t *testing.T, names []string) []gogen.File {
	dir := t.TempDir()
	for i, name := range names {
		fill := strings.NewReplacer("NAME", name, "kN", "k"+strconv.Itoa(i), "uN", "u"+strconv.Itoa(i))
		for kind, text := range map[string]string{"k": used, "u": user} {
			file := filepath.Join(dir, fmt.Sprintf("%s%d.proto", kind, i))
			require.NoError(t, os.WriteFile(file, []byte(fill.Replace(text)), 0o600))
		}
	}
	return generate(t, dir)
}

// What breaks a printer is told as an error that says which file it was.
func TestPanic(t *testing.T) {
	r, err := load.Load(t.Context(), load.Options{Files: []string{"coordination.proto"}})
	require.NoError(t, err)
	field := r.Schema.Files[len(r.Schema.Files)-1].Messages[0].Fields[0]
	field.Required, field.Default = false, "no JSON"
	_, err = gogen.Generate(r.Schema, gogen.Options{Version: "v0.0.0", Codecs: []string{"json"}})
	require.ErrorContains(t, err, "coordination.proto: print methods: the generator breaks on it, please report that: ")
}
