package elector

import (
	"context"
	"errors"
	"log/slog"
	"sync"
)

// InMemory is a [LeaderElector] within one process. It is never unreachable, has
// no leases and is [Fenced]. The callbacks of a change have run when the call
// that caused it returns, unless callbacks were running already.
type InMemory struct {
	// Logger is told of callbacks that fail. Nil means [slog.Default]. It is to
	// be set before the elector is used.
	Logger *slog.Logger

	identity string
	shared   *Shared
	notifier Notifier
}

var _ Fenced = (*InMemory)(nil)

// Shared is the election in which several [InMemory] electors are rivals. The
// first to acquire wins and keeps the leadership until it gives it up or loses
// it.
type Shared struct {
	mu     sync.Mutex
	leader *InMemory
	term   uint64 // of the present or last leadership
}

// NewShared returns an election without a leader.
func NewShared() *Shared { return new(Shared) }

// NewInMemory returns an elector for the instance of that identity. With a nil
// shared it is alone and always wins. It fails when the identity is empty. Two
// electors are rivals even if they have the same identity.
func NewInMemory(identity string, shared *Shared) (*InMemory, error) {
	if identity == "" {
		return nil, errors.New("elector: identity is empty; use the id of the instance")
	}
	if shared == nil {
		shared = NewShared()
	}
	return &InMemory{identity: identity, shared: shared}, nil
}

// Identity returns the name that the elector was made with.
func (e *InMemory) Identity() string { return e.identity }

// IsLeader says whether this instance leads.
func (e *InMemory) IsLeader() bool { return e.Term() != 0 }

// Term returns the number of this instance's leadership, or 0 when it does not
// lead. The first leadership of an election has term 1.
func (e *InMemory) Term() uint64 {
	e.shared.mu.Lock()
	defer e.shared.mu.Unlock()
	if e.shared.leader != e {
		return 0
	}
	return e.shared.term
}

// CurrentLeader returns the identity of the leader, or "" when there is none. It
// never fails.
func (e *InMemory) CurrentLeader(context.Context) (string, error) {
	e.shared.mu.Lock()
	defer e.shared.mu.Unlock()
	if e.shared.leader == nil {
		return "", nil
	}
	return e.shared.leader.identity, nil
}

// TryAcquire takes the leadership if it is free, and says whether this instance
// leads. It fails only when ctx has ended.
func (e *InMemory) TryAcquire(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	defer e.notifier.Tell(e.Logger, e.identity) // once the lock is free
	e.shared.mu.Lock()
	defer e.shared.mu.Unlock()
	if e.shared.leader == nil {
		e.shared.leader = e
		e.shared.term++
		e.notifier.Queue(ctx, true)
	}
	return e.shared.leader == e, nil
}

// Renew only says whether this instance leads: there is no lease to prolong. It
// never fails.
func (e *InMemory) Renew(context.Context) (bool, error) { return e.IsLeader(), nil }

// Release gives the leadership up, if this instance has it. It never fails.
func (e *InMemory) Release(ctx context.Context) error {
	e.giveUp(ctx)
	return nil
}

// ForceLoseLeadership takes the leadership from this instance, if it has it, as a
// backend does that revokes it. The leadership is then free.
func (e *InMemory) ForceLoseLeadership(ctx context.Context) { e.giveUp(ctx) }

func (e *InMemory) giveUp(ctx context.Context) {
	defer e.notifier.Tell(e.Logger, e.identity) // once the lock is free
	e.shared.mu.Lock()
	defer e.shared.mu.Unlock()
	if e.shared.leader == e {
		e.shared.leader = nil
		e.notifier.Queue(ctx, false)
	}
}

// OnLeaderChange registers f; see [LeaderElector].
func (e *InMemory) OnLeaderChange(f LeaderChangeCallback) (remove func()) {
	return e.notifier.OnLeaderChange(f)
}
