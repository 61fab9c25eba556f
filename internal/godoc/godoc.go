// Package godoc makes Go comments of generated sentences and of what a schema says.
package godoc

import (
	"go/build/constraint"
	"strconv"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// width is where the lines of generated sentences are broken. The schema's own
// comments keep their lines.
const width = 76

// Lines returns the comment lines of a declaration: generated sentences, then
// the schema's comment, then its mark of deprecation, as paragraphs.
func Lines(generated string, d model.Doc) []string {
	paragraphs := make([]string, 0, 3)
	if generated != "" {
		paragraphs = append(paragraphs, Wrap(generated))
	}
	if d.Text != "" {
		paragraphs = append(paragraphs, d.Text)
	}
	if d.Deprecated {
		paragraphs = append(paragraphs, "Deprecated: the schema marks it as deprecated.")
	}
	if len(paragraphs) == 0 {
		return nil
	}
	return comment(strings.Join(paragraphs, "\n\n"))
}

// Declared returns the comment lines of an element where it is declared: the
// detached comments, each with an empty line behind it, then those of [Lines].
func Declared(generated string, d model.Doc) []string {
	var lines []string
	for _, text := range d.Detached {
		lines = append(append(lines, comment(text)...), "")
	}
	return append(lines, Lines(generated, d)...)
}

// comment returns text as comment lines. None of them becomes a build constraint,
// which gofmt would move to the top of the file.
func comment(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if constraint.IsPlusBuild("//" + line) {
			line = strconv.Quote(line)
		}
		lines[i] = strings.TrimRight("// "+line, " ")
	}
	return lines
}

// Wrap breaks text into lines at spaces. Paragraphs stay apart.
func Wrap(text string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteString("\n\n")
		}
		used := 0
		for word := range strings.FieldsSeq(paragraph) {
			switch {
			case used == 0:
			case used+1+len(word) > width:
				b.WriteByte('\n')
				used = 0
			default:
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += len(word)
		}
	}
	return b.String()
}

// Remark adds a sentence to an element's own comment.
func Remark(d model.Doc, sentence string) model.Doc {
	switch {
	case d.Text == "":
		d.Text = sentence
	case strings.Contains(d.Text, "\n\n"):
		d.Text += "\n\n" + sentence
	default:
		last := d.Text[strings.LastIndexByte(d.Text, '\n')+1:]
		if len(last)+1+len(sentence) > width {
			d.Text += "\n" + sentence
		} else {
			d.Text += " " + sentence
		}
	}
	return d
}
