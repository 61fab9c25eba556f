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

var updateGuide = flag.Bool("update-guide", false, "write into the guides what their commands print")

// The examples of the guides are what happens: each schema in them is written to
// orders.proto, and each command prints what stands behind it.
func TestGuide(t *testing.T) {
	t.Run("evolution", func(t *testing.T) {
		guide(t, "../../docs/evolution.md", func(code string) (schema string, is bool) {
			switch {
			case strings.HasPrefix(code, "syntax"):
				return code, true
			case strings.HasPrefix(code, "message"), strings.HasPrefix(code, "service"):
				earlier, err := os.ReadFile("orders.proto")
				require.NoError(t, err)
				return string(earlier) + code, true
			}
			return "", false
		})
	})
	t.Run("rolling", func(t *testing.T) {
		frame := map[string]string{} // what all schemas begin and end with
		guide(t, "../../docs/rolling.md", func(code string) (schema string, is bool) {
			for _, part := range []string{"syntax", "service"} {
				if strings.HasPrefix(code, part) {
					frame[part] = code
				}
			}
			if !strings.HasPrefix(code, "option (coordgen.schema)") {
				return "", false
			}
			return frame["syntax"] + code + frame["service"], true
		})
	})
}

// guide runs the sections of a guide, each in a folder of its own. Schema says which
// blocks are schemas.
func guide(t *testing.T, path string, schema func(code string) (string, bool)) {
	path, err := filepath.Abs(path)
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var got strings.Builder
	for i, section := range strings.Split(string(text), "\n## ") {
		if i > 0 {
			got.WriteString("\n## ")
		}
		t.Chdir(t.TempDir())
		for _, block := range strings.SplitAfter(section, "\n\n") {
			code := strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n    ", "\n"), "\n")
			commands := strings.TrimRight(block, "\n")
			switch content, is := schema(code); {
			case !strings.HasPrefix(block, "    "):
				got.WriteString(block)
			case is:
				require.NoError(t, os.WriteFile("orders.proto", []byte(content), 0o600))
				got.WriteString(block)
			case strings.HasPrefix(code, "$ coordgen"):
				got.WriteString(run(commands) + block[len(commands):])
			default:
				got.WriteString(block)
			}
		}
	}
	if *updateGuide {
		require.NoError(t, os.WriteFile(path, []byte(got.String()), 0o600))
		return
	}
	require.Equal(t, got.String(), string(text), "run the test with -update-guide")
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
