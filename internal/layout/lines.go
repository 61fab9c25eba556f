package layout

import (
	"go/token"
	"strings"
)

// lines are those of a declaration and its comment.
type lines struct {
	words []word
	ends  []int // of each line, among the words
	apart bool  // there are empty lines between them
}

// appendTo lays the lines out. It says false when they have something of which only
// gofmt knows the layout.
func (l *lines) appendTo(out []byte) ([]byte, bool) {
	if l.apart {
		return out, false
	}
	d := declaration{out: out}
	start := 0
	for _, end := range l.ends {
		d.line.words, d.line.comment = l.words[start:end], ""
		if !d.add() {
			return out, false
		}
		start = end
	}
	return d.out, d.ended
}

// A declaration is what is laid out so far of one.
type declaration struct {
	out     []byte
	line    line
	depth   int    // of the blocks that are open
	imports bool   // it is within import ( )
	path    string // the last one imported
	noted   bool   // the last line had a comment behind it
	breaks  bool   // the last line ended within an expression
	ended   bool
}

// add lays out a line.
func (d *declaration) add() bool {
	first := d.line.words[0]
	switch {
	case d.imports:
		return d.spec()
	case d.depth > 0:
		return first.tok != token.COMMENT && d.statement()
	case d.ended:
		return false
	case first.tok == token.COMMENT:
		d.out = append(append(d.out, first.text...), '\n')
		return len(d.line.words) == 1 && plain(first.text)
	case first.tok == token.IMPORT && len(d.line.words) == 2 && d.line.words[1].tok == token.LPAREN:
		d.imports = true
		d.out = append(d.out, "import (\n"...)
		return true
	case first.tok == token.FUNC:
		d.depth = 1
		return d.line.words[len(d.line.words)-1].tok == token.LBRACE && d.append(0)
	}
	d.ended = true
	return (first.tok == token.PACKAGE || first.tok == token.IMPORT) && d.append(0)
}

// spec lays out a line within import ( ).
func (d *declaration) spec() bool {
	last := d.line.words[len(d.line.words)-1]
	if last.tok == token.RPAREN && len(d.line.words) == 1 {
		d.out = append(d.out, ")\n"...)
		d.imports, d.ended = false, true
		return true
	}
	sorted := last.text > d.path
	d.path = last.text
	return last.tok == token.STRING && sorted && d.append(1)
}

// statement lays out a line of a function.
func (d *declaration) statement() bool {
	l := &d.line
	last := l.words[len(l.words)-1]
	noted := last.tok == token.COMMENT
	if noted {
		l.comment = strings.TrimRight(last.text, " \t")
		l.words = l.words[:len(l.words)-1]
		last = l.words[len(l.words)-1]
	}
	l.goesOn, d.breaks = d.breaks, last.tok == token.LAND || last.tok == token.LOR
	indent := d.depth
	opens, labels := false, false
	switch first := l.words[0].tok; {
	case l.goesOn:
		indent++
	case first == token.RBRACE:
		d.depth--
		indent--
		d.ended = d.depth == 0
		opens = len(l.words) > 1
		if opens && (d.ended || l.words[1].tok != token.ELSE) {
			return false
		}
	case first == token.CASE, first == token.DEFAULT:
		indent--
		labels = true
	case first == token.IF, first == token.FOR, first == token.SWITCH:
		opens = true
	}
	if opens != (last.tok == token.LBRACE) || labels != (last.tok == token.COLON) || noted && (!labels || d.noted) {
		return false
	}
	if opens {
		d.depth++
	}
	d.noted = noted
	return d.append(indent)
}

// append lays out the words of the line.
func (d *declaration) append(indent int) bool {
	l := &d.line
	if !l.understand(d.imports) {
		return false
	}
	for range indent {
		d.out = append(d.out, '\t')
	}
	for i := range l.words {
		if i > 0 && l.space(i) {
			d.out = append(d.out, ' ')
		}
		d.out = append(d.out, l.words[i].text...)
	}
	if l.comment != "" {
		d.out = append(append(d.out, ' '), l.comment...)
	}
	d.out = append(d.out, '\n')
	return true
}

// plain says whether gofmt leaves a line of a comment as it is: it has no list,
// heading, code, link, or quotes that gofmt turns.
func plain(comment string) bool {
	if !strings.HasPrefix(comment, "// ") || len(comment) < 4 || strings.HasSuffix(comment, " ") {
		return false
	}
	for i := 3; i < len(comment); i++ {
		c, before := comment[i], comment[i-1]
		if c < ' ' || c > '~' || (c == '`' || c == '\'') && before == c || c == ':' && before == ']' {
			return false
		}
	}
	c := comment[3]
	return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '['
}
