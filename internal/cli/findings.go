package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// writeReport prints what a check found.
func writeReport(w io.Writer, r *compat.Report, format string) error {
	switch format {
	case "json":
		return writeJSON(w, r)
	case "github":
		for _, f := range r.Findings {
			level := "notice"
			if f.Breaks(r.Mode) {
				level = "error"
			}
			fmt.Fprint(w, annotation(level, f.Pos, f.Rule, sentence(f)))
		}
		fmt.Fprintf(w, "::notice title=rollout::%s\n", annotated().Replace(strings.Join(r.Rollout, "\n")))
	default:
		for _, f := range r.Findings {
			level := ""
			if !f.Breaks(r.Mode) {
				level = "note: "
			}
			fmt.Fprintf(w, "%s: %s%s: %s\n", f.Pos, level, f.Rule, sentence(f))
		}
		for _, line := range r.Rollout {
			fmt.Fprintln(w, "rollout: "+line)
		}
	}
	return nil
}

// annotation is a line that GitHub shows at a place of a file.
func annotation(level string, at model.Pos, title, text string) string {
	file := strings.NewReplacer(":", "%3A", ",", "%2C").Replace(annotated().Replace(at.Path))
	return fmt.Sprintf("::%s file=%s,line=%d,col=%d,title=%s::%s\n", level, file, max(1, at.Line), max(1, at.Col), title, annotated().Replace(text))
}

// annotated escapes what GitHub would take for more than text.
func annotated() *strings.Replacer {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
}

// writeFaults prints what is wrong with the schemas in a form for programs. People find
// it where all commands print it.
func writeFaults(w io.Writer, faults load.Errors, format string) error {
	type fault struct {
		File    string `json:"file"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
		Message string `json:"message"`
	}
	switch format {
	case "json":
		var document struct {
			Errors []fault `json:"errors"`
		}
		for _, d := range faults {
			document.Errors = append(document.Errors, fault{d.Pos.Path, d.Pos.Line, d.Pos.Col, d.Message})
		}
		return encode(w, document)
	case "github":
		for _, d := range faults {
			fmt.Fprint(w, annotation("error", d.Pos, "schema", d.Message))
		}
	}
	return nil
}

// encode prints a document for programs.
func encode(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// sentence is all that is to be said about a finding.
func sentence(f compat.Finding) string {
	text := f.Message
	if who := f.Who(); who != "" {
		text += ": " + who
	}
	if f.Waived != "" {
		return text + " (waived: " + f.Waived + ")"
	}
	return text + "; " + f.Mend
}

func writeJSON(w io.Writer, r *compat.Report) error {
	type finding struct {
		Rule     string   `json:"rule"`
		File     string   `json:"file"`
		Line     int      `json:"line"`
		Column   int      `json:"column"`
		Element  string   `json:"element,omitempty"`
		Breaks   bool     `json:"breaks"`
		Message  string   `json:"message"`
		Mend     string   `json:"mend"`
		Backward []string `json:"backward,omitempty"`
		Forward  []string `json:"forward,omitempty"`
		Version  int      `json:"version,omitempty"`
		// AtVersion says that nobody is broken while publishers write at Version.
		AtVersion bool     `json:"at_version,omitempty"`
		Topics    []string `json:"topics,omitempty"`
		Waived    string   `json:"waived,omitempty"`
	}
	document := struct {
		Findings []finding `json:"findings"`
		Rollout  []string  `json:"rollout"`
	}{Findings: []finding{}, Rollout: r.Rollout}
	for _, f := range r.Findings {
		document.Findings = append(document.Findings, finding{
			Rule: f.Rule, File: f.Pos.Path, Line: f.Pos.Line, Column: f.Pos.Col, Element: f.Element, Breaks: f.Breaks(r.Mode),
			Message: f.Message, Mend: f.Mend, Backward: f.Backward.Names(), Forward: f.Forward.Names(),
			Version: f.Version, AtVersion: f.AtVersion, Topics: f.Topics, Waived: f.Waived,
		})
	}
	return encode(w, document)
}
