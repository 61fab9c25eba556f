package coord_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/elector"
)

// A numbered is an elector whose term the test sets by hand.
type numbered struct {
	elector.LeaderElector // the coordinator must call none of the other methods

	term  uint64
	asked int
}

func (n *numbered) Term() uint64 { n.asked++; return n.term }

func (n *numbered) into(c *coord.Config) { c.Elector = n }

// orders delivers an assignment to this instance and says whether it was taken.
func orders(t *testing.T, c *coordinator, from string, term uint64) (taken bool, err error) {
	t.Helper()
	remove := c.OnWorkAssignment(func(context.Context, *order) error { taken = true; return nil })
	defer remove()
	err = c.HandleWorkAssignment(t.Context(), &order{To: "me", From: from, Reign: term})
	return taken, err
}

// leads delivers a heartbeat of a leader.
func leads(t *testing.T, c *coordinator, id string, term uint64) {
	t.Helper()
	require.NoError(t, c.HandleHeartbeat(t.Context(), &pulse{Name: id, Made: anyTime, Leads: true, Reign: term}))
}

func TestALeadersMessagesCarryItsTerm(t *testing.T) {
	e := &numbered{term: 5}
	c := newCoordinator(t, e.into)
	beat := c.CreateHeartbeat(coord.Work{})
	assert.True(t, beat.Leads)
	assert.Equal(t, uint64(5), beat.Reign)
	assert.Equal(t, uint64(5), c.CreateWorkAssignment("a", nil, 1).Reign)
	assert.Equal(t, 2, e.asked, "once for each, so that what a message says fits together")

	e.term = 0
	beat = c.CreateHeartbeat(coord.Work{})
	assert.False(t, beat.Leads)
	assert.Zero(t, beat.Reign)
	assert.Equal(t, uint64(5), c.CreateWorkAssignment("a", nil, 1).Reign, "made too late, and told by its term")
}

func TestWithoutNumberedLeadershipsThereIsNoTerm(t *testing.T) {
	e := &puppet{leader: true}
	for name, c := range map[string]*coordinator{"no elector": newCoordinator(t), "not fenced": newCoordinator(t, e.into)} {
		assert.Zero(t, c.CreateHeartbeat(coord.Work{}).Reign, name)
		assert.Zero(t, c.CreateWorkAssignment("a", nil, 1).Reign, name)
	}
}

func TestStaleAssignmentsAreRefused(t *testing.T) {
	for name, see := range map[string]func(t *testing.T, c *coordinator){
		"by an assignment": func(t *testing.T, c *coordinator) {
			taken, err := orders(t, c, "new", 6)
			require.NoError(t, err)
			require.True(t, taken)
		},
		"by one for another": func(t *testing.T, c *coordinator) {
			require.NoError(t, c.HandleWorkAssignment(t.Context(), &order{To: "a", From: "new", Reign: 6}))
		},
		"by a leader's heartbeat": func(t *testing.T, c *coordinator) { leads(t, c, "new", 6) },
		"by a late heartbeat": func(t *testing.T, c *coordinator) {
			hears(t, c, "new")
			leads(t, c, "new", 6)
		},
		"by a leader that is gone": func(t *testing.T, c *coordinator) {
			leads(t, c, "new", 6)
			require.True(t, c.RemovePeer("new"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCoordinator(t)
			taken, err := orders(t, c, "old", 5)
			require.NoError(t, err)
			require.True(t, taken)

			see(t, c)
			taken, err = orders(t, c, "old", 5)
			assert.False(t, taken)
			assert.ErrorIs(t, err, coord.ErrStaleTerm)
			assert.EqualError(t, err, `coord: stale term: the work assignment from "old" was made in term 5, and "new" has been heard in term 6`)
			assert.NoError(t, c.HandleWorkAssignment(t.Context(), &order{To: "a", From: "old", Reign: 5}), "not for this instance, and without effect")

			for _, term := range []uint64{6, 7, 0} { // 0 is of a peer that numbers none
				taken, err = orders(t, c, "new", term)
				assert.NoError(t, err)
				assert.True(t, taken, term)
			}
			taken, _ = orders(t, c, "new", 6)
			assert.False(t, taken)
		})
	}
}

func TestOwnLeadershipRefusesTheFormerLeader(t *testing.T) {
	e := &numbered{term: 6}
	c := newCoordinator(t, e.into)
	c.CreateHeartbeat(coord.Work{})
	_, err := orders(t, c, "old", 5)
	assert.ErrorIs(t, err, coord.ErrStaleTerm)
	assert.ErrorContains(t, err, `"me" has been heard in term 6`)
	e.term = 0
	c.CreateHeartbeat(coord.Work{})
	_, err = orders(t, c, "old", 5)
	assert.ErrorIs(t, err, coord.ErrStaleTerm)
}

func TestATermOfOneWhoDoesNotLeadMeansNothing(t *testing.T) {
	c := newCoordinator(t)
	require.NoError(t, c.HandleHeartbeat(t.Context(), &pulse{Name: "a", Made: anyTime, Reign: math.MaxUint64}))
	taken, err := orders(t, c, "b", 1)
	assert.NoError(t, err)
	assert.True(t, taken)
}

// What nothing can tell from a leap of the elector's numbers: the package comment says
// what to do about it.
func TestAHugeTermShutsOutTheTrueLeader(t *testing.T) {
	c := newCoordinator(t)
	leads(t, c, "forger", math.MaxUint64)
	_, err := orders(t, c, "leader", 7)
	assert.ErrorContains(t, err, `"forger" has been heard in term 18446744073709551615`)
	p, _ := c.Peer("forger")
	assert.Equal(t, uint64(math.MaxUint64), p.Term)
}

// A leader is cut off, another one follows, and what the first assigned arrives late.
func ExampleErrStaleTerm() {
	ctx := context.Background()
	election := elector.NewShared()
	first, _ := elector.NewInMemory("worker-1", election)
	second, _ := elector.NewInMemory("worker-2", election)
	one, _ := coord.New(coord.Config{InstanceID: "worker-1", Elector: first}, roles)
	two, _ := coord.New(coord.Config{InstanceID: "worker-2", Elector: second}, roles)
	three, _ := coord.New(coord.Config{InstanceID: "worker-3"}, roles)
	three.OnWorkAssignment(func(_ context.Context, o *order) error {
		fmt.Println("works on", o.Jobs, "for", o.From)
		return nil
	})

	_, _ = first.TryAcquire(ctx)
	late := one.CreateWorkAssignment("worker-3", []string{"orders"}, 1)
	first.ForceLoseLeadership(ctx)
	_, _ = second.TryAcquire(ctx)

	fmt.Println(three.HandleWorkAssignment(ctx, two.CreateWorkAssignment("worker-3", []string{"mail"}, 1)))
	fmt.Println(three.HandleWorkAssignment(ctx, late))
	// Output:
	// works on [mail] for worker-2
	// <nil>
	// coord: stale term: the work assignment from "worker-1" was made in term 1, and "worker-2" has been heard in term 2
}
