//go:build servers

package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
)

// categories are those of buf's rules, each with the codecs of ours that it is about.
var categories = []struct {
	name   string
	codecs compat.Codecs
}{
	{"FILE", compat.All}, {"PACKAGE", compat.All}, {"WIRE", compat.Protobuf}, {"WIRE_JSON", compat.Protobuf | compat.JSON},
}

// buf is the real one.
type buf struct {
	path string
	// rules are the categories of each rule.
	rules map[string][]string
}

func newBuf(t *testing.T) buf {
	t.Helper()
	path, err := filepath.Abs("../../tools/npm/node_modules/.bin/buf")
	require.NoError(t, err)
	require.FileExists(t, path, "run make test-servers, which installs it")
	b := buf{path, map[string][]string{}}
	out, err := exec.CommandContext(t.Context(), path, "config", "ls-breaking-rules", "--version", "v2", "--format", "json").Output()
	require.NoError(t, err)
	for _, rule := range lines[struct {
		ID         string
		Categories []string
	}](t, out) {
		b.rules[rule.ID] = rule.Categories
	}
	return b
}

// lines are the documents of a program's answer, one a line.
func lines[T any](t *testing.T, out []byte) []T {
	t.Helper()
	var all []T
	for line := range bytes.Lines(out) {
		var v T
		require.NoError(t, json.Unmarshal(line, &v), "%s", out)
		all = append(all, v)
	}
	return all
}

// A violation is what buf finds.
type violation struct{ Type, Message string }

// breaking is what buf finds in a change of files.
func (b buf) breaking(t *testing.T, was, is map[string]string) []violation {
	t.Helper()
	dir := t.TempDir()
	for name, files := range map[string]map[string]string{"was": was, "is": is} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name, "coordgen"), os.DirFS("../../schema/coordgen")))
		writeAll(t, filepath.Join(dir, name), files)
	}
	const config = `{"version": "v2", "breaking": {"use": ["FILE", "PACKAGE", "WIRE_JSON", "WIRE"]}}`
	cmd := exec.CommandContext(t.Context(), b.path, "breaking", "--against", "../was", "--error-format", "json", "--config", config)
	cmd.Dir = filepath.Join(dir, "is")
	out, err := cmd.CombinedOutput()
	if err != nil {
		require.ErrorContains(t, err, "exit status 100", "%s", out)
	}
	return lines[violation](t, out)
}

// in are the rules of a category among what buf found.
func (b buf) in(category string, found []violation) []string {
	var rules []string
	for _, v := range found {
		if slices.Contains(b.rules[v.Type], category) {
			rules = append(rules, v.Type)
		}
	}
	slices.Sort(rules)
	return slices.Compact(rules)
}

// A beside collects what check and buf say of the same changes.
type beside struct {
	buf
	// said has a line for each change, and differ who alone finds a break of it, and in
	// which categories.
	said   strings.Builder
	differ map[string][]string
}

func newBeside(t *testing.T) *beside {
	t.Helper()
	return &beside{buf: newBuf(t), differ: map[string][]string{}}
}

// add notes what both say of a change.
func (b *beside) add(name string, breaks []compat.Finding, violations []violation) {
	var found []string
	broken := compat.Codecs(0)
	for _, f := range breaks {
		found = append(found, strings.TrimSuffix(fmt.Sprintf("%s (%s)", f.Rule, who(f)), " ()"))
		broken |= f.Backward | f.Forward
	}
	slices.Sort(found)
	fmt.Fprintf(&b.said, "%s: check %s; WIRE %s; WIRE_JSON %s\n", name, list(slices.Compact(found)), list(b.in("WIRE", violations)), list(b.in("WIRE_JSON", violations)))
	for _, c := range categories {
		switch finds := len(b.in(c.name, violations)) > 0; {
		case finds && broken&c.codecs == 0:
			b.differ[name] = append(b.differ[name], "buf "+c.name)
		case !finds && broken&c.codecs != 0:
			b.differ[name] = append(b.differ[name], "check "+c.name)
		}
	}
}

func who(f compat.Finding) string {
	var all []string
	if f.Backward != 0 {
		all = append(all, "backward "+f.Backward.String())
	}
	if f.Forward != 0 {
		all = append(all, "forward "+f.Forward.String())
	}
	return strings.Join(all, "; ")
}

func list(rules []string) string {
	if len(rules) == 0 {
		return "-"
	}
	return strings.Join(rules, ", ")
}

// compare compares with a golden file, and with the list of the differences.
func (b *beside) compare(t *testing.T, name string) {
	t.Helper()
	golden := "testdata/buf/" + name + ".want"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(b.said.String()), 0o600))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	assert.Equal(t, string(want), b.said.String(), "run the test with -update")
	assert.Equal(t, reasons(t, "testdata/buf/"+name+".reasons"), b.differ, "each difference has to have its reason in %s.reasons", name)
}

// reasons are the differences with a written reason: below each reason, the changes,
// and who alone finds a break of them.
func reasons(t *testing.T, path string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if change, ok := strings.CutPrefix(line, "  "); ok {
			name, in, _ := strings.Cut(strings.TrimSpace(change), ": ")
			all[name] = append(all[name], strings.Split(in, ", ")...)
		}
	}
	for name := range all {
		slices.Sort(all[name])
	}
	return all
}

// TestBesideBuf has buf judge the examples of the rules. It compares with one version,
// the last one.
func TestBesideBuf(t *testing.T) {
	b := newBeside(t)
	for _, e := range examples(t) {
		name := strings.TrimSuffix(filepath.Base(e.path), ".txtar")
		was := map[string]string{"a.proto": string(e.recorded[len(e.recorded)-1].text)}
		for _, next := range []loaded{e.fails, e.passes} {
			violations := b.breaking(t, was, map[string]string{"a.proto": string(next.text)})
			b.add(name+" "+next.name, e.check(next).Breaks(), violations)
		}
	}
	b.compare(t, "rules")
}

// TestEditsBesideBuf has buf judge the edits.
func TestEditsBesideBuf(t *testing.T) {
	b := newBeside(t)
	for _, e := range edits(t) {
		b.add(e.is.name, e.check().Breaks(), b.breaking(t, e.before, e.after))
	}
	b.compare(t, "edits")
}

// TestTypesBesideBuf has buf judge each scalar type as each other one, of which
// [TestPairs] shows what check says to be so. Each two are a message of one schema.
func TestTypesBesideBuf(t *testing.T) {
	b := newBeside(t)
	scalars := types()[:15]
	was, is := map[string]string{}, map[string]string{}
	for side, text := range map[int]*map[string]string{0: &was, 1: &is} {
		var messages strings.Builder
		for _, from := range scalars {
			for _, to := range scalars {
				fmt.Fprintf(&messages, "message %s_to_%s { %s f = 1; }\n", from, to, [2]string{from, to}[side])
			}
		}
		*text = map[string]string{"a.proto": "syntax = \"proto3\";\n" + messages.String()}
	}
	found := compat.Compare(loadFiles(t, "was", was).file(), loadFiles(t, "is", is).Schema)
	violations := b.breaking(t, was, is)
	for _, from := range scalars {
		for _, to := range scalars {
			message := from + "_to_" + to
			b.add(from+" to "+to,
				slices.DeleteFunc(slices.Clone(found), func(f compat.Finding) bool { return f.Element != message+".f" }),
				slices.DeleteFunc(slices.Clone(violations), func(v violation) bool { return !strings.Contains(v.Message, strconv.Quote(message)) }))
		}
	}
	b.compare(t, "types")
}
