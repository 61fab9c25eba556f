package electortest_test

import (
	"context"
	"slices"
	"sync"

	"github.com/coordgen/coordgen/runtime/callback"
	"github.com/coordgen/coordgen/runtime/elector"
)

var callbackMutants = []mutant{
	{"tells no gains", "callback-gain callback-only-changes one-at-a-time", hearing(func(f elector.LeaderChangeCallback) elector.LeaderChangeCallback {
		return func(ctx context.Context, leader bool) error {
			if leader {
				return nil
			}
			return f(ctx, leader)
		}
	})},
	{"tells no losses", "callback-release callback-loss lease-lapses concurrent-use nested-acquire", hearing(func(f elector.LeaderChangeCallback) elector.LeaderChangeCallback {
		return func(ctx context.Context, leader bool) error {
			if !leader {
				return nil
			}
			return f(ctx, leader)
		}
	})},
	{"tells twice", "callback-gain callback-release callback-loss callback-only-changes concurrent-use", hearing(func(f elector.LeaderChangeCallback) elector.LeaderChangeCallback {
		return func(ctx context.Context, leader bool) error {
			_ = f(ctx, leader)
			return f(ctx, leader)
		}
	})},
	{"tells what is no change", "callback-only-changes callback-own-changes", func(b *broken) {
		callbacks := callback.List[bool]{}
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() { return callbacks.Add(callback.Func[bool](f)) }
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			won, err := b.remote.TryAcquire(ctx)
			callbacks.Call(ctx, won, discard, "attempt")
			return won, err
		}
		b.release = func(ctx context.Context) error {
			err := b.remote.Release(ctx)
			callbacks.Call(ctx, false, discard, "release")
			return err
		}
	}},
	{"tells of rivals", "callback-own-changes", func(b *broken) {
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
			for _, rival := range b.election.rivals {
				rival.remote.OnLeaderChange(f)
			}
			return func() {}
		}
	}},
	{"tells how things stand when it is asked to tell of changes", "callback-gain nested-register", func(b *broken) {
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
			_ = f(context.Background(), b.remote.IsLeader())
			return b.remote.OnLeaderChange(f)
		}
	}},
	{"tells the last one first", "callback-order", byHand(func(_ *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool) {
		for _, f := range slices.Backward(callbacks) {
			_ = contain(f, context.WithoutCancel(ctx), leader)
		}
	})},
	{"stops at a failure", "callback-fails", byHand(func(_ *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool) {
		for _, f := range callbacks {
			if contain(f, ctx, leader) != nil {
				return
			}
		}
	})},
	{"lets panics through", "callback-panics", byHand(func(_ *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool) {
		for _, f := range callbacks {
			_ = f(ctx, leader)
		}
	})},
	{"hands its caller's context on", "callback-context", byHand(inOrder)},
	{"tells a nested change at once", "nested-release nested-loss nested-acquire nested-remove one-at-a-time concurrent-use", byHand(inOrder)},
	{"tells in goroutines", "callback-order one-at-a-time concurrent-use", byHand(func(_ *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool) {
		for _, f := range slices.Backward(callbacks) {
			go func() { _ = contain(f, ctx, leader) }()
		}
	})},
	{"tells under its lock", "nested-reads nested-release nested-loss nested-acquire nested-register no-lock one-at-a-time", underLock},
	{"removes nothing", "remove remove-twice nested-remove", func(b *broken) {
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
			b.remote.OnLeaderChange(f)
			return func() {}
		}
	}},
	{"removes whoever stands there now", "remove-twice", func(b *broken) {
		var mu sync.Mutex
		var removals []func()
		b.onLeaderChange = func(f elector.LeaderChangeCallback) func() {
			mu.Lock()
			defer mu.Unlock()
			removals = append(removals, b.remote.OnLeaderChange(f))
			i := len(removals) - 1
			return func() {
				mu.Lock()
				defer mu.Unlock()
				if i < len(removals) {
					removals[i]()
					removals = slices.Delete(removals, i, i+1)
				}
			}
		}
	}},
}

func inOrder(_ *broken, callbacks []elector.LeaderChangeCallback, ctx context.Context, leader bool) {
	for _, f := range callbacks {
		_ = contain(f, ctx, leader)
	}
}

func contain(f elector.LeaderChangeCallback, ctx context.Context, leader bool) error {
	return callback.Contain(ctx, callback.Func[bool](f), leader)
}
