package main

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A leadership is a worker's claim to lead, from when it knew to when it gave the
// claim up. The processes share one machine and so one clock.
type leadership struct {
	worker string
	claim
}

// open says that the leadership has no end yet.
func (l leadership) open() bool { return l.until.IsZero() }

// leaderships are all that the workers reported. Events of several processes
// arrive in any order, so that they are judged by their times.
type leaderships struct{ all []leadership }

// begin takes a new leadership. Whatever the worker led before is over by then.
func (l *leaderships) begin(worker string, term uint64, at time.Time) {
	l.end(worker, at)
	l.all = append(l.all, leadership{worker, claim{term: term, from: at}})
}

// end closes what the worker leads, if anything.
func (l *leaderships) end(worker string, at time.Time) {
	for i := range l.all {
		if l.all[i].worker == worker && l.all[i].open() {
			l.all[i].until = at
		}
	}
}

// current returns the leadership with the highest term, or none if it has ended.
func (l *leaderships) current() (leadership, bool) {
	if len(l.all) == 0 {
		return leadership{}, false
	}
	last := slices.MaxFunc(l.all, byTerm)
	return last, last.open()
}

// settled says that all ended but, perhaps, the one with the highest term.
func (l *leaderships) settled() bool {
	sorted := slices.SortedFunc(slices.Values(l.all), byTerm)
	return len(sorted) > 0 && !slices.ContainsFunc(sorted[:len(sorted)-1], leadership.open)
}

// check says which leaderships overlap or have terms that don't rise.
func (l *leaderships) check() error {
	sorted := slices.SortedFunc(slices.Values(l.all), byTerm)
	for i, b := range sorted[min(1, len(sorted)):] {
		a := sorted[i]
		switch {
		case a.term == b.term:
			return fmt.Errorf("%s and %s led with the same term, %d", a.worker, b.worker, a.term)
		case a.open() || a.until.After(b.from):
			return fmt.Errorf("%s began to lead with term %d before the end of term %d of %s", b.worker, b.term, a.term, a.worker)
		}
	}
	return nil
}

func byTerm(a, b leadership) int { return cmp.Compare(a.term, b.term) }
