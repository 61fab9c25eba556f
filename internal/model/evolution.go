package model

import "cmp"

// What a schema says about how it may change.

// Reserved are the names and numbers that nothing new may have.
type Reserved struct {
	Names   []string
	Numbers []Range
}

// A Range is the numbers from First to Last, both included.
type Range struct{ First, Last int }

// Has says whether the number is reserved.
func (r Reserved) Has(number int) bool {
	for _, n := range r.Numbers {
		if n.First <= number && number <= n.Last {
			return true
		}
	}
	return false
}

// A Former is a name on the wire that the versions up to Until write.
type Former struct {
	Name  string
	Until int
}

// A Migration is a change of a message that functions of the program make good.
type Migration struct {
	Name string
	// Version is the first version with the change.
	Version int
	// Reversible says that it can be taken back.
	Reversible bool
	// Migrate is the Go function that makes it, and Revert the one that takes it back.
	// A lock does not say them.
	Migrate, Revert string
}

// Schema names what the file's version is a version of, to the code that writes at
// another: its package, whose files count the same releases.
func (f *File) Schema() string { return cmp.Or(f.Proto, f.Path) }

// Retired says whether the file's version no longer has what earlier ones had until
// the version until.
func (f *File) Retired(until int) bool { return 0 < until && until < f.Version }

// A Waiver says that a change which breaks others is meant.
type Waiver struct {
	// Rule is the rule of the change, as package compat names it.
	Rule   string
	Reason string
	// Element is what the change is about, or "" for all where the waiver stands.
	Element string
	Pos     Pos
}
