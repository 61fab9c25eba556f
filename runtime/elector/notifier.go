package elector

import (
	"cmp"
	"context"
	"log/slog"
	"sync"

	"github.com/coordgen/coordgen/runtime/callback"
)

// A Notifier calls leader-change callbacks as [LeaderElector] demands it. An
// elector queues each change under the lock that guards its own state, so that
// the changes are told in the order in which they happened, and tells them when
// the lock is free, so that a callback may call the elector:
//
//	func (e *Elector) set(ctx context.Context, leader bool) {
//		defer e.notifier.Tell(e.log, e.identity) // the first deferred call is the last to run
//		e.mu.Lock()
//		defer e.mu.Unlock()
//		e.leader = leader
//		e.notifier.Queue(ctx, leader)
//	}
//
// The zero Notifier is ready to use and safe for concurrent use. It must not be
// copied after its first use.
type Notifier struct {
	callbacks callback.List[bool]

	mu      sync.Mutex
	leader  bool // as queued last
	queue   []change
	telling bool
}

// A change is told to those who were registered when it happened.
type change struct {
	ctx       context.Context
	leader    bool
	callbacks callback.Snapshot[bool]
}

// OnLeaderChange is the method of [LeaderElector].
func (n *Notifier) OnLeaderChange(f LeaderChangeCallback) (remove func()) {
	return n.callbacks.Add(callback.Func[bool](f))
}

// Queue notes that the instance now leads, or no longer does, and returns at
// once. It does nothing and returns false when that is no change; at first the
// instance does not lead. Callbacks will see the values of ctx, but not its end.
func (n *Notifier) Queue(ctx context.Context, leader bool) (changed bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if leader == n.leader {
		return false
	}
	n.leader = leader
	n.queue = append(n.queue, change{context.WithoutCancel(ctx), leader, n.callbacks.Snapshot()})
	return true
}

// Tell calls the callbacks for each queued change and returns when none is left.
// While another call of Tell is at it, in another goroutine or further up in this
// one, it returns at once and leaves the changes to that one. It must be called
// under no lock.
//
// Callbacks that fail are logged to log as errors, with the identity and the
// change. A nil log is [slog.Default].
func (n *Notifier) Tell(log *slog.Logger, identity string) {
	log = cmp.Or(log, slog.Default())
	for n.tellNext(log, identity) {
	}
}

func (n *Notifier) tellNext(log *slog.Logger, identity string) bool {
	c, ok := n.take()
	if !ok {
		return false
	}
	defer n.told() // deferred, because a callback may end its goroutine, as a failed test does
	c.callbacks.Call(c.ctx, c.leader, log, "leader change", "identity", identity, "leader", c.leader)
	return true
}

func (n *Notifier) take() (c change, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.telling || len(n.queue) == 0 {
		return change{}, false
	}
	n.telling = true
	c, n.queue = n.queue[0], n.queue[1:]
	return c, true
}

func (n *Notifier) told() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.telling = false
}
