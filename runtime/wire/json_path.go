package wire

import (
	"bytes"
	"strconv"
	"strings"
)

// A jsonLevel is a list or an object that was open when writing failed.
type jsonLevel struct {
	list  bool
	index int
	key   []byte // of the current entry, or nil when its key comes next
}

func (l *jsonLevel) step() string {
	switch {
	case l.list:
		return "[" + strconv.Itoa(l.index) + "]"
	case l.key == nil:
		return ""
	case isName(l.key):
		return "." + string(l.key)
	}
	return "[" + strconv.Quote(string(l.key)) + "]"
}

// path returns the path to the value at which writing failed, given what was
// written until then. That is our own and well formed. It can't tell a message
// from a map, and takes each key that could be a field's name for one.
func (w *JSONWriter) path(written []byte) string {
	levels := jsonLevels(written)
	if w.field != "" && len(levels) > 0 && !bytes.HasSuffix(written, []byte{':'}) {
		levels[len(levels)-1].key = nil // its value is complete
	}
	var path strings.Builder
	for i := range levels {
		path.WriteString(levels[i].step())
	}
	if w.field != "" {
		path.WriteString("." + w.field)
	}
	return strings.TrimPrefix(path.String(), ".")
}

// jsonLevels returns what is open at the end of written.
func jsonLevels(written []byte) []jsonLevel {
	var open []jsonLevel
	for i := 0; i < len(written); i++ {
		switch written[i] {
		case '{':
			open = append(open, jsonLevel{})
		case '[':
			open = append(open, jsonLevel{list: true})
		case '}', ']':
			open = open[:len(open)-1]
		case ',':
			top := &open[len(open)-1]
			top.index++
			top.key = nil
		case '"':
			r := JSONReader{Input{data: written, pos: i}}
			text, _ := r.text("")
			i = r.pos - 1
			if i+1 < len(written) && written[i+1] == ':' {
				open[len(open)-1].key = bytes.Clone(text)
			}
		}
	}
	return open
}
