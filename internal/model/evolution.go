package model

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

// A Waiver says that a change which breaks others is meant.
type Waiver struct {
	// Rule is the rule of the change, as package compat names it.
	Rule   string
	Reason string
	// Element is what the change is about, or "" for all where the waiver stands.
	Element string
	Pos     Pos
}
