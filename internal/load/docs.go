package load

import (
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/model"
)

// The numbers of a file's syntax, edition and package in its descriptor.
const (
	syntaxField  = 12
	editionField = 14
	packageField = 2
)

// doc returns an element's comment: the one above it, then the one behind it, and
// apart from those the ones before it that are no licence.
// Those of protobuf's own files stay there: they are not ours to print.
func doc(d protoreflect.Descriptor) model.Doc {
	if isWellKnown(d.ParentFile()) {
		return model.Doc{Deprecated: deprecated(d)}
	}
	l := d.ParentFile().SourceLocations().ByDescriptor(d)
	text := model.Doc{
		Text:       join(clean(l.LeadingComments), clean(l.TrailingComments)),
		Deprecated: deprecated(d),
	}
	for _, c := range l.LeadingDetachedComments {
		if c = clean(c); c != "" && !licence.MatchString(c) {
			text.Detached = append(text.Detached, c)
		}
	}
	return text
}

func deprecated(d protoreflect.Descriptor) bool {
	o, ok := d.Options().(interface{ GetDeprecated() bool })
	return ok && o.GetDeprecated()
}

// licence matches what only the head of a licence says.
var licence = regexp.MustCompile(`(?i)\bcopyright\b|\blicensed under\b|SPDX-License-Identifier|\ball rights reserved\b`)

// fileDoc returns the comments on a file's syntax and package statements, those
// that an empty line parts from them included, and licences not.
func fileDoc(f protoreflect.FileDescriptor) model.Doc {
	var parts []string
	note := func(comment string) {
		if text := clean(comment); !licence.MatchString(text) {
			parts = append(parts, text)
		}
	}
	for _, field := range []int32{syntaxField, editionField, packageField} {
		l := f.SourceLocations().ByPath(protoreflect.SourcePath{field})
		for _, c := range l.LeadingDetachedComments {
			note(c)
		}
		note(l.LeadingComments)
		note(l.TrailingComments)
	}
	return model.Doc{Text: join(parts...), Deprecated: deprecated(f)}
}

// join makes paragraphs of texts, of which empty ones are left out.
func join(texts ...string) string {
	var full []string
	for _, t := range texts {
		if t != "" {
			full = append(full, t)
		}
	}
	return strings.Join(full, "\n\n")
}

// unprintable is what a Go comment must not hold or would not show.
var unprintable = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "", "\uFEFF", "", "\v", " ", "\f", " ")

// clean returns a comment's text. One space behind the comment mark is dropped,
// so that deeper indentation, as of code, is kept.
func clean(comment string) string {
	text := unprintable.Replace(strings.ToValidUTF8(comment, "\uFFFD"))
	text = strings.TrimPrefix(text, "*") // of a comment that begins with /**
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(strings.TrimPrefix(line, " "), " \t")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}
