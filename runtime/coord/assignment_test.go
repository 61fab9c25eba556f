package coord_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAssignmentReachesItsTargetOnly(t *testing.T) {
	c := newCoordinator(t)
	mine, theirs := &order{To: "me", From: "lead"}, &order{To: "a", From: "lead"}
	var got []*order
	var turns []string
	c.OnWorkAssignment(func(_ context.Context, o *order) error {
		assert.Empty(t, c.Peers()) // also: no lock is held
		got, turns = append(got, o), append(turns, "first")
		return nil
	})
	remove := c.OnWorkAssignment(func(context.Context, *order) error {
		turns = append(turns, "second")
		return nil
	})
	require.NoError(t, c.HandleWorkAssignment(t.Context(), theirs))
	assert.Empty(t, got)
	require.NoError(t, c.HandleWorkAssignment(t.Context(), mine))
	require.Len(t, got, 1)
	assert.Same(t, mine, got[0])
	assert.Equal(t, []string{"first", "second"}, turns)
	assert.Empty(t, c.Peers(), "no state is kept")

	remove()
	require.NoError(t, c.HandleWorkAssignment(t.Context(), mine))
	assert.Equal(t, []string{"first", "second", "first"}, turns)
}

func TestLeaderMayAssignToItself(t *testing.T) {
	c := newCoordinator(t)
	calls := 0
	c.OnWorkAssignment(func(context.Context, *order) error { calls++; return nil })
	require.NoError(t, c.HandleWorkAssignment(t.Context(), c.CreateWorkAssignment("me", nil, 0)))
	assert.Equal(t, 1, calls)
}

func TestCreateWorkAssignment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(1234 * time.Nanosecond)
		c := newCoordinator(t)
		jobs := []string{"orders"}
		made := c.CreateWorkAssignment("a", jobs, 9)
		jobs[0] = "changed"
		assert.Equal(t, &order{
			To: "a", From: "me", Jobs: []string{"orders"}, Urgency: 9,
			Made: time.Now().UTC().Truncate(time.Microsecond),
		}, made)
		assert.NotNil(t, c.CreateWorkAssignment("a", nil, 0).Jobs)
	})
}
