package docgen

import (
	"fmt"
	"regexp"
	"strings"
)

// Comments are plain text to coordgen. So that a reader of the reference sees
// what stands in the schema, everything that Markdown or HTML would take for its
// own is escaped, but for what comments use to the same end as Markdown: empty
// lines, lists, and indented paragraphs that are code.

// entities replaces what can end a table's cell, a tag or a span of code, where a
// backslash would do so in some renderers only.
func entities() *strings.Replacer {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "&#124;", "`", "&#96;")
}

// escape returns a line of text as Markdown.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\\`, "*", `\*`, "[", `\[`, "]", `\]`, "~", `\~`, "$", `\$`).Replace(entities().Replace(text))
	// Within a word an underscore is one, and may be a URL's.
	text = regexp.MustCompile(`\b_|_\b|__+`).ReplaceAllStringFunc(text, func(s string) string { return strings.ReplaceAll(s, "_", `\_`) })
	return text
}

// code returns text in the type of code: between backticks, or, where it holds
// what is special in a table or a span, as HTML.
func code(text string) string {
	if regexp.MustCompile(`^[\w.:;,/+=@"'(){}#!?\[\]-]+$`).MatchString(text) {
		return "`" + text + "`"
	}
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range text {
		if r == ' ' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > '~' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}

// item matches the mark of a list's item.
const item = `^([-+*]|\d{1,9}[.)])\s`

// cell returns a comment as Markdown on one line.
func cell(text string) string {
	isItem := regexp.MustCompile(item)
	var b strings.Builder
	gap := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		switch {
		case bare == "":
			gap = "<br><br>"
			continue
		case gap == " " && (isItem.MatchString(bare) || strings.TrimLeft(line, " \t") != line):
			gap = "<br>"
		}
		if b.Len() > 0 {
			b.WriteString(gap)
		}
		b.WriteString(escape(bare))
		gap = " "
	}
	return b.String()
}

// block returns a comment as paragraphs of Markdown.
func block(text string) string {
	var paragraphs []string
	for p := range strings.SplitSeq(text, "\n\n") {
		if p = strings.Trim(p, "\n"); p != "" {
			paragraphs = append(paragraphs, paragraph(strings.Split(p, "\n")))
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

func paragraph(lines []string) string {
	indented := regexp.MustCompile(`^(\t|  )`)
	isItem := regexp.MustCompile(item)
	verbatim := true
	for _, line := range lines {
		verbatim = verbatim && indented.MatchString(line) && !isItem.MatchString(strings.TrimSpace(line))
	}
	if verbatim {
		fence := "```"
		for strings.Contains(strings.Join(lines, "\n"), fence) {
			fence += "`"
		}
		return fence + "\n" + unindent(lines) + "\n" + fence
	}
	// What is a heading or a rule at the begin of a line.
	marks := regexp.MustCompile(`^(#{1,6}(\s|$)|=+$|-+$|[-\s]+$)`)
	for i, line := range lines {
		line = strings.TrimSpace(line)
		mark := isItem.FindString(line)
		rest := escape(line[len(mark):])
		if marks.MatchString(line) {
			mark, rest = "", `\`+escape(line)
		}
		lines[i] = mark + rest
	}
	return strings.Join(lines, "\n")
}

// unindent joins lines without the white space that all of them begin with.
func unindent(lines []string) string {
	margin := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " \t"))]
	for _, line := range lines {
		for !strings.HasPrefix(line, margin) {
			margin = margin[:len(margin)-1]
		}
	}
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line[len(margin):])
	}
	return b.String()
}
