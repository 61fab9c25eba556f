package electortest_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// A remote elector has all that a factory can declare: leases, and a backend that
// it can be cut off from.
type remote struct {
	*elector.InMemory
	lease time.Duration
	cut   atomic.Bool

	mu    sync.Mutex
	lapse *time.Timer
}

func newRemote(t electortest.TB, identity string, election *elector.Shared, lease time.Duration) *remote {
	r := &remote{InMemory: inMemory(t, identity, election), lease: lease}
	t.Cleanup(r.endLease)
	return r
}

func (r *remote) TryAcquire(ctx context.Context) (bool, error) {
	if r.cut.Load() {
		return false, unreachable("acquire")
	}
	won, err := r.InMemory.TryAcquire(ctx)
	r.prolong(won)
	return won, err
}

func (r *remote) Renew(ctx context.Context) (bool, error) {
	if r.cut.Load() {
		return false, unreachable("renew")
	}
	renewed, err := r.InMemory.Renew(ctx)
	r.prolong(renewed)
	return renewed, err
}

func (r *remote) CurrentLeader(ctx context.Context) (string, error) {
	if r.cut.Load() {
		return "", unreachable("current leader")
	}
	return r.InMemory.CurrentLeader(ctx)
}

func (r *remote) Release(ctx context.Context) error {
	r.endLease()
	return r.InMemory.Release(ctx)
}

func (r *remote) prolong(leads bool) {
	if !leads {
		return
	}
	r.endLease()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lapse = time.AfterFunc(r.lease, func() { r.ForceLoseLeadership(context.Background()) })
}

func (r *remote) endLease() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lapse != nil {
		r.lapse.Stop()
	}
}

func unreachable(call string) error { return fmt.Errorf("%s: %w", call, elector.ErrUnreachable) }

func inMemory(t electortest.TB, identity string, election *elector.Shared) *elector.InMemory {
	e, err := elector.NewInMemory(identity, election)
	require.NoError(t, err)
	e.Logger = discard
	return e
}
