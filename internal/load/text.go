package load

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/coordgen/coordgen/internal/model"
)

// maxLine is the length of the longest line, in bytes. The compiler counts the
// columns of a line anew for each thing that stands on it.
const maxLine = 1 << 17

// readable checks what the compiler takes without a word, or after a time without end.
// It says whether the file is to be compiled.
func (c *compilation) readable(path string, text []byte) bool {
	shown := c.sources.shown(path)
	before := len(c.errs)
	number := 0
	for line := range bytes.Lines(text) {
		number++
		fault := func(at int, format string, args ...any) Diagnostic {
			return Diagnostic{Pos: model.Pos{Path: shown, Line: number, Col: column(line[:at])}, Message: fmt.Sprintf(format, args...)}
		}
		if len(line) > maxLine {
			c.errs = append(c.errs, fault(0, "the line has %d bytes, of at most %d; break it", len(line), maxLine))
			continue
		}
		if bytes.HasPrefix(line, []byte("<<<<<<< ")) {
			c.errs = append(c.errs, fault(0, "a merge has stopped here; keep what both sides have, and delete its marks"))
			return false
		}
		if at := bytes.IndexByte(bytes.TrimRight(line, "\r\n"), '\r'); at >= 0 {
			c.errs = append(c.errs, fault(at, "a carriage return stands here without a line feed, so that protobuf sees no end of the line; give the file the line ends of Unix or Windows"))
		}
		if at := invalid(line); at >= 0 && c.targets[path] {
			c.warnings = append(c.warnings, fault(at, "this is no UTF-8, and becomes U+FFFD; save the file as UTF-8"))
		}
	}
	return len(c.errs) == before
}

// invalid is the place of the first byte that is no UTF-8, or -1.
func invalid(line []byte) int {
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRune(line[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return -1
}

// column is the one behind text, from 1.
func column(text []byte) int {
	const tab = 8
	n := 0
	for _, r := range string(text) {
		if r == '\t' {
			n += tab - n%tab
		} else {
			n++
		}
	}
	return n + 1
}
