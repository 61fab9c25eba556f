package scaffold_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/scaffold"
)

var update = flag.Bool("update", false, "write the golden parts of the cases in testdata/compare")

// shopSchema is what the cases have handlers of.
const shopSchema = `
syntax = "proto3";
package shop;
import "coordgen/options.proto";
import "google/protobuf/empty.proto";
option go_package = "example.com/app/shop";
message Order { string id = 1; }
message Parcel { string id = 1; }
service Orders {
  // An order was placed.
  rpc Placed(Order) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "placed" }; }
  // An order was sent.
  rpc Sent(Parcel) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "sent" }; }
}
`

// TestCompare runs every case of testdata/compare. A case is an archive of a
// folder of the user's. Its first line is the folder's import path, its file
// "want" what is to be done about the handler of the schema above.
func TestCompare(t *testing.T) {
	cases, err := filepath.Glob("testdata/compare/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	s := readText(t, shopSchema)
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			path, err := filepath.Abs(path)
			require.NoError(t, err)
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			importPath, _, _ := strings.Cut(string(archive.Comment), "\n")

			t.Chdir(t.TempDir())
			last := len(archive.Files) - 1
			require.Equal(t, "want", archive.Files[last].Name)
			for _, f := range archive.Files[:last] {
				write(t, ".", map[string]string{f.Name: string(f.Data)})
			}
			h, err := scaffold.PlanHandlers(s.services, scaffold.HandlerOptions{
				Folder: ".", ImportPath: importPath, Fallback: "fallback", Generated: s.generated,
			})
			got := tell(h)
			if err != nil {
				got = "error: " + err.Error() + "\n"
			}
			if *update {
				archive.Files[last].Data = []byte(got)
				require.NoError(t, os.WriteFile(path, txtar.Format(archive), 0o600))
				return
			}
			assert.Equal(t, string(archive.Files[last].Data), got)
		})
	}
}

// tell is all of a plan as text.
func tell(h *scaffold.Handlers) string {
	if h == nil {
		return ""
	}
	var b strings.Builder
	findings := func(what string, all []scaffold.Finding) {
		for _, f := range all {
			fmt.Fprintf(&b, "%s %s:%d:%d: %s\n", what, f.Pos.Path, f.Pos.Line, f.Pos.Col, f.Message)
		}
	}
	findings("unseen", h.Unseen)
	for _, f := range h.Files {
		fmt.Fprintf(&b, "new %s\n%s", f.Name, f.Content)
	}
	for _, e := range h.Existing {
		fmt.Fprintf(&b, "existing %s of %s at %s:%d:%d\n", e.Type, e.Handler, e.Pos.Path, e.Pos.Line, e.Pos.Col)
		findings("finding", e.Findings)
		for _, line := range e.Imports {
			fmt.Fprintf(&b, "import %s\n", line)
		}
		b.Write(e.Text)
	}
	return b.String()
}
