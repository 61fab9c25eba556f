package cli_test

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
)

var updateGuide = flag.Bool("update-guide", false, "write into docs/evolution.md what its commands print")

// The example of the guide is what happens: each schema in it is written to
// orders.proto, and each command prints what stands behind it.
func TestGuide(t *testing.T) {
	guide, err := filepath.Abs("../../docs/evolution.md")
	require.NoError(t, err)
	text, err := os.ReadFile(guide)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), "## An example\n")
	require.True(t, found)
	example, after, found := strings.Cut(rest, "\n## ")
	require.True(t, found)
	t.Chdir(t.TempDir())
	var got strings.Builder
	for _, block := range strings.SplitAfter(example, "\n\n") {
		switch code, _ := strings.CutPrefix(block, "    "); {
		case strings.HasPrefix(code, "syntax"), strings.HasPrefix(code, "message"), strings.HasPrefix(code, "service"):
			got.WriteString(block)
			schema := strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n    ", "\n"), "\n")
			if !strings.HasPrefix(code, "syntax") {
				earlier, err := os.ReadFile("orders.proto")
				require.NoError(t, err)
				schema = string(earlier) + schema
			}
			require.NoError(t, os.WriteFile("orders.proto", []byte(schema), 0o600))
		case strings.HasPrefix(code, "$ "):
			got.WriteString(run(strings.TrimRight(block, "\n")) + block[len(strings.TrimRight(block, "\n")):])
		default:
			got.WriteString(block)
		}
	}
	whole := before + "## An example\n" + got.String() + "\n## " + after
	if *updateGuide {
		require.NoError(t, os.WriteFile(guide, []byte(whole), 0o600))
		return
	}
	require.Equal(t, whole, string(text), "run the test with -update-guide")
}

// run runs the commands of a block, and returns it with what they print.
func run(block string) string {
	var got strings.Builder
	for line := range strings.Lines(block) {
		command, is := strings.CutPrefix(strings.TrimSpace(line), "$ coordgen ")
		if !is {
			continue
		}
		var out bytes.Buffer
		cli.Main(context.Background(), strings.Fields(command), cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
		got.WriteString("    $ coordgen " + command + "\n")
		for line := range strings.Lines(out.String()) {
			got.WriteString("    " + line)
		}
	}
	return strings.TrimRight(got.String(), "\n")
}
