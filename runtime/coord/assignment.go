package coord

import (
	"context"
	"errors"
)

// HandleWorkAssignment takes a work assignment that arrived. If this instance is
// its target the assignment callbacks run; otherwise it has no effect. No state
// is kept but the greatest term.
//
// The error says that the message can't be used, or is [ErrStaleTerm]. What
// callbacks return is logged.
func (c *Coordinator[H, S, A]) HandleWorkAssignment(ctx context.Context, m *A) error {
	if m == nil {
		return errors.New("coord: work assignment is nil")
	}
	assignment := c.roles.ReadAssignment(m)
	if err := assignment.validate(); err != nil {
		return err
	}
	c.fed(assignment.Source == c.config.InstanceID)
	c.tellFleetVersion(ctx)
	stale := c.fence(assignment)
	if assignment.Target != c.config.InstanceID {
		return nil
	}
	if stale != nil {
		return stale
	}
	c.assignments.Call(ctx, m, c.log, "work assignment", "peer", assignment.Source)
	return nil
}

// OnWorkAssignment registers f to be called with each work assignment for this
// instance, in the order of registration and under no lock. The returned function
// removes f.
func (c *Coordinator[H, S, A]) OnWorkAssignment(f func(ctx context.Context, m *A) error) (remove func()) {
	return c.assignments.Add(f)
}

// CreateWorkAssignment makes the message by which this instance, as the leader,
// hands subscriptions to another one. A higher priority is more urgent.
//
// With an elector.Fenced it carries the term of this instance's leadership. If that
// is over, it carries the last one that this instance knows to have had, so that
// those who have heard of a later leader refuse it.
func (c *Coordinator[H, S, A]) CreateWorkAssignment(target string, subscriptions []string, priority int64) *A {
	_, term := c.leadership()
	if term == 0 {
		term = c.formerTerm()
	}
	return c.roles.NewAssignment(Assignment{
		Target:        target,
		Source:        c.config.InstanceID,
		Subscriptions: ownStrings(subscriptions),
		AssignedAt:    timestamp(),
		Priority:      priority,
		Term:          term,
	})
}
