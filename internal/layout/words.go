package layout

import (
	"go/token"
	"strings"
)

// A word is a token of a line, with what it is there.
type word struct {
	tok  token.Token
	text string
	role role
	part int // of the line's parts, the one that it belongs to
}

// A role is what a word does to the space around it.
type role uint8

const (
	separator role = iota // a comma or semicolon
	operand               // a name or a literal
	keyword
	opening // ( or [, or the { of a literal
	closing
	typeClose // the ] of [] or of map[K]
	dot
	unary // an operator before its operand, and the * of a type
	binary
	assign
	colon
	postfix // ++ -- ...
	block   // the { of a block
)

// ends says whether an expression can end with a word of the role.
func (r role) ends() bool { return r == operand || r == closing }

// A line is one of the source.
type line struct {
	words   []word
	comment string // behind the words
	goesOn  bool   // it continues an expression of && or ||

	declares bool // a type follows a name, as in func and var
	groups   []group
	parts    []part
	open     []int // the groups around the next word, by number
	now      int   // the part of the next word
}

// A group is what stands between brackets, or the line itself. It consists of
// parts, which are expressions.
type group struct {
	kind   kind
	opens  token.Token
	outer  int // the part that it belongs to
	commas int
	slices bool // it is [a:b]
}

type kind uint8

const (
	whole kind = iota
	parentheses
	call
	index
	typeIndex // [] and map[ ]
	braces
)

// A part is an expression. gofmt spaces + and - by what else there is, and by how
// deep they lie.
type part struct {
	group    int
	compares bool // it has a comparison, && or ||
	adds     bool // it has + or -
}

// understand gives each word its role. It says false when it meets something of
// which only gofmt knows the layout.
func (l *line) understand(imports bool) bool {
	first := l.words[0].tok
	l.declares = first == token.FUNC || first == token.VAR || first == token.IMPORT || imports
	l.groups = append(l.groups[:0], group{})
	l.parts = append(l.parts[:0], part{compares: l.goesOn})
	l.open, l.now = append(l.open[:0], 0), 0
	for i := range l.words {
		w := &l.words[i]
		before := word{}
		if i > 0 {
			before = l.words[i-1]
		}
		w.part = l.now
		if !l.learn(i, w, before) {
			return false
		}
	}
	return len(l.open) == 1 && l.ended() && l.simple()
}

// ended says whether the line ends with a statement, or with && or ||.
func (l *line) ended() bool {
	last := l.words[len(l.words)-1]
	switch last.role {
	case operand, closing, postfix, block, colon:
		return true
	case keyword:
		return last.tok == token.RETURN || last.tok == token.BREAK || last.tok == token.CONTINUE
	}
	return last.tok == token.LAND || last.tok == token.LOR
}

// simple says whether the line has + and - only where space knows what gofmt does.
func (l *line) simple() bool {
	adds, odd := false, false
	for _, p := range l.parts {
		adds = adds || p.adds
		odd = odd || l.groups[p.group].kind == parentheses || l.groups[p.group].slices && (p.adds || p.compares)
	}
	for _, g := range l.groups {
		odd = odd || g.slices
	}
	return !adds || !odd && l.groups[0].commas == 0
}

// learn gives word i its role.
func (l *line) learn(i int, w *word, before word) bool {
	switch w.tok {
	case token.IDENT, token.STRING, token.CHAR, token.INT, token.FLOAT:
		w.role = operand
		if strings.Contains(w.text, "\n") || (w.tok == token.INT || w.tok == token.FLOAT) && w.text != strings.ToLower(w.text) {
			return false
		}
		return l.declares || !before.role.ends()
	case token.LPAREN:
		w.role = opening
		k := call
		if !before.role.ends() && before.role != dot && before.tok != token.FUNC {
			k = parentheses
			if i > 0 && before.role != unary && before.role != binary {
				return false
			}
		}
		l.enter(w.tok, k)
	case token.LBRACK:
		w.role = opening
		switch {
		case before.tok == token.MAP || i+1 < len(l.words) && l.words[i+1].tok == token.RBRACK:
			l.enter(w.tok, typeIndex)
			return l.declares || !before.role.ends()
		case l.declares || !before.role.ends():
			return false
		}
		l.enter(w.tok, index)
	case token.LBRACE:
		if i == len(l.words)-1 {
			w.role = block
			return len(l.open) == 1
		}
		w.role = opening
		l.enter(w.tok, braces)
	case token.RPAREN, token.RBRACK, token.RBRACE:
		w.role = closing
		if w.tok == token.RBRACE && i == 0 {
			return true
		}
		return before.role != separator && l.leave(w)
	case token.COMMA, token.SEMICOLON:
		w.role = separator
		if w.tok == token.COMMA {
			l.groups[l.open[len(l.open)-1]].commas++
		}
		l.begin()
		return before.role != separator && before.role != keyword && (w.tok == token.COMMA || len(l.open) == 1)
	case token.COLON:
		w.role = colon
		if g := &l.groups[l.open[len(l.open)-1]]; g.kind == index {
			g.slices = true
		}
		l.begin()
	case token.PERIOD:
		w.role = dot
	case token.INC, token.DEC:
		w.role = postfix
	case token.ELLIPSIS:
		w.role = postfix
		return !l.declares && before.role.ends()
	default:
		if w.tok.IsKeyword() {
			return l.keyword(i, w, before)
		}
		return l.operator(w, before)
	}
	return true
}

func (l *line) keyword(i int, w *word, before word) bool {
	w.role = keyword
	l.begin()
	switch w.tok {
	case token.MAP:
		return true
	case token.TYPE:
		return before.tok == token.LPAREN
	case token.ELSE, token.RANGE:
		return len(l.open) == 1
	case token.IF:
		return i == 0 || before.tok == token.ELSE
	case token.PACKAGE, token.IMPORT, token.FUNC, token.VAR, token.FOR, token.SWITCH, token.CASE, token.DEFAULT,
		token.RETURN, token.BREAK, token.CONTINUE:
		return i == 0
	}
	return false
}

func (l *line) operator(w *word, before word) bool {
	p := &l.parts[l.now]
	switch {
	case w.tok == token.NOT, !before.role.ends() && (w.tok == token.AND || w.tok == token.MUL || w.tok == token.ADD || w.tok == token.SUB),
		l.declares && w.tok == token.MUL:
		w.role = unary
		return before.tok != token.ADD && before.tok != token.SUB
	case w.tok == token.ADD, w.tok == token.SUB:
		w.role = binary
		p.adds = true
	case 0 < w.tok.Precedence() && w.tok.Precedence() < token.ADD.Precedence():
		w.role = binary
		p.compares = true
	case w.tok.Precedence() == token.LowestPrec && w.tok != token.ARROW && w.tok != token.TILDE && w.tok != token.ILLEGAL:
		w.role = assign
		l.begin()
	default:
		return false
	}
	return !l.declares
}

func (l *line) enter(opens token.Token, k kind) {
	l.groups = append(l.groups, group{kind: k, opens: opens, outer: l.now})
	l.open = append(l.open, len(l.groups)-1)
	l.begin()
}

func (l *line) begin() {
	l.parts = append(l.parts, part{group: l.open[len(l.open)-1]})
	l.now = len(l.parts) - 1
}

// leave ends the innermost group.
func (l *line) leave(w *word) bool {
	g := l.groups[l.open[len(l.open)-1]]
	l.open = l.open[:len(l.open)-1]
	l.now = g.outer
	switch w.tok {
	case token.RPAREN:
		return g.opens == token.LPAREN
	case token.RBRACK:
		if g.kind == typeIndex {
			w.role = typeClose
		}
		return g.opens == token.LBRACK
	}
	return g.opens == token.LBRACE
}

// space says whether there is a space before word i.
func (l *line) space(i int) bool {
	before, w := l.words[i-1], l.words[i]
	switch before.role {
	case opening, typeClose, dot, unary:
		return false
	case keyword:
		return before.tok != token.MAP && w.role != closing && w.role != colon
	case binary:
		return l.spaced(before)
	case colon:
		return l.groups[l.parts[before.part].group].kind != index
	}
	switch w.role {
	case separator, dot, postfix, closing, typeClose, colon:
		return false
	case binary:
		return l.spaced(w)
	case opening:
		return !before.role.ends() || w.tok != token.LBRACE && l.declares && (before.role == closing || w.tok == token.LBRACK)
	}
	return true
}

// spaced says whether an operator between two operands has spaces around it.
func (l *line) spaced(w word) bool {
	return w.tok != token.ADD && w.tok != token.SUB || !l.parts[w.part].compares && l.depth(w.part) == 1
}

// depth is how deep a part lies, as gofmt counts: operands of an operator lie
// deeper, and so do the arguments of a call, if there are several.
func (l *line) depth(p int) int {
	g := l.groups[l.parts[p].group]
	if g.kind == whole || g.kind == braces {
		return 1
	}
	depth := l.depth(g.outer)
	if o := l.parts[g.outer]; o.adds || o.compares {
		depth++
	}
	if g.kind == index || g.commas > 0 {
		depth++
	}
	return depth
}
