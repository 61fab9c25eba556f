package electortest_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// A broken elector is a remote one of which methods are replaced.
type broken struct {
	*remote
	election *election
	unfenced bool

	identity, currentLeader func() string
	isLeader                func() bool
	tryAcquire, renew       func(context.Context) (bool, error)
	release, lose           func(context.Context) error
	onLeaderChange          func(elector.LeaderChangeCallback) func()
	term                    func() uint64
}

// An election is what broken electors share, besides what sound ones share.
type election struct {
	rivals []*broken
	leader atomic.Pointer[broken]
}

// everything is a factory of electors that are broken in the same way; with nil
// they are sound.
func everything(lease time.Duration, breaks func(*broken)) electortest.Factory {
	f := electortest.Factory{Lease: lease, Fenced: true}
	var opened []*broken
	f.Open = func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
		shared, election := elector.NewShared(), &election{}
		for _, identity := range identities {
			b := &broken{remote: newRemote(t, identity, shared, lease), election: election}
			election.rivals, opened = append(election.rivals, b), append(opened, b)
			if breaks != nil {
				breaks(b)
			}
			if b.unfenced {
				rivals = append(rivals, struct{ elector.LeaderElector }{b})
			} else {
				rivals = append(rivals, b)
			}
		}
		return rivals
	}
	f.Lose = func(ctx context.Context, e elector.LeaderElector) error { return e.(*broken).Lose(ctx) }
	f.Disconnect = func(_ context.Context, e elector.LeaderElector) error {
		e.(*broken).cut.Store(true)
		return nil
	}
	f.Reconnect = func(_ context.Context, e elector.LeaderElector) error {
		e.(*broken).cut.Store(false)
		return nil
	}
	f.Restart = func(context.Context) error {
		for _, down := range []bool{true, false} {
			for _, b := range opened {
				b.cut.Store(down)
			}
			time.Sleep(lease / 100)
		}
		return nil
	}
	return f
}

func (b *broken) Identity() string {
	if b.identity != nil {
		return b.identity()
	}
	return b.remote.Identity()
}

func (b *broken) IsLeader() bool {
	if b.isLeader != nil {
		return b.isLeader()
	}
	return b.remote.IsLeader()
}

func (b *broken) CurrentLeader(ctx context.Context) (string, error) {
	if b.currentLeader != nil {
		return b.currentLeader(), nil
	}
	return b.remote.CurrentLeader(ctx)
}

func (b *broken) TryAcquire(ctx context.Context) (bool, error) {
	if b.tryAcquire != nil {
		return b.tryAcquire(ctx)
	}
	return b.remote.TryAcquire(ctx)
}

func (b *broken) Renew(ctx context.Context) (bool, error) {
	if b.renew != nil {
		return b.renew(ctx)
	}
	return b.remote.Renew(ctx)
}

func (b *broken) Release(ctx context.Context) error {
	if b.release != nil {
		return b.release(ctx)
	}
	return b.remote.Release(ctx)
}

func (b *broken) OnLeaderChange(f elector.LeaderChangeCallback) func() {
	if b.onLeaderChange != nil {
		return b.onLeaderChange(f)
	}
	return b.remote.OnLeaderChange(f)
}

func (b *broken) Term() uint64 {
	if b.term != nil {
		return b.term()
	}
	return b.remote.Term()
}

func (b *broken) Lose(ctx context.Context) error {
	if b.lose != nil {
		return b.lose(ctx)
	}
	b.ForceLoseLeadership(ctx)
	return nil
}

// A telling is a way to call callbacks.
type telling func(b *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool)

// byHand has callbacks told without a notifier: by the call that caused the
// change, before it returns.
func byHand(tell telling) func(*broken) {
	return func(b *broken) {
		var mu sync.Mutex
		var callbacks []*elector.LeaderChangeCallback
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
			mu.Lock()
			defer mu.Unlock()
			callbacks = append(callbacks, &f)
			return func() {
				mu.Lock()
				defer mu.Unlock()
				callbacks = slices.DeleteFunc(slices.Clone(callbacks), func(x *elector.LeaderChangeCallback) bool { return x == &f })
			}
		}
		told := func(ctx context.Context, call func()) {
			before := b.remote.IsLeader()
			call()
			if now := b.remote.IsLeader(); now != before {
				var all []elector.LeaderChangeCallback
				mu.Lock()
				for _, f := range callbacks {
					all = append(all, *f)
				}
				mu.Unlock()
				tell(b, all, ctx, now)
			}
		}
		b.tryAcquire = func(ctx context.Context) (won bool, err error) {
			told(ctx, func() { won, err = b.remote.TryAcquire(ctx) })
			return won, err
		}
		b.release = func(ctx context.Context) (err error) {
			told(ctx, func() { err = b.remote.Release(ctx) })
			return err
		}
		b.lose = func(ctx context.Context) error {
			told(ctx, func() { b.ForceLoseLeadership(ctx) })
			return nil
		}
	}
}

// hearing changes each callback when it is registered.
func hearing(how func(elector.LeaderChangeCallback) elector.LeaderChangeCallback) func(*broken) {
	return func(b *broken) {
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() { return b.remote.OnLeaderChange(how(f)) }
	}
}

// underLock holds one lock during each call, and so while callbacks run.
func underLock(b *broken) {
	var mu sync.Mutex
	b.isLeader = func() bool { mu.Lock(); defer mu.Unlock(); return b.remote.IsLeader() }
	b.tryAcquire = func(ctx context.Context) (bool, error) {
		mu.Lock()
		defer mu.Unlock()
		return b.remote.TryAcquire(ctx)
	}
	b.renew = func(ctx context.Context) (bool, error) { mu.Lock(); defer mu.Unlock(); return b.remote.Renew(ctx) }
	b.release = func(ctx context.Context) error { mu.Lock(); defer mu.Unlock(); return b.remote.Release(ctx) }
	b.lose = func(ctx context.Context) error {
		mu.Lock()
		defer mu.Unlock()
		b.ForceLoseLeadership(ctx)
		return nil
	}
	b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
		mu.Lock()
		defer mu.Unlock()
		remove := b.remote.OnLeaderChange(f)
		return func() { mu.Lock(); defer mu.Unlock(); remove() }
	}
}
