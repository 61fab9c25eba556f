package electortest_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A mutant is a way to break an elector, with the cases that must find it.
type mutant struct {
	name   string
	fails  string
	breaks func(*broken)
}

var mutants = slices.Concat(leadingMutants, rivalMutants, callbackMutants, termMutants, backendMutants)

var leadingMutants = []mutant{
	{"has no identity", "identity", func(b *broken) {
		b.identity = func() string { return "" }
	}},
	{"has an identity for each leadership", "identity", func(b *broken) {
		b.identity = func() string {
			if b.IsLeader() {
				return b.remote.Identity() + "-leader"
			}
			return b.remote.Identity()
		}
	}},
	{"leads from the start", "not-leader-at-first release renew-before rival-acquire", func(b *broken) {
		b.isLeader = func() bool { return true }
	}},
	{"never knows that it leads", "acquire acquire-twice renew", func(b *broken) {
		b.isLeader = func() bool { return false }
	}},
	{"leads after a release", "release release-twice renew-after loss nested-release", func(b *broken) {
		var led atomic.Bool
		b.isLeader = led.Load
		b.remote.OnLeaderChange(func(context.Context, bool) error { led.Store(true); return nil })
	}},
	{"takes itself for the current leader", "nobody-at-first renew-before release rival-current-leader", func(b *broken) {
		b.currentLeader = b.remote.Identity
	}},
	{"knows no current leader", "current-leader rival-current-leader", func(b *broken) {
		b.currentLeader = func() string { return "" }
	}},
	{"can't acquire twice", "acquire-twice term-steady", func(b *broken) {
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			if b.remote.IsLeader() {
				return false, nil
			}
			return b.remote.TryAcquire(ctx)
		}
	}},
	{"refuses to release what it has not", "release-not-leader release-twice rival-release", func(b *broken) {
		b.release = func(ctx context.Context) error {
			if !b.remote.IsLeader() {
				return errors.New("not the leader")
			}
			return b.remote.Release(ctx)
		}
	}},
	{"leads once only", "acquire-again acquire-after-loss", func(b *broken) {
		var led atomic.Bool
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			if led.Swap(true) {
				return b.remote.IsLeader(), nil
			}
			return b.remote.TryAcquire(ctx)
		}
	}},
	{"renews always", "renew-before renew-after loss rival-renew", func(b *broken) {
		b.renew = func(context.Context) (bool, error) { return true, nil }
	}},
	{"renews never", "renew rival-acquire", func(b *broken) {
		b.renew = func(context.Context) (bool, error) { return false, nil }
	}},
	{"acquires when it renews", "renew-before renew-after loss callback-only-changes", func(b *broken) {
		b.renew = b.remote.TryAcquire
	}},
	{"overlooks a loss", "loss rival-after-loss callback-loss nested-loss term-after-loss", func(b *broken) {
		b.lose = func(context.Context) error { return nil }
	}},
	{"acquires with an ended context", "ended-context-acquire", func(b *broken) {
		b.tryAcquire = func(ctx context.Context) (bool, error) { return b.remote.TryAcquire(context.WithoutCancel(ctx)) }
	}},
	{"loses by an ended context", "ended-context-acquire", func(b *broken) {
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			if err := ctx.Err(); err != nil {
				return false, errors.Join(err, b.remote.Release(ctx))
			}
			return b.remote.TryAcquire(ctx)
		}
	}},
	{"does not release with an ended context", "ended-context-release callback-context", func(b *broken) {
		b.release = func(ctx context.Context) error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return b.remote.Release(ctx)
		}
	}},
}

var rivalMutants = []mutant{
	{"wins against a leader", "rival-acquire rival-after-release rival-release one-winner exclusion", func(b *broken) {
		var won atomic.Bool
		b.tryAcquire = func(context.Context) (bool, error) { won.Store(true); return true, nil }
		b.isLeader = won.Load
		b.renew = func(context.Context) (bool, error) { return won.Load(), nil }
		b.release = func(context.Context) error { won.Store(false); return nil }
	}},
	{"looks before it takes, not at once", "one-winner exclusion", func(b *broken) {
		leader := &b.election.leader
		b.isLeader = func() bool { return leader.Load() == b }
		b.tryAcquire = func(context.Context) (bool, error) {
			if other := leader.Load(); other != nil && other != b {
				return false, nil
			}
			time.Sleep(time.Millisecond)
			leader.Store(b)
			return true, nil
		}
		b.release = func(context.Context) error { leader.CompareAndSwap(b, nil); return nil }
	}},
	{"gives up after it has let go", "exclusion", func(b *broken) {
		var late atomic.Bool
		b.isLeader = func() bool { return late.Load() || b.remote.IsLeader() }
		b.release = func(ctx context.Context) error {
			late.Store(b.remote.IsLeader())
			err := b.remote.Release(ctx)
			time.Sleep(5 * time.Millisecond)
			late.Store(false)
			return err
		}
	}},
	{"knows of no rival", "rival-current-leader", func(b *broken) {
		b.currentLeader = func() string {
			if b.remote.IsLeader() {
				return b.remote.Identity()
			}
			return ""
		}
	}},
	{"releases for itself only", "rival-after-release nested-release no-lock", func(b *broken) {
		var given atomic.Bool
		b.isLeader = func() bool { return !given.Load() && b.remote.IsLeader() }
		b.release = func(context.Context) error { given.Store(true); return nil }
	}},
	{"renews for others", "rival-renew", func(b *broken) {
		b.renew = func(ctx context.Context) (bool, error) {
			name, err := b.remote.CurrentLeader(ctx)
			return name != "", err
		}
	}},
	{"releases what others hold", "rival-release rival-after-loss", func(b *broken) {
		b.release = func(ctx context.Context) error {
			for _, rival := range b.election.rivals {
				_ = rival.remote.Release(ctx)
			}
			return nil
		}
	}},
}

var termMutants = []mutant{
	{"has no terms", "term-zero term-steady term-rises", func(b *broken) { b.unfenced = true }},
	{"keeps its term after the end", "term-zero term-after-loss contention takeover unreachable-and-back", func(b *broken) {
		var last atomic.Uint64
		b.term = func() uint64 {
			if now := b.remote.Term(); now != 0 {
				last.Store(now)
			}
			return last.Load()
		}
	}},
	{"has one term", "term-rises", func(b *broken) {
		b.term = func() uint64 { return min(b.remote.Term(), 1) }
	}},
	{"counts down", "term-rises", func(b *broken) {
		b.term = func() uint64 {
			if !b.remote.IsLeader() {
				return 0
			}
			return 1000 - b.remote.Term()
		}
	}},
	{"counts its own terms", "term-rises contention backend-restarted", func(b *broken) {
		var mine, last atomic.Uint64
		b.term = func() uint64 {
			now := b.remote.Term()
			if now != 0 && last.Swap(now) != now {
				mine.Add(1)
			}
			return min(now, mine.Load())
		}
	}},
	{"has a term for each renewal", "term-steady", func(b *broken) {
		var calls atomic.Uint64
		b.renew = func(ctx context.Context) (bool, error) { calls.Add(1); return b.remote.Renew(ctx) }
		b.term = func() uint64 {
			if !b.remote.IsLeader() {
				return 0
			}
			return b.remote.Term() + calls.Load()
		}
	}},
}

var backendMutants = []mutant{
	{"leads for ever", "lease-lapses takeover unreachable-and-back", func(b *broken) { b.remote.lease = time.Hour }},
	{"lapses when it is asked", "lease-lapses", func(b *broken) {
		lease := b.remote.lease
		b.remote.lease = time.Hour
		var end atomic.Pointer[time.Time]
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			until := time.Now().Add(lease)
			end.Store(&until)
			return b.remote.TryAcquire(ctx)
		}
		b.isLeader = func() bool {
			until := end.Load()
			return b.remote.IsLeader() && until != nil && time.Now().Before(*until)
		}
	}},
	{"prolongs nothing", "lease-renewed", func(b *broken) { b.renew = b.InMemory.Renew }},
	{"asks the backend whether it leads", "cached-is-leader", func(b *broken) {
		b.isLeader = func() bool {
			name, err := b.remote.CurrentLeader(context.Background())
			return err == nil && name == b.remote.Identity()
		}
	}},
	{"takes silence for a rival", "unreachable-acquire", func(b *broken) {
		b.tryAcquire = func(ctx context.Context) (bool, error) {
			won, err := b.remote.TryAcquire(ctx)
			if errors.Is(err, elector.ErrUnreachable) {
				err = nil
			}
			return won, err
		}
	}},
	{"takes silence for nobody", "unreachable-current-leader", func(b *broken) {
		b.currentLeader = func() string {
			name, _ := b.remote.CurrentLeader(context.Background())
			return name
		}
	}},
	{"renews from memory", "unreachable-renew", func(b *broken) {
		b.renew = func(context.Context) (bool, error) { return b.remote.IsLeader(), nil }
	}},
}
