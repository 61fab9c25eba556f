package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/model"
)

// writeConfig writes a configuration into a folder of its own and returns its
// path.
func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), configName)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestConfig(t *testing.T) {
	path := writeConfig(t, `
generate:
  - schemas: [a.proto, ../b, /abs/c.proto]
  - schemas: &all
      - "x y.proto"
    include: [., proto]
    out: gen/../out
    module: example.com/shop
    codecs: [json, msgpack]
  - schemas: *all
`)
	requests, err := readConfig(path)
	require.NoError(t, err)
	folder := filepath.Dir(path)
	at := func(name string) string { return filepath.Join(folder, name) }
	assert.Equal(t, []request{
		{
			pos:     model.Pos{Path: path, Line: 3, Col: 5},
			files:   []string{at("a.proto"), at("../b"), filepath.FromSlash("/abs/c.proto")},
			include: []string{folder},
			out:     folder,
		},
		{
			pos:     model.Pos{Path: path, Line: 4, Col: 5},
			files:   []string{at("x y.proto")},
			include: []string{folder, at("proto")},
			out:     at("out"),
			module:  "example.com/shop",
			codecs:  []string{"json", "msgpack"},
		},
		{
			pos:     model.Pos{Path: path, Line: 10, Col: 5},
			files:   []string{at("x y.proto")},
			include: []string{folder},
			out:     folder,
		},
	}, requests)
}

func TestConfigFaults(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       string // with the path cut off
	}{
		{"empty", "", `: the file is empty; it begins with "generate:" and a list of what to generate; "coordgen generate --help" shows one`},
		{"comments only", "# nothing\n", `: the file is empty; it begins with "generate:" and a list of what to generate; "coordgen generate --help" shows one`},
		{"no generate", "{}", `:1:1: there is nothing to generate; it begins with "generate:" and a list of what to generate; "coordgen generate --help" shows one`},
		{"not a mapping", "- a", `:1:1: the configuration has keys and values (generate); this is a list`},
		{"unknown key", "generate:\n  - schemas: [a.proto]\nversion: 2\n", `:3:1: unknown key "version"; the configuration has the keys generate`},
		{"unknown key of an entry", "generate:\n  - schemas: [a.proto]\n    outs: x\n", `:3:5: unknown key "outs"; an entry of "generate" has the keys codecs, include, module, out, packages, schemas`},
		{"key twice", "generate:\n  - schemas: [a.proto]\n    out: x\n    out: y\n", `:4:5: key "out" is there twice`},
		{"no list", "generate:\n  schemas: [a.proto]\n", `:2:3: want a list of what to generate; this is a mapping`},
		{"nothing", "generate:\n", `:1:10: want a list of what to generate; this is empty`},
		{"empty list", "generate: []\n", `:1:11: the list is empty; want a list of what to generate`},
		{"entry is text", "generate: [a.proto]\n", `:1:12: an entry of "generate" has keys and values (codecs, include, module, out, packages, schemas); this is text`},
		{"no schemas", "generate:\n  - out: gen\n", `:2:5: the entry has no "schemas"; list its .proto files, or folders of them`},
		{"schemas not a list", "generate:\n  - schemas: a.proto\n", `:2:14: want a list of .proto files, and folders of them; this is text`},
		{"no schemas in the list", "generate:\n  - schemas: []\n", `:2:14: the list is empty; want a list of .proto files, and folders of them`},
		{"not text", "generate:\n  - schemas: [a.proto]\n    out: 2024\n", `:3:10: want text; this is the value 2024, which is text only in quotes`},
		{"text is empty", "generate:\n  - schemas: ['']\n", `:2:15: the text is empty`},
		{"codec", "generate:\n  - schemas: [a.proto]\n    codecs: [json, xml]\n", `:3:20: unknown codec "xml"; the codecs are json, msgpack, proto`},
		{"not YAML", "generate:\n  - schemas: [a.proto\n    out: x\n", `:1:1: not YAML, here or on the next line: did not find expected ',' or ']'`},
		{"not YAML, further down", "generate:\n  - schemas: [a.proto]\n  - schemas: @b\n", `:3:1: not YAML, here or on the next line: found character that cannot start any token`},
		{"not YAML, without a line", "\t", `:1:1: not YAML, here or on the next line: found character that cannot start any token`},
		{"two documents", "generate:\n  - schemas: [a.proto]\n---\ngenerate: []\n", `: the file holds more than one YAML document; write one`},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := writeConfig(t, test.text)
			requests, err := readConfig(path)
			require.Error(t, err)
			assert.Nil(t, requests)
			assert.Contains(t, err.Error(), path+test.want)
		})
	}
}

func TestConfigTellsAllFaults(t *testing.T) {
	path := writeConfig(t, `
generate:
  - schemas: []
    out: 3
  - module: ''
more: true
`)
	_, err := readConfig(path)
	assert.EqualError(t, err, path+":3:14: the list is empty; want a list of .proto files, and folders of them\n"+
		path+":4:10: want text; this is the value 3, which is text only in quotes\n"+
		path+`:5:5: the entry has no "schemas"; list its .proto files, or folders of them`+"\n"+
		path+":5:13: the text is empty\n"+
		path+`:6:1: unknown key "more"; the configuration has the keys generate`)
}
