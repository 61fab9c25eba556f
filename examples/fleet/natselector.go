package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/coordgen/coordgen/runtime/elector"
)

// leaderKey is the key that the leader holds.
const leaderKey = "leader"

// A natsElector is an [elector.LeaderElector] over a key-value bucket of NATS
// JetStream. The leader is whoever's identity the key holds. The server drops the
// key when it was not renewed for as long as the bucket's TTL.
//
// Its own claim ends earlier: the lease is counted from before the request that
// took or renewed the key, on this instance's monotonic clock. So two instances
// never believe that they lead at once, as long as their clocks run equally fast.
type natsElector struct {
	kv       jetstream.KeyValue
	identity string
	lease    time.Duration // the bucket's TTL
	log      *slog.Logger
	notifier elector.Notifier

	// calls keeps requests in order: a renewal must not meet a release.
	calls sync.Mutex

	mu       sync.Mutex
	revision uint64 // of the key as this instance wrote it last
	term     uint64 // revision with which the present leadership began
	until    time.Time
	lapse    *time.Timer
}

var _ elector.Fenced = (*natsElector)(nil)

// newNATSElector takes part in the election of a bucket, which must have a TTL.
func newNATSElector(ctx context.Context, kv jetstream.KeyValue, identity string, log *slog.Logger) (*natsElector, error) {
	if identity == "" {
		return nil, errors.New("elector: the identity is empty")
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, unreachable("look up the bucket", err)
	}
	if status.TTL() <= 0 {
		return nil, fmt.Errorf("elector: bucket %q has no TTL; give it one, the lease", kv.Bucket())
	}
	e := &natsElector{kv: kv, identity: identity, lease: status.TTL(), log: log}
	e.lapse = time.AfterFunc(time.Hour, e.lapsed)
	e.lapse.Stop()
	return e, nil
}

func (e *natsElector) Identity() string { return e.identity }

func (e *natsElector) IsLeader() bool { return e.Term() > 0 }

// Term is the revision of the key with which the leadership began. It rises from
// leader to leader.
func (e *natsElector) Term() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.term > 0 && time.Now().Before(e.until) {
		return e.term
	}
	return 0
}

func (e *natsElector) OnLeaderChange(f elector.LeaderChangeCallback) (remove func()) {
	return e.notifier.OnLeaderChange(f)
}

func (e *natsElector) CurrentLeader(ctx context.Context) (string, error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	entry, err := e.kv.Get(ctx, leaderKey)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return "", nil
	case err != nil:
		return "", unreachable("read the leader", err)
	}
	return string(entry.Value()), nil
}

func (e *natsElector) TryAcquire(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	e.calls.Lock()
	defer e.notifier.Tell(e.log, e.identity)
	defer e.calls.Unlock()
	if e.dropLapsed(); e.IsLeader() {
		return true, nil
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	begun := time.Now()
	revision, err := e.kv.Create(ctx, leaderKey, []byte(e.identity))
	switch {
	case errors.Is(err, jetstream.ErrKeyExists):
		return false, nil
	case err != nil:
		return false, unreachable("acquire", err)
	}
	e.hold(ctx, revision, begun)
	return e.IsLeader(), nil
}

func (e *natsElector) Renew(ctx context.Context) (bool, error) {
	e.calls.Lock()
	defer e.notifier.Tell(e.log, e.identity)
	defer e.calls.Unlock()
	if e.dropLapsed(); !e.IsLeader() {
		return false, nil
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	begun := time.Now()
	revision, err := e.kv.Update(ctx, leaderKey, []byte(e.identity), e.held())
	switch {
	case errors.Is(err, jetstream.ErrKeyExists): // another revision is there: it is lost
		e.lose(ctx)
		return false, nil
	case err != nil:
		return false, unreachable("renew", err)
	}
	e.hold(ctx, revision, begun)
	return e.IsLeader(), nil
}

func (e *natsElector) Release(ctx context.Context) error {
	e.calls.Lock()
	defer e.notifier.Tell(e.log, e.identity)
	defer e.calls.Unlock()
	revision := e.held()
	if revision == 0 {
		return nil
	}
	e.lose(ctx) // told before the key is free
	ctx, cancel := bounded(context.WithoutCancel(ctx))
	defer cancel()
	err := e.kv.Delete(ctx, leaderKey, jetstream.LastRevision(revision))
	if err != nil && !errors.Is(err, jetstream.ErrKeyExists) && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return unreachable("release", err)
	}
	return nil
}

// Close stops the elector's timer. It does not release.
func (e *natsElector) Close() { e.lapse.Stop() }

func (e *natsElector) held() uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.revision
}

// hold notes that the key is this instance's since a request that had begun then.
func (e *natsElector) hold(ctx context.Context, revision uint64, begun time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revision, e.until = revision, begun.Add(e.lease)
	if !time.Now().Before(e.until) {
		return // the answer took longer than the lease
	}
	if e.term == 0 {
		e.term = revision
	}
	e.lapse.Reset(time.Until(e.until))
	e.notifier.Queue(ctx, true)
}

func (e *natsElector) lose(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revision, e.term = 0, 0
	e.lapse.Stop()
	e.notifier.Queue(ctx, false)
}

// lapsed is called when a lease may have run out.
func (e *natsElector) lapsed() {
	e.dropLapsed()
	e.notifier.Tell(e.log, e.identity)
}

// dropLapsed ends a claim that was not renewed in time.
func (e *natsElector) dropLapsed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.term > 0 && !time.Now().Before(e.until) {
		e.revision, e.term = 0, 0
		e.notifier.Queue(context.Background(), false)
	}
}

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, elector.DefaultTimeout)
}

func unreachable(action string, err error) error {
	return fmt.Errorf("%w: %s: %w", elector.ErrUnreachable, action, err)
}
