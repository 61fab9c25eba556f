package compat

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/model"
)

// waivers are those of a schema, each with the places that it covers.
type waivers []*waiver

type waiver struct {
	model.Waiver
	covers func(model.Pos) bool
	used   bool
}

func newWaivers(schema *model.Schema) waivers {
	var all waivers
	add := func(of []model.Waiver, covers func(model.Pos) bool) {
		for _, w := range of {
			all = append(all, &waiver{Waiver: w, covers: covers})
		}
	}
	at := func(places ...model.Pos) func(model.Pos) bool {
		return func(p model.Pos) bool {
			return slices.Contains(places, p)
		}
	}
	for _, f := range schema.Files {
		if !f.Target {
			continue
		}
		add(f.Waivers, func(p model.Pos) bool { return p.Path == f.Pos.Path })
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
		if waiver.Rule == f.Rule && waiver.covers(f.Pos) && (waiver.Element == "" || waiver.Element == f.Element) {
			waiver.used = true
			f.Waived = waiver.Reason
		}
	}
}

// unused are the findings about waivers that cover nothing.
func (w waivers) unused() []Finding {
	var all []Finding
	for _, waiver := range w {
		if waiver.used {
			continue
		}
		f := Finding{
			Rule: WaiverUnused, Pos: waiver.Pos,
			Message: fmt.Sprintf("the waiver of %s covers nothing", strings.TrimSpace(waiver.Rule+" "+waiver.Element)),
			Mend:    "remove it",
		}
		if rule(waiver.Rule).ID == "" {
			f.Message = fmt.Sprintf("the waiver is of %q, which is no rule", waiver.Rule)
			f.Mend = "docs/evolution.md has the rules"
		}
		all = append(all, f)
	}
	return all
}
