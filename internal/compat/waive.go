package compat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// waivers are those of a schema, each with the places that it covers.
type waivers []*waiver

type waiver struct {
	model.Waiver
	covers func(Finding) bool
	used   bool
	// imported says that it is not the user's to remove.
	imported bool
}

func newWaivers(schema *model.Schema) waivers {
	var all waivers
	imported := false
	add := func(of []model.Waiver, covers func(Finding) bool) {
		for _, w := range of {
			all = append(all, &waiver{Waiver: w, covers: covers, imported: imported})
		}
	}
	at := func(places ...model.Pos) func(Finding) bool {
		return func(f Finding) bool {
			return slices.Contains(places, f.Pos)
		}
	}
	for _, f := range schema.Files {
		imported = !f.Target
		for _, w := range f.Waivers {
			add([]model.Waiver{w}, func(found Finding) bool {
				gone := found.Pos.Line == 0 // with its file and package
				return found.Pos.Path == f.Pos.Path || gone && f.Target && w.Element != ""
			})
		}
		for _, m := range f.Messages {
			places := []model.Pos{m.Pos}
			for _, field := range m.Fields {
				places = append(places, field.Pos)
				add(field.Waivers, at(field.Pos))
			}
			add(m.Waivers, at(places...))
		}
		for _, e := range f.Enums {
			for _, v := range e.Values {
				add(v.Waivers, at(v.Pos))
			}
		}
	}
	return all
}

// cover marks a finding that a waiver covers.
func (w waivers) cover(f *Finding) {
	for _, waiver := range w {
		if waiver.Rule == f.Rule && waiver.covers(*f) && (waiver.Element == "" || waiver.Element == f.Element) {
			waiver.used = true
			f.Waived = waiver.Reason
		}
	}
}

// unused are the findings about waivers that cover nothing of what was found.
func (w waivers) unused(found []Finding) []Finding {
	var all []Finding
	for _, waiver := range w {
		if waiver.used || waiver.imported {
			continue
		}
		f := Finding{
			Rule: WaiverUnused, Pos: waiver.Pos,
			Message: fmt.Sprintf("the waiver of %s covers nothing", strings.TrimSpace(waiver.Rule+" "+waiver.Element)),
			Mend:    "remove it" + waiver.near(found),
		}
		if rule(waiver.Rule).ID == "" {
			f.Message = fmt.Sprintf("the waiver is of %q, which is no rule", waiver.Rule)
			f.Mend = "docs/evolution.md has the rules"
			if near := load.Nearest(waiver.Rule, ids()); near != "" {
				f.Mend = "write " + near
			}
		}
		all = append(all, f)
	}
	return all
}

// ids are those of all rules.
func ids() []string {
	var all []string
	for _, r := range Rules() {
		all = append(all, r.ID)
	}
	return all
}

// NoRules are the findings about waivers of a schema that name no rule.
func NoRules(schema *model.Schema) []Finding {
	w := slices.DeleteFunc(newWaivers(schema), func(w *waiver) bool { return rule(w.Rule).ID != "" })
	return w.unused(nil)
}

// near names what the rule found elsewhere, or under other names.
func (w *waiver) near(found []Finding) string {
	var places []string
	for _, f := range found {
		if f.Rule == w.Rule && f.Waived == "" {
			places = append(places, fmt.Sprintf("%q (%s)", f.Element, f.Pos))
		}
	}
	const few = 5
	switch {
	case len(places) == 0:
		return ""
	case len(places) > few:
		places = append(places[:few], fmt.Sprintf("%d more", len(places)-few))
	}
	return fmt.Sprintf(", or move it to one of what %s found: %s", w.Rule, strings.Join(places, ", "))
}
