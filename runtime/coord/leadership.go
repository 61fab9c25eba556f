package coord

import (
	"context"
	"fmt"

	"github.com/coordgen/coordgen/runtime/callback"
	"github.com/coordgen/coordgen/runtime/elector"
)

// IsLeader says whether this instance leads, by its elector's memory. Without an
// elector it never does.
func (c *Coordinator[H, S, A]) IsLeader() bool {
	return c.config.Elector != nil && c.config.Elector.IsLeader()
}

// leadership asks the elector once whether this instance leads, and in which term; 0
// is that the elector numbers none.
func (c *Coordinator[H, S, A]) leadership() (leads bool, term uint64) {
	fenced, ok := c.config.Elector.(elector.Fenced)
	if !ok {
		return c.IsLeader(), 0
	}
	term = fenced.Term()
	c.noteOwnTerm(term)
	return term != 0, term
}

// OnLeaderChange registers f at the elector, to be called with true when this
// instance gains the leadership and with false when it loses it. What f returns,
// or its panic, is logged. The returned function removes f. Without an elector f
// is never called.
func (c *Coordinator[H, S, A]) OnLeaderChange(f func(ctx context.Context, leader bool) error) (remove func()) {
	if c.config.Elector == nil {
		return func() {}
	}
	// Electors are the user's own code: f is contained here, whatever they do.
	var contained callback.List[bool]
	contained.Add(f)
	return c.config.Elector.OnLeaderChange(func(ctx context.Context, leader bool) error {
		contained.Call(ctx, leader, c.log, "leader change", "leader", leader)
		return nil
	})
}

// HandoffLeadership gives the leadership up and says whether there was any to
// give: it is false without an elector, or when this instance does not lead. An
// error is the elector's; who leads is then not known.
func (c *Coordinator[H, S, A]) HandoffLeadership(ctx context.Context) (bool, error) {
	if !c.IsLeader() {
		return false, nil
	}
	if err := c.config.Elector.Release(ctx); err != nil {
		return false, fmt.Errorf("coord: leadership of %q is not handed off: %w", c.config.InstanceID, err)
	}
	return true, nil
}
