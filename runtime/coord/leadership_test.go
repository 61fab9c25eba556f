package coord_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/elector"
)

// A puppet is an elector that the test leads by hand. It contains nothing: an
// error or a panic of its callback reaches the test.
type puppet struct {
	elector.LeaderElector // the coordinator must call none of the other methods

	leader    bool
	refusal   error
	released  int
	callbacks []elector.LeaderChangeCallback
}

func (p *puppet) IsLeader() bool { return p.leader }

func (p *puppet) Release(context.Context) error {
	p.released++
	return p.refusal
}

func (p *puppet) OnLeaderChange(f elector.LeaderChangeCallback) func() {
	p.callbacks = append(p.callbacks, f)
	i := len(p.callbacks) - 1
	return func() { p.callbacks[i] = nil }
}

func (p *puppet) tell(t *testing.T, leader bool) {
	t.Helper()
	p.leader = leader
	for _, f := range p.callbacks {
		if f != nil {
			require.NoError(t, f(t.Context(), leader))
		}
	}
}

func (p *puppet) into(c *coord.Config) { c.Elector = p }

func TestLeadershipIsReadFromTheElector(t *testing.T) {
	e := &puppet{}
	c := newCoordinator(t, e.into)
	for _, leader := range []bool{false, true, false} {
		e.leader = leader
		assert.Equal(t, leader, c.IsLeader())
		assert.Equal(t, leader, c.CreateHeartbeat(coord.Work{}).Leads)
		assert.Equal(t, leader, c.Health().IsLeader)
	}
}

func TestWithoutAnElectorThereIsNoLeadership(t *testing.T) {
	c := newCoordinator(t)
	assert.False(t, c.IsLeader())
	assert.False(t, c.CreateHeartbeat(coord.Work{}).Leads)
	assert.False(t, c.Health().IsLeader)
	handed, err := c.HandoffLeadership(t.Context())
	require.NoError(t, err)
	assert.False(t, handed)
	c.OnLeaderChange(func(context.Context, bool) error { return nil })()
}

func TestHandoffLeadership(t *testing.T) {
	e := &puppet{}
	c := newCoordinator(t, e.into)

	handed, err := c.HandoffLeadership(t.Context())
	require.NoError(t, err)
	assert.False(t, handed, "not the leader")
	assert.Zero(t, e.released)

	e.leader = true
	handed, err = c.HandoffLeadership(t.Context())
	require.NoError(t, err)
	assert.True(t, handed)
	assert.Equal(t, 1, e.released)

	e.refusal = elector.ErrUnreachable
	handed, err = c.HandoffLeadership(t.Context())
	assert.False(t, handed)
	require.ErrorIs(t, err, elector.ErrUnreachable)
	assert.EqualError(t, err, `coord: leadership of "me" is not handed off: elector: backend unreachable`)
}

func TestLeaderChangeCallbacksAreContained(t *testing.T) {
	var book logbook
	e := &puppet{}
	c := newCoordinator(t, e.into, book.into)
	var told []bool
	c.OnLeaderChange(func(context.Context, bool) error { return errors.New("first fails") })
	c.OnLeaderChange(func(context.Context, bool) error { panic("second panics") })
	remove := c.OnLeaderChange(func(_ context.Context, leader bool) error {
		assert.Equal(t, leader, c.IsLeader())
		told = append(told, leader)
		return nil
	})
	e.tell(t, true)
	e.tell(t, false)
	assert.Equal(t, []bool{true, false}, told)
	lines := book.lines(t, slog.LevelError)
	require.Len(t, lines, 4)
	assert.Equal(t, "leader change", lines[0]["event"])
	assert.Equal(t, "first fails", lines[0]["error"])
	assert.Equal(t, true, lines[0]["leader"])
	assert.Contains(t, lines[1]["error"], "panic: second panics")
	assert.Equal(t, false, lines[2]["leader"])

	remove()
	e.tell(t, true)
	assert.Equal(t, []bool{true, false}, told)
}
