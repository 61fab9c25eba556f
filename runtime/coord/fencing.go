package coord

import (
	"errors"
	"fmt"
)

// ErrStaleTerm is wrapped by the error of a work assignment of a leader that another
// one has followed. Its callbacks are not called.
var ErrStaleTerm = errors.New("coord: stale term")

// terms are the leaderships that are known by their numbers.
type terms struct {
	greatest uint64
	from     string // who was heard with it
	own      uint64 // this instance's last
}

// noteTerm takes note that the instance leads, or led, in a term.
func (c *Coordinator[H, S, A]) noteTerm(term uint64, instance string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.terms.note(term, instance)
}

// noteOwnTerm takes note of this instance's leadership; 0 is none.
func (c *Coordinator[H, S, A]) noteOwnTerm(term uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.terms.note(term, c.config.InstanceID)
	c.terms.own = max(c.terms.own, term)
}

// formerTerm is the number of this instance's last leadership, as far as it knows.
func (c *Coordinator[H, S, A]) formerTerm() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.terms.own
}

// fence says why an assignment comes too late, and takes note of its term if it does
// not. One without a term comes from a peer that numbers none, and passes.
func (c *Coordinator[H, S, A]) fence(a Assignment) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a.Term != 0 && a.Term < c.terms.greatest {
		return fmt.Errorf("%w: the work assignment from %q was made in term %d, and %q has been heard in term %d",
			ErrStaleTerm, a.Source, a.Term, c.terms.from, c.terms.greatest)
	}
	c.terms.note(a.Term, a.Source)
	return nil
}

func (t *terms) note(term uint64, instance string) {
	if term > t.greatest {
		t.greatest, t.from = term, instance
	}
}
