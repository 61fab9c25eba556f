package compat

import (
	"fmt"
	"slices"
	"strings"
)

// rollout says in which order to bring the new version out, so that no instance meets
// a message that it can't read. What is waived is no reason for an order.
func rollout(findings []Finding) []string {
	var backward, forward, order []Finding
	but, raise := "", false
	for _, f := range findings {
		switch {
		case f.Waived != "" && f.Backward|f.Forward != 0:
			but = ", apart from what is waived"
		case f.Waived != "":
		case f.Backward != 0 || f.Forward != 0:
			if f.Backward != 0 {
				backward = append(backward, f)
			}
			if f.Forward != 0 {
				forward = append(forward, f)
			}
		case f.Rule == SchemaNotRaised:
			raise = true
		case f.Rule == ImportNotCompared:
			but = ", as far as it was compared"
		case f.Rule == TopicAdded, f.Rule == EnumValueAdded:
			order = append(order, f)
		}
	}
	on := topics(slices.Concat(backward, forward))
	switch {
	case len(backward) > 0 && len(forward) > 0:
		plan := []string{"two releases: old and new code can't read each other's messages, so no order of one release is safe."}
		plan = append(plan, steps(findings)...)
		return append(plan, "or else drain "+on+": stop all publishers, wait until nothing is left, upgrade every instance, start again.")
	case len(forward) > 0:
		plan := []string{"subscribers first: old code can't read what new code writes. Upgrade every instance that receives " + on + ", and then those that publish."}
		if !slices.ContainsFunc(forward, func(f Finding) bool { return !f.AtVersion }) {
			plan = append(plan, "or any order, if publishers write at the fleet's lowest version, with AtVersion: what old code can't read is not written until the last of it is gone.")
		}
		return append(plan, "where one program does both: two releases. Release 1 reads the new and writes the old; release 2 writes the new.")
	case len(backward) > 0:
		return []string{
			"publishers first: new code can't read what old code writes. Upgrade every instance that publishes " + on + ", and those that receive when no old message is left.",
			"where one program does both: drain " + on + ", that is, stop all publishers and wait until nothing is left, before the upgrade.",
		}
	case raise:
		return []string{"not before the schema has a version of its own: see SCHEMA_NOT_RAISED."}
	case len(order) > 0:
		return []string{"subscribers first, where they are to act on what is new (" + topics(order) + "); any other order loses nothing but that."}
	}
	return []string{"any order" + but + ": old and new code read each other's messages."}
}

// steps say what to do about each finding, first in one release and then in a second
// one.
func steps(findings []Finding) []string {
	var first, second []string
	for _, f := range findings {
		if f.Waived != "" || f.Backward|f.Forward == 0 {
			continue
		}
		steps := rule(f.Rule).Steps
		if steps[0] == "" {
			steps[0] = f.Mend
		}
		place := f.Pos.String()
		if f.Element != "" {
			place += fmt.Sprintf(": %q", f.Element)
		}
		one := fmt.Sprintf("release 1, for every instance: %s: %s.", place, steps[0])
		if !slices.Contains(first, one) {
			first = append(first, one)
		}
		two := fmt.Sprintf("release 2, when no instance of before release 1 is left: %s: %s.", place, steps[1])
		if steps[1] != "" && !slices.Contains(second, two) {
			second = append(second, two)
		}
	}
	return append(first, second...)
}

// topics names what carries the findings.
func topics(findings []Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, f.Topics...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	for i, t := range all {
		all[i] = fmt.Sprintf("%q", t)
	}
	const few = 5
	switch {
	case len(all) == 0:
		return "these messages"
	case len(all) == 1:
		return "topic " + all[0]
	case len(all) > few:
		return fmt.Sprintf("topics %s and %d more", strings.Join(all[:few], ", "), len(all)-few)
	}
	return "topics " + strings.Join(all, ", ")
}
