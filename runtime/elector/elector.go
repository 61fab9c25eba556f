// Package elector is the protocol by which one instance of a fleet becomes its
// leader. It has no implementation for production: those are code of the
// user's own repository, proven by package electortest, where they use the backend that the team already
// runs. [InMemory] is for tests and for programs with a single instance.
//
// Acquiring and renewing are the application's part. The coordinator only reads
// IsLeader and calls Release.
package elector

import (
	"context"
	"errors"
	"time"
)

// DefaultTimeout bounds a call to the backend whose context has no deadline.
const DefaultTimeout = 10 * time.Second

// ErrUnreachable is wrapped by the error of a call that got no answer from its
// backend. Who leads is then not known.
var ErrUnreachable = errors.New("elector: backend unreachable")

// ErrClosed is returned by calls on an elector that was closed.
var ErrClosed = errors.New("elector: closed")

// A LeaderElector takes part in one election on behalf of one instance. It is
// safe for concurrent use. Package electortest holds the suite that every
// implementation has to pass.
type LeaderElector interface {
	// Identity names this instance in the election. It is never empty and
	// never changes.
	Identity() string

	// IsLeader says whether this instance leads, from memory: it never calls
	// the backend. It turns false before another instance can acquire: on a
	// release before the backend is told, and in an elector with leases no
	// later than the lease runs out.
	IsLeader() bool

	// CurrentLeader returns the identity of the leader, or "" when there is
	// none.
	CurrentLeader(ctx context.Context) (string, error)

	// TryAcquire makes one attempt to become the leader and returns promptly.
	// It returns true when this instance leads, also when it did before, and
	// false when another instance does. It fails only when the backend can't
	// be reached or ctx has ended, and then acquires nothing. Without a
	// deadline in ctx, [DefaultTimeout] applies.
	TryAcquire(ctx context.Context) (bool, error)

	// Renew prolongs the leadership and says whether it still holds. It
	// returns false when this instance does not lead: before it ever acquired,
	// after it released, after a loss. It never acquires.
	Renew(ctx context.Context) (bool, error)

	// Release gives the leadership up. It does nothing when this instance does
	// not lead, so that calling it twice is safe. It works with a context that
	// has ended, too, which is often all that a program has left when it shuts
	// down; [DefaultTimeout] bounds it then.
	Release(ctx context.Context) error

	// OnLeaderChange registers f for the changes to come: it is called with
	// true when this instance gains the leadership and with false when it loses
	// it, the lapse of a lease included. Callbacks run in the order of
	// registration, under no lock, never two at once, one change after the
	// other. A call that causes a change while they run, from within one or
	// from elsewhere, returns at once, and that change is told when the
	// callbacks of the present one have returned. One that fails or panics does
	// not stop the others.
	//
	// The returned function removes f, which is then called no more. It may be
	// called more than once and from within a callback; it does not wait for a
	// call of f that has begun. [Notifier] does all of this for an
	// implementation.
	OnLeaderChange(f LeaderChangeCallback) (remove func())
}

// A LeaderChangeCallback is told that this instance now leads, or no longer does.
// IsLeader may already be ahead of it. Its context does not end with that of the
// call that caused the change, since a loss has to be dealt with also then.
type LeaderChangeCallback func(ctx context.Context, leader bool) error

// Fenced is implemented by electors that number the leaderships, so that what a
// leader writes can be told from what a later one wrote, and refused when it
// arrives late.
type Fenced interface {
	LeaderElector

	// Term returns the number of the present leadership, or 0 when this
	// instance does not lead. It stays the same for as long as the leadership
	// does, and each new leadership has a greater one than all before it in the
	// same election, whoever led.
	Term() uint64
}
