package compat

import (
	"fmt"
	"slices"

	"github.com/coordgen/coordgen/internal/lock"
	"github.com/coordgen/coordgen/internal/model"
)

// A History is the versions of one .proto file, in ascending order.
type History struct {
	Versions []*model.File
	// Whole says that these are all there were, so that a waiver which covers nothing
	// is of no use.
	Whole bool
	// Open says that the last of them is not out yet, so that it may change.
	Open bool
}

// Options say what a check asks about.
type Options struct {
	Mode   Mode
	Codecs Codecs
}

// A Report is what a check finds.
type Report struct {
	Findings []Finding
	// Rollout says in which order to bring the new version out.
	Rollout []string
	// Mode is what was asked about.
	Mode Mode
	// Compared says that there was an older version than the schema's own.
	Compared bool
}

// Breaks are the findings that fail the check.
func (r *Report) Breaks() []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return !f.Breaks(r.Mode) })
}

// Check compares a schema with the versions of its files before it.
func Check(histories []History, schema *model.Schema, o Options) *Report {
	report := &Report{Mode: o.Mode}
	w := newWaivers(schema)
	whole := true
	for _, h := range histories {
		whole = whole && h.Whole
		now := fileOf(schema, h)
		last := base(h, now)
		report.Compared = report.Compared || now == nil || !h.Whole || h.Versions[last].Version < now.Version
		if now != nil {
			for _, f := range slices.Concat(reused(h, schema), returned(h, schema), unreserved(h, schema)) {
				w.cover(&f)
				report.add(f, o.Codecs)
			}
		}
		for i, old := range h.Versions {
			if i < last && !h.Whole && !o.Mode.transitive() {
				continue // what it finds is neither shown nor has it a waiver to be told of
			}
			findings := Compare(old, schema, h.Versions[i+1:max(i+1, last+1)]...)
			if i == len(h.Versions)-1 && now != nil {
				findings = append(findings, raised(old, now, h)...)
			}
			for _, f := range findings {
				w.cover(&f) // also what another mode would find
				if f.Rule == SinceMissing && !h.Whole {
					continue // publishers follow versions that are on record
				}
				if i >= last || o.Mode.transitive() && !rule(f.Rule).Note {
					report.add(f, o.Codecs)
				}
			}
		}
	}
	if whole {
		report.Findings = append(report.Findings, w.unused(report.Findings)...)
	}
	slices.SortStableFunc(report.Findings, compareFindings)
	report.plan()
	return report
}

// plan says in which order to bring the new version out, if there is an old one.
func (r *Report) plan() {
	r.Rollout = rollout(r.Findings)
	changed := func(f Finding) bool { return f.Backward|f.Forward != 0 || f.Rule == SchemaNotRaised }
	if !r.Compared && !slices.ContainsFunc(r.Findings, changed) {
		r.Rollout = []string{"nothing was compared: no version before the schema's own is on record."}
	}
}

// Join adds what a check of other schemas found.
func (r *Report) Join(other *Report) {
	r.Mode, r.Compared = other.Mode, r.Compared || other.Compared
	r.Findings = append(r.Findings, other.Findings...)
	r.plan()
}

// add notes a finding, if it is about one of the codecs or about none. An older version
// may have had it too.
func (r *Report) add(f Finding, codecs Codecs) {
	about := f.Backward|f.Forward != 0
	f.Backward, f.Forward = f.Backward&codecs, f.Forward&codecs
	if about && f.Backward|f.Forward == 0 {
		return
	}
	for i, other := range r.Findings {
		if compareFindings(f, other) == 0 {
			r.Findings[i].Backward |= f.Backward
			r.Findings[i].Forward |= f.Forward
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

// fileOf is the file of the new schema whose history it is, or nil.
func fileOf(schema *model.Schema, h History) *model.File {
	for _, f := range schema.Files {
		if len(h.Versions) > 0 && f.Target && f.Path == h.Versions[0].Path {
			return f
		}
	}
	return nil
}

// base is the place in the history of what the schema is compared with: the last
// version before its own. That its own is on record too does not make that one old.
func base(h History, now *model.File) int {
	last := max(0, len(h.Versions)-1)
	for now != nil && last > 0 && h.Versions[last].Version >= now.Version {
		last--
	}
	return last
}

// raised is the finding that a schema which changed has no version of its own. It needs
// none while the old one is open.
func raised(old, now *model.File, h History) []Finding {
	changes := lock.Changes(old, now)
	f := Finding{Rule: SchemaNotRaised, Pos: now.Pos, Version: old.Version}
	switch {
	case old.Version > now.Version:
		f.Message = fmt.Sprintf("the schema is at version %d, and version %d is on record", now.Version, old.Version)
		f.Mend = fmt.Sprintf("raise (coordgen.schema).version to %d", old.Version+1)
	case old.Version == now.Version && !h.Open && len(changes) > 0:
		f.Message = fmt.Sprintf("the schema is not what it was, and is still at version %d", now.Version)
		f.Mend = fmt.Sprintf("raise (coordgen.schema).version to %d, or, if version %[2]d is not out yet, record it anew with \"coordgen lock --amend\"", now.Version+1, now.Version)
		if h.Whole {
			f.Mend = lock.Doubt(changes) + f.Mend
		}
	default:
		return nil
	}
	return []Finding{f}
}
