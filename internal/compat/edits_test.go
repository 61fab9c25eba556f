//go:build servers

package compat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// An edit is a change of the schema of testdata/buf/base.txtar.
type edit struct {
	was, is loaded
	// before and after are the files of was and is, by name.
	before, after map[string]string
}

// edits are those of testdata/buf/edits.txt: each one a name, and below it lines of the
// schema, with "-", and what stands in their place, with "+".
func edits(t *testing.T) []edit {
	t.Helper()
	base, err := os.ReadFile("testdata/buf/base.txtar")
	require.NoError(t, err)
	text, err := os.ReadFile("testdata/buf/edits.txt")
	require.NoError(t, err)
	before := filesOf(string(base))
	was := loadFiles(t, "was", before)
	var all []edit
	for block := range strings.SplitSeq(strings.TrimPrefix(string(text), "== "), "\n== ") {
		name, changes, _ := strings.Cut(block, "\n")
		after := filesOf(apply(t, name, string(base), strings.Split(strings.TrimSuffix(changes, "\n"), "\n")))
		for path, text := range after {
			after[path] = strings.NewReplacer("version = 1", "version = 2", "version: 1", "version: 2").Replace(text)
		}
		all = append(all, edit{was, loadFiles(t, name, after), before, after})
	}
	return all
}

// apply replaces lines by those that follow them. Each part has to be there once.
func apply(t *testing.T, name, text string, changes []string) string {
	t.Helper()
	var from, to []string
	for i, line := range changes {
		if removed, ok := strings.CutPrefix(line, "-"); ok {
			from = append(from, removed)
			continue
		}
		to = append(to, strings.TrimPrefix(line, "+"))
		if i == len(changes)-1 || changes[i+1][0] == '-' {
			old := strings.Join(from, "\n")
			require.Equal(t, 1, strings.Count(text, old), "%s: %s", name, old)
			text = strings.Replace(text, old, strings.Join(to, "\n"), 1)
			from, to = nil, nil
		}
	}
	return text
}

func filesOf(archive string) map[string]string {
	files := map[string]string{}
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

func loadFiles(t *testing.T, name string, files map[string]string) loaded {
	t.Helper()
	dir := t.TempDir()
	writeAll(t, dir, files)
	r, err := load.Load(t.Context(), load.Options{Files: []string{dir}, Include: []string{dir}})
	require.NoError(t, err, name)
	return loaded{name: name, Result: r}
}

func writeAll(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, path), []byte(text), 0o600))
	}
}

func (e edit) check() *compat.Report {
	var histories []compat.History
	for _, f := range e.was.files() {
		histories = append(histories, compat.History{Versions: []*model.File{f}, Whole: true})
	}
	return compat.Check(histories, e.is.Schema, compat.Options{Mode: compat.Full, Codecs: compat.All})
}

// TestEdits shows that what check says of the edits is so, as [TestProof] does for the
// examples.
func TestEdits(t *testing.T) {
	for _, e := range edits(t) {
		t.Run(e.is.name, func(t *testing.T) {
			t.Parallel()
			m := measurement{}
			m.exchangeAll(t, e.was, e.is, false, converter)
			m.exchangeAll(t, e.is, e.was, true, converter)
			m.compare(t, e.check(), e.is.name)
		})
	}
}
