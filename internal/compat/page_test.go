package compat_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
)

const page = "../../docs/evolution.md"

// The tables of the guide say what the rules say, and which types are read as which.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	got := replaceRows(t, string(text), "| Rule |", ruleRows())
	got = replaceRows(t, got, "| Written as |", typeRows(t))
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(got), 0o600))
		return
	}
	require.Equal(t, got, string(text), "run the test with -update")
}

// replaceRows gives the table whose head begins so other rows.
func replaceRows(t *testing.T, page, head, rows string) string {
	t.Helper()
	before, table, found := strings.Cut(page, "\n"+head)
	require.True(t, found, "the page has a table %q", head)
	lines := strings.SplitAfter(table, "\n")
	end := 2
	for end < len(lines) && strings.HasPrefix(lines[end], "|") {
		end++
	}
	return before + "\n" + head + strings.Join(lines[:2], "") + rows + strings.Join(lines[end:], "")
}

func ruleRows() string {
	var rows strings.Builder
	for _, r := range compat.Rules() {
		fmt.Fprintf(&rows, "| `%s` | %s |", r.ID, r.Summary)
		for _, codec := range []compat.Codecs{compat.JSON, compat.Msgpack, compat.Protobuf} {
			fmt.Fprintf(&rows, " %s |", breaks(r, codec))
		}
		fmt.Fprintf(&rows, " %s |\n", r.Mend)
	}
	return rows.String()
}

// typeRows are made of what check says, which [TestPairs] measures.
func typeRows(t *testing.T) string {
	t.Helper()
	var all []loaded
	for _, name := range types()[:16] {
		all = append(all, loaded{name: strings.ReplaceAll(name, "Color", "an enum"), Result: loadText(t, fieldSchema(name+" f = 1;"))})
	}
	var rows strings.Builder
	for _, old := range all {
		rows.WriteString("| " + code(old.name) + " |")
		for _, codec := range []compat.Codecs{compat.JSON, compat.Msgpack, compat.Protobuf} {
			var others []string
			for _, next := range all {
				lost := compat.Codecs(0)
				for _, f := range compat.Compare(old.file(), next.Schema) {
					lost |= f.Backward
				}
				if next.name != old.name && lost&codec == 0 {
					others = append(others, code(next.name))
				}
			}
			rows.WriteString(" " + strings.Join(others, ", ") + " |")
		}
		rows.WriteString("\n")
	}
	return rows.String()
}

func code(name string) string {
	if strings.Contains(name, " ") {
		return name
	}
	return "`" + name + "`"
}

// breaks says whom a rule breaks in a codec.
func breaks(r compat.Rule, codec compat.Codecs) string {
	switch backward, forward := r.Backward&codec != 0, r.Forward&codec != 0; {
	case r.Note:
		return "note"
	case backward && forward:
		return "both"
	case backward:
		return "backward"
	case forward:
		return "forward"
	}
	return ""
}
