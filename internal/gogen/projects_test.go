//go:build servers

package gogen_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/gocheck"
)

// The schemas that other projects publish with their Go modules, as they are.
// testdata/projects.txt lists them.
func TestSchemasOfProjects(t *testing.T) {
	text, err := os.ReadFile("testdata/projects.txt")
	require.NoError(t, err)
	type project struct {
		module  string
		refused string
		include []string
	}
	src := t.TempDir()
	var projects []project
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		module, _, _ := strings.Cut(words[0], "@")
		at := filepath.Join(src, filepath.FromSlash(module))
		require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o750))
		require.NoError(t, os.Symlink(download(t, words[0]), at))
		p := project{module: module, refused: words[1]}
		for _, folder := range words[2:] {
			p.include = append(p.include, filepath.Join(src, filepath.FromSlash(folder)))
		}
		if p.refused != "-" {
			projects = append(projects, p)
		}
	}
	c, err := gocheck.New(t.Context())
	require.NoError(t, err)
	for _, p := range projects {
		t.Run(p.module, func(t *testing.T) {
			refused := checkSchemas(t, c, protoFiles(t, filepath.Join(src, p.module)), append(p.include, googleAPIs))
			assert.Equal(t, p.refused, strconv.Itoa(refused))
		})
	}
}

// download returns the folder that a module lies in.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	out, err := cmd.Output()
	require.NoError(t, err, "%s: %s", module, out)
	var m struct{ Dir string }
	require.NoError(t, json.Unmarshal(out, &m))
	return m.Dir
}
