package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/schema"
)

// A reporter tells people what went wrong.
type reporter struct {
	w io.Writer
	// excerpts says whether diagnostics show the line they are about, and color
	// whether they do so in colour.
	excerpts, color bool
	lines           map[string][]string // of the files read so far
}

// newReporter returns a reporter that shows excerpts where w is a terminal.
func newReporter(w io.Writer) *reporter {
	terminal := isTerminal(w)
	return &reporter{
		w:        w,
		excerpts: terminal,
		color:    terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb",
		lines:    map[string][]string{},
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// failure prints why a command failed.
func (r *reporter) failure(err error) {
	var faults load.Errors
	switch {
	case errors.As(err, &faults):
		for _, d := range faults {
			r.diagnostic(d, "")
		}
		if len(faults) > 1 {
			fmt.Fprintln(r.w, plural(len(faults), "error"))
		}
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(r.w, "coordgen: interrupted; no file was changed")
	default:
		fmt.Fprintf(r.w, "coordgen: %v\n", err)
	}
}

// warnings prints what is no fault and yet worth knowing.
func (r *reporter) warnings(all []load.Diagnostic) {
	for _, d := range all {
		r.diagnostic(d, r.paint("33", "warning: "))
	}
}

// diagnostic prints one diagnostic, its message behind a prefix, and the line it
// is about.
func (r *reporter) diagnostic(d load.Diagnostic, prefix string) {
	message := d.Message
	d.Message = ""
	place := d.Error()
	if place == "" {
		place = "coordgen: "
	}
	fmt.Fprintf(r.w, "%s%s%s\n", r.paint("1", place), prefix, message)
	if !r.excerpts || d.Pos.Line == 0 {
		return
	}
	if lines := r.source(d.Pos.Path); d.Pos.Line <= len(lines) {
		text, caret := excerpt(lines[d.Pos.Line-1], d.Pos.Col)
		fmt.Fprintf(r.w, "%5d | %s\n      | %s%s\n", d.Pos.Line, text, caret, r.paint("32", "^"))
	}
}

// source returns the lines of a file, which is one on disk or one that coordgen
// carries with it, or none.
func (r *reporter) source(path string) []string {
	if lines, known := r.lines[path]; known {
		return lines
	}
	text, err := os.ReadFile(path)
	if err != nil {
		text, err = schema.Files.ReadFile(path)
	}
	if err == nil {
		r.lines[path] = strings.Split(string(text), "\n")
	} else {
		r.lines[path] = nil
	}
	return r.lines[path]
}

func (r *reporter) paint(style, text string) string {
	if !r.color {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[m"
}

// tabStop is how far tab stops lie apart where protobuf counts columns.
const tabStop = 8

// excerpt returns a line as a terminal may show it, without tabs and control
// characters, and the space before the given column, which counts from 1.
func excerpt(line string, column int) (text, before string) {
	var b strings.Builder
	width := 0
	for _, r := range strings.TrimRight(line, "\r") {
		switch {
		case r == '\t':
			n := tabStop - width%tabStop
			b.WriteString(strings.Repeat(" ", n))
			width += n
			continue
		case !unicode.IsPrint(r):
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
		width++
	}
	return b.String(), strings.Repeat(" ", min(max(column-1, 0), width))
}

// plural counts things, whose plural ends in s.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
