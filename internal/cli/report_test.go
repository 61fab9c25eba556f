package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

func TestExcerpt(t *testing.T) {
	for _, test := range []struct {
		name, line string
		column     int
		text       string
		before     int
	}{
		{"first column", "int64 total = 7;", 1, "int64 total = 7;", 0},
		{"inside", "int64 total = 7;", 15, "int64 total = 7;", 14},
		{"after a tab", "\tint64 x", 9, "        int64 x", 8},
		{"after a tab within a line", "int64\ttotal", 9, "int64   total", 8},
		{"tab at a stop", "12345678\tx", 17, "12345678        x", 16},
		{"letters of two bytes", "/* größe */ x", 13, "/* größe */ x", 12},
		{"control characters", "a\x1b[31m\x00b", 8, "a\uFFFD[31m\uFFFDb", 7},
		{"Windows line end", "abc\r", 4, "abc", 3},
		{"just behind the line", "abc", 4, "abc", 3},
		{"far behind the line", "abc", 40, "abc", 3},
		{"no column", "abc", 0, "abc", 0},
		{"empty line", "", 1, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			text, before := excerpt(test.line, test.column)
			assert.Equal(t, test.text, text)
			assert.Equal(t, strings.Repeat(" ", test.before), before)
		})
	}
}

// onTerminal returns a reporter that shows excerpts, and what it prints.
func onTerminal(color bool) (*reporter, *strings.Builder) {
	var b strings.Builder
	r := newReporter(&b)
	r.excerpts, r.color = true, color
	return r, &b
}

func TestReportOnTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.proto")
	require.NoError(t, os.WriteFile(path, []byte("syntax = \"proto3\";\nmessage Order {\n\tTotal total = 7;\n}\n"), 0o600))
	fault := load.Diagnostic{Pos: model.Pos{Path: path, Line: 3, Col: 9}, Message: `unknown type "Total"`}

	r, b := onTerminal(false)
	r.failure(fmt.Errorf("wrapped: %w", load.Errors{fault}))
	assert.Equal(t, path+`:3:9: unknown type "Total"
    3 |         Total total = 7;
      |         ^
`, b.String())

	r, b = onTerminal(true)
	r.warnings([]load.Diagnostic{fault})
	assert.Equal(t, "\x1b[1m"+path+":3:9: \x1b[m\x1b[33mwarning: \x1b[m"+`unknown type "Total"
    3 |         Total total = 7;
      |         `+"\x1b[32m^\x1b[m\n", b.String())
}

func TestReportWithoutTheLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "orders.proto")
	require.NoError(t, os.WriteFile(path, []byte("one line"), 0o600))
	r, b := onTerminal(false)
	r.failure(load.Errors{
		{Message: "of no file"},
		{Pos: model.Pos{Path: "lost.proto"}, Message: "of a file"},
		{Pos: model.Pos{Path: "lost.proto", Line: 1, Col: 1}, Message: "of a lost file"},
		{Pos: model.Pos{Path: path, Line: 2, Col: 1}, Message: "behind the end"},
	})
	assert.Equal(t, "coordgen: of no file\n"+
		"lost.proto: of a file\n"+
		"lost.proto:1:1: of a lost file\n"+
		path+":2:1: behind the end\n"+
		"4 errors\n", b.String())
}

// Schemas that the command carries with it have no file to read.
func TestReportBuiltIn(t *testing.T) {
	r, b := onTerminal(false)
	r.warnings([]load.Diagnostic{{Pos: model.Pos{Path: "coordgen/options.proto", Line: 1, Col: 4}, Message: "odd"}})
	assert.Contains(t, b.String(), "    1 | // The vocabulary of coordgen")
	assert.True(t, strings.HasSuffix(b.String(), "\n      |    ^\n"), b.String())
}

func TestReportOtherFailures(t *testing.T) {
	r, b := onTerminal(false)
	r.failure(context.Canceled)
	r.failure(os.ErrPermission)
	assert.Equal(t, "coordgen: interrupted; no file was changed\ncoordgen: permission denied\n", b.String())
}

func TestReportKnowsTerminals(t *testing.T) {
	assert.False(t, newReporter(&strings.Builder{}).excerpts)
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	defer file.Close()
	assert.False(t, newReporter(file).excerpts)

	// The null device is a character device, as a terminal is.
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer device.Close()
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "xterm")
	r := newReporter(device)
	assert.True(t, r.excerpts)
	assert.True(t, r.color)

	t.Setenv("NO_COLOR", "1")
	r = newReporter(device)
	assert.True(t, r.excerpts)
	assert.False(t, r.color)

	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	assert.False(t, newReporter(device).color)
}
