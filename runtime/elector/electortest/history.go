package electortest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Reign is a time during which an instance said that it leads, by its own clock.
type Reign struct {
	Identity string
	Term     uint64
	// From and Until are the first and the last moment at which it surely did. Where
	// instances are processes of one machine, its clock serves them all.
	From, Until time.Time
}

// A History is the reigns of an election, for tests that let rivals contend, cut
// them off or stop them. The zero History is empty. It is safe for concurrent use.
type History struct {
	mu     sync.Mutex
	reigns []Reign
}

// Add adds a reign, such as one that another process reports.
func (h *History) Add(r Reign) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reigns = append(h.reigns, r)
}

// Watch asks the elector for its term, once in each interval, and adds its reigns,
// until ctx ends.
func (h *History) Watch(ctx context.Context, e elector.Fenced, interval time.Duration) {
	var r Reign
	end := func() {
		if r.From.Before(r.Until) {
			h.Add(r)
		}
	}
	defer func() { end() }()
	for ticks := time.NewTicker(interval); ; {
		before := time.Now()
		term := e.Term()
		if term == r.Term {
			r.Until = before
		} else {
			end()
			r = Reign{Identity: e.Identity(), Term: term, From: time.Now()}
		}
		select {
		case <-ctx.Done():
			ticks.Stop()
			return
		case <-ticks.C:
		}
	}
}

// Reigns returns the reigns in the order in which they began.
func (h *History) Reigns() []Reign {
	h.mu.Lock()
	defer h.mu.Unlock()
	reigns := slices.DeleteFunc(slices.Clone(h.reigns), func(r Reign) bool { return r.Term == 0 })
	slices.SortStableFunc(reigns, func(a, b Reign) int { return a.From.Compare(b.From) })
	return reigns
}

// Faults says where two instances led at once, and where a term was not greater
// than the one before it.
func (h *History) Faults() []string {
	var faults []string
	reigns := h.Reigns()
	for i, r := range reigns {
		for _, next := range reigns[i+1:] {
			if next.From.Before(r.Until) {
				faults = append(faults, fmt.Sprintf("%q and %q led at once for %v, in terms %d and %d",
					r.Identity, next.Identity, earlier(r.Until, next.Until).Sub(next.From), r.Term, next.Term))
			}
		}
		if i > 0 && r.Term <= reigns[i-1].Term {
			faults = append(faults, fmt.Sprintf("%q led in term %d after %q in term %d", r.Identity, r.Term, reigns[i-1].Identity, reigns[i-1].Term))
		}
	}
	return faults
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
