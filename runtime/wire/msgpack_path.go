package wire

import (
	"strconv"
	"strings"
)

// An mpLevel is a list or a map that was open when writing failed.
type mpLevel struct {
	kind  mpKind
	start int
	left  uint64 // elements or entries still to come, the current one included
	index int
	key   []byte // of the current entry, or nil when its key comes next
}

// step is the level's part of the path: of a free value as in a map.
func (l *mpLevel) step(free bool) string {
	switch {
	case l.kind == mpList:
		return "[" + strconv.Itoa(l.index) + "]"
	case l.key == nil:
		return ""
	case !free && mpFormOf(l.key[0]).kind == mpString && isName(mpKeyText(l.key)):
		return "." + string(mpKeyText(l.key))
	}
	return "[" + strconv.Quote(string(mpKeyText(l.key))) + "]"
}

// path returns the path to the value at which writing failed, given what was
// written until then. That is our own and well formed, so only its end decides.
// It can't tell a message from a map, and takes each key that could be a field's
// name for one, except in a free value.
func (w *MsgpackWriter) path(written []byte) string {
	levels := mpLevels(written)
	var path strings.Builder
	for i := range levels {
		path.WriteString(levels[i].step(w.free >= 0 && w.start+levels[i].start >= w.free))
	}
	if w.field != "" {
		path.WriteString("." + w.field)
	}
	return strings.TrimPrefix(path.String(), ".")
}

// mpLevels returns what is open at the end of written.
func mpLevels(written []byte) []mpLevel {
	var open []mpLevel
	for pos := 0; pos < len(written); {
		start := pos
		form := mpFormOf(written[pos])
		n := form.length(written[pos+1:])
		pos += 1 + int(form.width)
		if form.kind == mpList || form.kind == mpMap {
			if n > 0 {
				open = append(open, mpLevel{kind: form.kind, start: start, left: n})
				continue
			}
		} else {
			pos += int(n)
		}
		open = mpEnded(open, written[start:pos])
	}
	return open
}

// mpEnded notes that a value ended and closes what ends with it.
func mpEnded(open []mpLevel, value []byte) []mpLevel {
	for len(open) > 0 {
		top := &open[len(open)-1]
		if top.kind == mpMap && top.key == nil {
			top.key = value
			return open
		}
		top.key = nil
		top.index++
		if top.left--; top.left > 0 {
			return open
		}
		open = open[:len(open)-1]
	}
	return open
}

// isName says whether a key can be the name of a field.
func isName(key []byte) bool {
	for i, c := range key {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return len(key) > 0
}
