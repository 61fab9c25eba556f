//go:build servers

package docgen_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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
	parsed := 0
	for _, f := range parse(t, folder) {
		switch f.Rule {
		case "parsed":
			parsed++
			assert.Equal(t, "3.0.0", f.Message, f.File)
			want := topics(schemas, strings.TrimSuffix(f.File, filepath.Ext(f.File)))
			assert.Equal(t, []int{want, 2 * want}, []int{f.Channels, f.Operations}, f.File)
		case "asyncapi-latest-version": // there is 3.1 too
			assert.Greater(t, f.Severity, 1)
		default:
			assert.Fail(t, "a finding", "%+v", f)
		}
	}
	assert.Equal(t, 2*len(schemas), parsed, "documents")
}

// topics is how many topics a schema has.
func topics(schemas []schema, name string) int {
	n := 0
	for _, p := range schemas[slices.IndexFunc(schemas, func(s schema) bool { return s.name == name })].parts {
		for _, f := range p.Schema.Files {
			for _, s := range f.Services {
				for _, c := range s.Callbacks {
					if f.Target && c.Topic != nil {
						n++
					}
				}
			}
		}
	}
	return n
}

// The parser finds what is wrong with a document that is wrong.
func TestTheParserFindsFaults(t *testing.T) {
	good := string(generate(t, corpus(t)[0].parts, docgen.Options{Format: docgen.AsyncAPI}))
	folder := t.TempDir()
	wrong := map[string]bool{}
	for name, change := range map[string][2]string{
		"reference": {"#/components/schemas/coordination.ShutdownIntent", "#/components/schemas/coordination.Gone"},
		"schema":    {"type: boolean", "type: bool"},
		"document":  {"action: send", "action: publish"},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		require.NotEqual(t, good, text)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	for _, f := range parse(t, folder) {
		if f.Severity == 0 {
			wrong[f.File] = true
		}
	}
	assert.Equal(t, map[string]bool{"reference": true, "schema": true, "document": true}, wrong)
}
