package lock

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// What a merge leaves: two lines about one element at one version.

// merged is what two entries about one element at one version say together. They are at
// odds, and not ok, unless they differ in lists only, or in how new an import is.
func merged(a, b entry) (facts []fact, ok bool) {
	if a.kind == kindImport {
		newer := max(a.number("version"), b.number("version"))
		return []fact{{"version", strconv.Itoa(newer)}}, !a.removed() && !b.removed() || a.text() == b.text()
	}
	if a.single() != b.single() {
		return nil, false
	}
	both := entry{kind: a.kind, facts: slices.Concat(a.facts, b.facts)}
	both.sort()
	return slices.Compact(both.facts), true
}

// single is the text of the facts that are no lists.
func (e entry) single() string {
	e.facts = slices.DeleteFunc(slices.Clone(e.facts), func(f fact) bool { return isList(f.key) })
	return e.text()
}

// sort puts the facts into the order of their kind's, and lists into that of numbers
// and names.
func (e entry) sort() {
	order := keys(e.kind)
	number := func(f fact) int {
		if n, ok := parseRange(f.value); ok {
			return n.First
		}
		return math.MaxInt
	}
	slices.SortStableFunc(e.facts, func(a, b fact) int {
		if c := cmp.Compare(slices.Index(order, a.key), slices.Index(order, b.key)); c != 0 || !isList(a.key) {
			return c
		}
		return cmp.Or(cmp.Compare(number(a), number(b)), strings.Compare(a.value, b.value))
	})
}
