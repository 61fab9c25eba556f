package elector_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// A backend is a server with leases, as others see it.
type backend struct {
	ttl time.Duration

	mu      sync.Mutex
	holder  *leased
	expires time.Time
	term    uint64
	takes   []time.Time // when it was asked for the leadership
	log     []string
}

var errDown = errors.New("connection refused")

// A leased is an elector over a backend, as a user would write one.
type leased struct {
	*elector.Lease // its other methods are hidden by those of the elector
	backend        *backend

	mu           sync.Mutex
	down         bool          // the backend can't be reached
	hangs        bool          // it can, and does not answer
	ask, replies time.Duration // how long a request and an answer are under way
}

func newLeased(t require.TestingT, identity string, b *backend) *leased {
	l, err := elector.NewLease(elector.LeaseConfig{Identity: identity, TTL: b.ttl, Logger: discard})
	require.NoError(t, err)
	return &leased{Lease: l, backend: b}
}

func (e *leased) set(change func(*leased)) {
	e.mu.Lock()
	defer e.mu.Unlock()
	change(e)
}

// request has the backend do something, or not.
func (e *leased) request(ctx context.Context, name string, do func(b *backend)) error {
	e.mu.Lock()
	down, hangs, ask, replies := e.down, e.hangs, e.ask, e.replies
	e.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if down {
		return errDown
	}
	if hangs {
		<-ctx.Done()
		return ctx.Err()
	}
	time.Sleep(ask)
	b := e.backend
	b.mu.Lock()
	if !time.Now().Before(b.expires) {
		b.holder = nil
	}
	b.log = append(b.log, e.Identity()+" "+name)
	do(b)
	b.mu.Unlock()
	time.Sleep(replies)
	return nil
}

func (e *leased) TryAcquire(ctx context.Context) (bool, error) {
	return e.Acquire(ctx, func(ctx context.Context) (term uint64, won bool, err error) {
		err = e.request(ctx, "takes", func(b *backend) {
			b.takes = append(b.takes, time.Now())
			if b.holder != nil && b.holder != e {
				return
			}
			b.term++
			b.holder, b.expires = e, time.Now().Add(b.ttl)
			term, won = b.term, true
		})
		return term, won, err
	})
}

func (e *leased) Renew(ctx context.Context) (bool, error) {
	return e.Lease.Renew(ctx, func(ctx context.Context) (renewed bool, err error) {
		err = e.request(ctx, "renews", func(b *backend) {
			if renewed = b.holder == e; renewed {
				b.expires = time.Now().Add(b.ttl)
			}
		})
		return renewed, err
	})
}

func (e *leased) Release(ctx context.Context) error { return e.Lease.Release(ctx, e.give) }

func (e *leased) give(ctx context.Context) error {
	return e.request(ctx, "gives", func(b *backend) {
		if b.holder == e {
			b.holder = nil
		}
	})
}

func (e *leased) CurrentLeader(ctx context.Context) (string, error) {
	return e.Ask(ctx, func(ctx context.Context) (leader string, err error) {
		err = e.request(ctx, "asks", func(b *backend) {
			if b.holder != nil {
				leader = b.holder.Identity()
			}
		})
		return leader, err
	})
}

// revoke takes the leadership away without telling.
func (b *backend) revoke() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holder = nil
}

func (b *backend) journal() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.log
}

// An elector that is made with a Lease passes the whole suite. Time is synthetic.
func TestLeaseConforms(t *testing.T) {
	var opened []*leased
	f := electortest.Factory{
		Fenced: true,
		Lease:  time.Minute,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			b := &backend{ttl: time.Minute}
			for _, identity := range identities {
				e := newLeased(t, identity, b)
				t.Cleanup(func() {
					e.set(func(e *leased) { e.down = false })
					require.NoError(t, e.Close(context.Background(), e.give))
				})
				rivals, opened = append(rivals, e), append(opened, e)
			}
			return rivals
		},
		Restart: func(context.Context) error {
			for _, down := range []bool{true, false} {
				for _, e := range opened {
					e.set(func(e *leased) { e.down = down })
				}
				time.Sleep(time.Second)
			}
			return nil
		},
		Lose: func(_ context.Context, e elector.LeaderElector) error {
			e.(*leased).backend.revoke()
			return nil
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*leased).set(func(e *leased) { e.down = true })
			return nil
		},
		Reconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*leased).set(func(e *leased) { e.down = false })
			return nil
		},
	}
	for _, c := range electortest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			require.Empty(t, c.LeftOut(f))
			opened = nil
			synctest.Test(t, func(t *testing.T) { c.Run(t, f) })
		})
	}
}
