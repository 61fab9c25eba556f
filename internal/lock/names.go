package lock

import (
	"cmp"
	"slices"

	"github.com/coordgen/coordgen/internal/model"
)

// A Given is a Go name that a version gave to an element.
type Given struct {
	// Kind is the element's kind, such as "message", and Name its full name: that of
	// a value begins with that of its enum.
	Kind, Name string
	// What the name is of: "go" for the element itself, or "interface" of a oneof,
	// "member" of a field of one and "inner" of the field of that struct, "func" and
	// "const" of a callback.
	What string
	Go   string
	// Number is that of a field or a value.
	Number int
	// Version is the one that last gave the name.
	Version int
	// Gone says that no element has the name in the latest version on record.
	Gone bool
	Pos  model.Pos
}

// goFacts are the keys of the facts that are Go names.
func goFacts() []string { return []string{"go", "interface", "member", "func", "const"} }

// Given returns the Go names that were ever given, those of later versions first.
func (l *Lock) Given() []Given {
	var all []Given
	there := l.at(l.Latest())
	for _, e := range l.entries {
		current, known := there[e.element()]
		for _, what := range goFacts() {
			name := e.get(what)
			if name == "" {
				continue
			}
			g := Given{
				Kind: e.kind, Name: e.name, What: what, Go: name, Number: e.number("number"), Version: e.version,
				Gone: !known || current.get(what) != name, Pos: l.pos(e.line),
			}
			if what == "go" && e.get("oneof") != "" {
				g.What = "inner"
			}
			if g.Gone || e.version == current.version {
				all = append(all, g)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Given) int {
		return cmp.Or(cmp.Compare(b.Version, a.Version), a.Pos.Compare(b.Pos))
	})
	return all
}
