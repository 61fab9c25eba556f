// Package layout lays generated Go code out as gofmt does, in a fraction of the
// time: where gofmt builds a syntax tree and prints that, it goes by the words of
// each line. It knows imports, and functions whose statements stand on lines of
// their own; other declarations go through gofmt.
package layout

import (
	"bytes"
	"fmt"
	"go/format"
	"go/scanner"
	"go/token"
)

// Source returns src, a whole file, as gofmt lays it out. It takes what stands
// between empty lines for one declaration.
func Source(src []byte) ([]byte, error) {
	out := make([]byte, 0, len(src)+len(src)/4)
	r := newReader(src)
	for r.next() {
		if len(out) > 0 {
			out = append(out, '\n')
		}
		if known, ok := r.lines.appendTo(out); ok {
			out = known
			continue
		}
		text, err := gofmt(r.text)
		if err != nil {
			return nil, fmt.Errorf("%w, in %s", err, r.text)
		}
		out = append(append(out, text...), '\n')
	}
	return out, nil
}

// gofmt lays out a declaration so that gofmt leaves it as it is: of some lists in
// comments, it makes something else each time, for a time or two.
func gofmt(text []byte) ([]byte, error) {
	for range 4 {
		// On the first line, a comment would be taken for that of a package clause.
		formatted, err := format.Source(append([]byte("\n"), text...))
		if err != nil {
			return nil, err
		}
		formatted = bytes.TrimSpace(formatted)
		if !bytes.Contains(formatted, []byte("//  ")) && !bytes.Contains(formatted, []byte("//\t")) || bytes.Equal(formatted, text) {
			return formatted, nil // there are no such lists, or it is done
		}
		text = formatted
	}
	return text, nil
}

// A reader reads declarations.
type reader struct {
	src  []byte
	scan scanner.Scanner

	text  []byte // of the declaration
	lines lines

	at, end int // of the next token, and of the last one
	tok     token.Token
	lit     string
}

func newReader(src []byte) *reader {
	r := &reader{src: src}
	file := token.NewFileSet().AddFile("", -1, len(src))
	r.scan.Init(file, src, func(token.Position, string) {}, scanner.ScanComments) // gofmt tells what is wrong
	r.advance()
	return r
}

// advance goes to the next token of the source.
func (r *reader) advance() {
	var pos token.Pos
	for pos, r.tok, r.lit = r.scan.Scan(); r.tok == token.SEMICOLON && r.lit != ";"; {
		pos, r.tok, r.lit = r.scan.Scan() // the scanner puts one in at the end of a line
	}
	r.at = int(pos) - 1
	if r.lit == "" {
		r.lit = r.tok.String()
	}
}

// next reads a declaration.
func (r *reader) next() bool {
	if r.tok == token.EOF {
		return false
	}
	r.lines = lines{words: r.lines.words[:0], ends: r.lines.ends[:0]}
	start, nested := r.at, 0
	for {
		switch r.tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			nested++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			nested--
		}
		r.lines.words = append(r.lines.words, word{tok: r.tok, text: r.lit})
		r.end = r.at + len(r.lit)
		r.advance()
		breaks := bytes.Count(r.src[r.end:min(r.at, len(r.src))], []byte("\n"))
		if r.tok == token.EOF || breaks > 1 && nested == 0 {
			break
		}
		if breaks > 0 {
			r.lines.ends = append(r.lines.ends, len(r.lines.words))
		}
		r.lines.apart = r.lines.apart || breaks > 1
	}
	r.lines.ends = append(r.lines.ends, len(r.lines.words))
	r.text = r.src[start:r.end]
	return true
}
