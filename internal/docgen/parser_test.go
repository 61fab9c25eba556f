//go:build servers

package docgen_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/docgen"
)

// A finding is what parse.mjs prints.
type finding struct {
	File, Rule, Message, Path      string
	Severity                       int
	Channels, Operations, Messages int
}

// parse runs AsyncAPI's own parser over the documents of a folder.
func parse(t *testing.T, folder string) []finding {
	script, err := filepath.Abs("testdata/parse.mjs")
	require.NoError(t, err)
	cmd := exec.Command("node", script, folder)
	cmd.Dir = "../../tools/npm"
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	var all []finding
	require.NoError(t, json.Unmarshal(out, &all))
	return all
}

// AsyncAPI's own parser takes every document, and has nothing against it.
func TestTheParserTakesEveryDocument(t *testing.T) {
	folder := t.TempDir()
	schemas := corpus(t)
	for _, s := range schemas {
		for ending, o := range map[string]docgen.Options{
			".yaml": {Format: docgen.AsyncAPI}, ".json": {Format: docgen.AsyncAPI, JSON: true},
		} {
			require.NoError(t, os.WriteFile(filepath.Join(folder, s.name+ending), generate(t, s.parts, o), 0o600))
		}
	}
	for _, f := range parse(t, folder) {
		t.Log(f)
	}
}
