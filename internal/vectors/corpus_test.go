package vectors_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cases"
	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
	"github.com/coordgen/coordgen/internal/vectors"
	"github.com/coordgen/coordgen/runtime/vector"
	"github.com/coordgen/coordgen/runtime/wire"
)

var formats = []wire.Format{wire.JSON, wire.Msgpack, wire.Proto}

// TestCorpus makes the vectors of every schema that package load is tested with: all
// formats carry each sample, its own code reads it, and those that are made from a lock
// are the same.
func TestCorpus(t *testing.T) {
	paths, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			r, err := load.Load(t.Context(), cases.Extract(t, archive))
			require.NoError(t, err)
			checkOwn(t, r.Schema)
		})
	}
}

// checkOwn checks the vectors of a schema's files.
func checkOwn(t require.TestingT, schema *model.Schema) {
	locks := map[string]*lock.Lock{}
	for _, f := range schema.Files {
		if f.Proto != "google.protobuf" {
			locks[f.Path], _ = (&lock.Lock{Path: f.Path + lock.Extension}).Record(f, false)
		}
	}
	for _, f := range schema.Files {
		all := vectors.Of(f, formats)
		for _, v := range all {
			for _, s := range v.File.Samples {
				assert.Len(t, s.Payloads, len(formats), "%s: %s", v.Name, s.Name)
			}
			r := vectors.Read(v.Message, v.Message, v.File.Samples, formats, nil)
			assert.Empty(t, r.Lost, "%s: %s", v.Name, v.File.Format())
			parsed, err := vector.Parse(v.File.Format())
			require.NoError(t, err)
			assert.Len(t, parsed, len(v.File.Samples))
			assert.True(t, v.Alike(parsed), v.Name)
		}
		if l := locks[f.Path]; l != nil {
			old := l.Restore(f.Path, f.Version, lock.Among{Schema: schema, Locks: locks})
			assert.Empty(t, vectors.Settle(old, schema.Files))
			again := vectors.Of(old, formats)
			require.Len(t, again, len(all))
			for i, v := range again {
				assert.Equal(t, all[i].Name, v.Name)
				assert.True(t, v.Alike(all[i].File.Samples), "%s:\n%s\n%s", v.Name, all[i].File.Format(), v.File.Format())
			}
		}
	}
}

// TestExamples reads the vectors of what is on record in the examples of check with the
// schemas that could come next: what check calls safe is read, and what it waives is
// left out.
func TestExamples(t *testing.T) {
	paths, err := filepath.Glob("../compat/testdata/rules/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			require.NoError(t, err)
			var recorded, next []*model.Schema
			for _, f := range archive.Files {
				if filepath.Ext(f.Name) != ".proto" {
					continue
				}
				s := loadText(t, string(f.Data))
				if f.Name == "fails.proto" || f.Name == "passes.proto" {
					next = append(next, s)
				} else {
					recorded = append(recorded, s)
				}
			}
			for _, n := range next {
				checkHistory(t, recorded, n)
			}
		})
	}
}

// checkHistory reads the vectors of all versions with the last one.
func checkHistory(t require.TestingT, recorded []*model.Schema, now *model.Schema) {
	var files []*model.File
	for _, s := range recorded {
		files = append(files, s.Files[len(s.Files)-1])
	}
	for i := range files {
		report := compat.Check([]compat.History{{Versions: files[i:]}}, now, compat.Options{Mode: compat.FullTransitive, Codecs: compat.All})
		open := compat.Codecs(0)
		for _, f := range report.Findings {
			if f.Waived == "" {
				open |= f.Backward
			}
		}
		for _, v := range vectors.Of(files[i], formats) {
			for _, m := range now.Files[len(now.Files)-1].Messages {
				if m.Name == v.Message.Name && open == 0 {
					r := vectors.Read(v.Message, m, v.File.Samples, formats, report.Findings)
					assert.Empty(t, r.Lost, "%s\n%s", v.Name, v.File.Format())
				}
			}
		}
	}
}

func loadText(t testing.TB, text string) *model.Schema {
	t.Helper()
	archive := &txtar.Archive{Comment: []byte("load a.proto"), Files: []txtar.File{{Name: "a.proto", Data: []byte(text)}}}
	r, err := load.Load(t.Context(), cases.Extract(t, archive))
	require.NoError(t, err, text)
	return r.Schema
}
