package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/coordgen/coordgen/internal/compat"
)

// writeReport prints what a check found.
func writeReport(w io.Writer, r *compat.Report, format string) error {
	switch format {
	case "json":
		return writeJSON(w, r)
	case "github":
		escapes := []string{"%", "%25", "\r", "%0D", "\n", "%0A"}
		data, property := strings.NewReplacer(escapes...), strings.NewReplacer(append(escapes, ":", "%3A", ",", "%2C")...)
		for _, f := range r.Findings {
			level := "notice"
			if f.Breaks(r.Mode) {
				level = "error"
			}
			place := fmt.Sprintf("file=%s,line=%d,col=%d", property.Replace(f.Pos.Path), max(1, f.Pos.Line), max(1, f.Pos.Col))
			fmt.Fprintf(w, "::%s %s,title=%s::%s\n", level, place, f.Rule, data.Replace(sentence(f)))
		}
		fmt.Fprintf(w, "::notice title=rollout::%s\n", data.Replace(strings.Join(r.Rollout, "\n")))
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
		Topics   []string `json:"topics,omitempty"`
		Waived   string   `json:"waived,omitempty"`
	}
	document := struct {
		Findings []finding `json:"findings"`
		Rollout  []string  `json:"rollout"`
	}{Findings: []finding{}, Rollout: r.Rollout}
	for _, f := range r.Findings {
		document.Findings = append(document.Findings, finding{
			Rule: f.Rule, File: f.Pos.Path, Line: f.Pos.Line, Column: f.Pos.Col, Element: f.Element, Breaks: f.Breaks(r.Mode),
			Message: f.Message, Mend: f.Mend, Backward: f.Backward.Names(), Forward: f.Forward.Names(),
			Version: f.Version, Topics: f.Topics, Waived: f.Waived,
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
