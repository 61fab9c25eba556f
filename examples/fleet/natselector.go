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
// never believe that they lead at once, as long as their clocks run equally fast
// and the server's is not set forward.
type natsElector struct {
	kv       jetstream.KeyValue
	identity string
	lease    time.Duration // the bucket's TTL
	log      *slog.Logger
	notifier elector.Notifier

	// calls keeps requests in order: a renewal must not meet a release.
	calls sync.Mutex

	mu       sync.Mutex
	revision uint64 // of the key as this instance wrote it last, 0 when it is not its own
	claim    claim  // the present or last one
	lapse    *time.Timer
}

// A claim is a leadership as its leader saw it.
type claim struct {
	term  uint64    // revision of the key with which it began
	from  time.Time // when it was known
	until time.Time // when it ends unless it is renewed, or when it ended
}

func (c claim) holds() bool { return c.term > 0 && time.Now().Before(c.until) }

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
	if c := e.lastClaim(); c.holds() {
		return c.term
	}
	return 0
}

// lastClaim returns the present leadership or, when this instance does not lead,
// its last one.
func (e *natsElector) lastClaim() claim {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.claim
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
	return e.gain(ctx, revision, begun), nil
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
	case errors.Is(err, jetstream.ErrKeyRevisionMismatch): // it expired, or is another's
		e.lose(ctx)
		return false, nil
	case err != nil:
		return false, unreachable("renew", err)
	}
	return e.prolong(ctx, revision, begun), nil
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
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx) // it ends as the program does, and that is when to release
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	err := e.kv.Delete(ctx, leaderKey, jetstream.LastRevision(revision))
	if err != nil && !errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
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

// gain begins a leadership with the key that a request took. It says whether there
// is one: an answer may take longer than the lease.
func (e *natsElector) gain(ctx context.Context, revision uint64, begun time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revision = revision
	c := claim{term: revision, from: time.Now(), until: begun.Add(e.lease)}
	if !c.holds() {
		return false
	}
	e.claim = c
	e.lapse.Reset(time.Until(c.until))
	e.notifier.Queue(ctx, true)
	return true
}

// prolong counts the lease from a renewal that had begun then. A leadership that
// lapsed while the server was asked stays lost, since that was told.
func (e *natsElector) prolong(ctx context.Context, revision uint64, begun time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.revision = revision // also of a lapsed one, for Release to free the key
	if !e.claim.holds() {
		e.notifier.Queue(ctx, false)
		return false
	}
	e.claim.until = begun.Add(e.lease)
	e.lapse.Reset(time.Until(e.claim.until))
	return e.claim.holds()
}

func (e *natsElector) lose(ctx context.Context) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.claim.holds() {
		e.claim.until = time.Now()
	}
	e.revision = 0
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
	if e.claim.holds() {
		return
	}
	e.revision = 0
	e.notifier.Queue(context.Background(), false)
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
