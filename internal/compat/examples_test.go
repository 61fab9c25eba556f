package compat_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
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
)

var update = flag.Bool("update", false, "write what the examples should find and the guide's table should say")

// An example is one file of testdata/rules: the versions of a schema that are on
// record, and two that could come next, of which one fails by the rule that the file
// is called after.
type example struct {
	rule, path    string
	archive       *txtar.Archive
	recorded      []loaded
	fails, passes loaded
}

// A loaded is one schema of an example.
type loaded struct {
	// name is that of its file in the example.
	name string
	text []byte
	*load.Result
}

// file is the schema's own file.
func (l loaded) file() *model.File { return l.Schema.Files[len(l.Schema.Files)-1] }

// files are those that were asked for.
func (l loaded) files() []*model.File {
	return slices.DeleteFunc(slices.Clone(l.Schema.Files), func(f *model.File) bool { return !f.Target })
}

func (l loaded) messages() (all []*model.Message) {
	for _, f := range l.files() {
		all = append(all, f.Messages...)
	}
	return all
}

func examples(t *testing.T) []example {
	t.Helper()
	paths, err := filepath.Glob("testdata/rules/*.txtar")
	require.NoError(t, err)
	all := make([]example, len(paths))
	for i, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		e := example{path: path, archive: archive}
		e.rule, _, _ = strings.Cut(filepath.Base(path), ".")
		for _, f := range archive.Files {
			if filepath.Ext(f.Name) != ".proto" {
				continue
			}
			l := loaded{strings.TrimSuffix(f.Name, ".proto"), f.Data, loadText(t, string(f.Data))}
			switch l.name {
			case "fails":
				e.fails = l
			case "passes":
				e.passes = l
			default:
				e.recorded = append(e.recorded, l)
			}
		}
		require.NotNil(t, e.fails.Result, path)
		require.NotNil(t, e.passes.Result, path)
		require.NotEmpty(t, e.recorded, path)
		all[i] = e
	}
	return all
}

// loadText loads a schema of one file, a.proto.
func loadText(t *testing.T, text string) *load.Result {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.proto"), []byte(text), 0o600))
	r, err := load.Load(t.Context(), load.Options{Files: []string{"a.proto"}, Include: []string{dir}})
	require.NoError(t, err, text)
	return r
}

// check compares a schema with all that is on record.
func (e example) check(next loaded) *compat.Report {
	h := compat.History{Whole: true}
	for _, l := range e.recorded {
		h.Versions = append(h.Versions, l.file())
	}
	return compat.Check([]compat.History{h}, next.Schema, compat.Options{Mode: compat.FullTransitive, Codecs: compat.All})
}

// checkLock does the same by a lock.
func (e example) checkLock(t *testing.T, next loaded) *compat.Report {
	t.Helper()
	l := &lock.Lock{Path: "a.proto" + lock.Extension}
	for _, of := range e.recorded {
		l, _ = l.Record(of.file(), false)
	}
	l, faults := lock.Parse(l.Path, l.Format())
	require.Empty(t, faults)
	h := compat.History{Whole: true}
	for _, version := range l.Versions() {
		h.Versions = append(h.Versions, l.Restore("a.proto", version, lock.Among{}))
	}
	return compat.Check([]compat.History{h}, next.Schema, compat.Options{Mode: compat.FullTransitive, Codecs: compat.All})
}

// folder is that of a schema, which is another in each run.
var folder = regexp.MustCompile(`[^ ]*/`)

func told(r *compat.Report) string {
	var b strings.Builder
	for _, f := range r.Findings {
		f.Pos.Path = filepath.Base(f.Pos.Path)
		fmt.Fprintf(&b, "%s: %s: %s\n", f.Pos, f.Rule, f.Message)
		for _, more := range []string{f.Who(), f.Waived, f.Mend} {
			if more != "" {
				fmt.Fprintf(&b, "    %s\n", more)
			}
		}
	}
	for _, line := range r.Rollout {
		fmt.Fprintf(&b, "rollout: %s\n", folder.ReplaceAllString(line, ""))
	}
	return b.String()
}

// TestExamples checks the examples of each rule: of the two schemas that could come
// next, the one is found to break by the rule, and the other breaks nothing. What is
// found is in the example. A rule without an example is a fault.
func TestExamples(t *testing.T) {
	may := map[string]compat.Rule{}
	for _, r := range compat.Rules() {
		may[r.ID] = r
	}
	seen := map[string]compat.Rule{}
	for _, e := range examples(t) {
		t.Run(filepath.Base(e.path), func(t *testing.T) {
			rule, known := may[e.rule]
			require.True(t, known, "there is no rule %s", e.rule)
			fails, passes := e.check(e.fails), e.check(e.passes)
			found := seen[e.rule]
			found.ID = e.rule
			for _, f := range fails.Findings {
				if f.Rule == e.rule {
					found.Backward |= f.Backward
					found.Forward |= f.Forward
					assert.NotEmpty(t, f.Mend)
					assert.True(t, f.Element == "" || strings.Contains(f.Message, strconv.Quote(f.Element)), f.Message)
					assert.Equal(t, !rule.Note, f.Breaks(compat.Full))
					found.Mend = f.Mend
				}
			}
			assert.NotEmpty(t, found.Mend, "%s does not find it in:\n%s", e.rule, told(fails))
			seen[e.rule] = found
			for _, f := range passes.Findings {
				assert.True(t, f.Rule != e.rule || f.Waived != "", told(passes))
			}
			if !rule.Note {
				assert.Empty(t, passes.Breaks(), told(passes))
			}
			e.want(t, "fails.want", told(fails))
			e.want(t, "passes.want", told(passes))
			assert.Equal(t, told(fails), told(e.checkLock(t, e.fails)), "a lock finds something else")
			assert.Equal(t, told(passes), told(e.checkLock(t, e.passes)), "a lock finds something else")
		})
	}
	for _, r := range compat.Rules() {
		if r.ID == compat.ImportNotCompared {
			continue // of two files, see breaks.txtar of the command
		}
		assert.NotEmpty(t, seen[r.ID].ID, "%s has no example", r.ID)
		assert.Equal(t, r.Backward.String(), seen[r.ID].Backward.String(), "%s: what it breaks backward by its examples", r.ID)
		assert.Equal(t, r.Forward.String(), seen[r.ID].Forward.String(), "%s: what it breaks forward by its examples", r.ID)
	}
}

// TestUnchanged finds nothing in a schema that did not change, for every schema that
// package load is tested with, and a lock of it.
func TestUnchanged(t *testing.T) {
	paths, err := filepath.Glob("../load/testdata/good/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		r, err := load.Load(t.Context(), cases.Extract(t, archive))
		require.NoError(t, err, path)
		locks := map[string]*lock.Lock{}
		for _, f := range r.Schema.Files {
			l, _ := (&lock.Lock{Path: f.Path + lock.Extension}).Record(f, false)
			locks[f.Path] = l
		}
		for _, f := range r.Schema.Files {
			for _, old := range []*model.File{f, locks[f.Path].Restore(f.Path, f.Version, lock.Among{Schema: r.Schema, Locks: locks})} {
				assert.Empty(t, told(&compat.Report{Findings: compat.Compare(old, r.Schema)}), path)
			}
		}
	}
}

// want compares with a part of the example, or writes it.
func (e example) want(t *testing.T, name, got string) {
	t.Helper()
	for i, f := range e.archive.Files {
		if f.Name == name {
			if *update {
				e.archive.Files[i].Data = []byte(got)
				break
			}
			require.Equal(t, string(f.Data), got, "run the test with -update")
			return
		}
		if i == len(e.archive.Files)-1 && *update {
			e.archive.Files = append(e.archive.Files, txtar.File{Name: name, Data: []byte(got)})
		}
	}
	require.True(t, *update, "run the test with -update")
	require.NoError(t, os.WriteFile(e.path, txtar.Format(e.archive), 0o600))
}
