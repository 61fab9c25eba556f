// From coordgen v0.1.0, elector/nats/elector.go 5341766bd876. This file is yours.

// Package nats elects a leader among the instances of a program by a key in a
// key-value bucket of NATS JetStream.
package nats

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance, and no other one. Required.
	Identity string
	// Election is what all instances that contend for one leadership call it. It
	// is the key in the bucket. Required.
	Election string

	// Margin is how much earlier than the bucket drops the key the instance gives
	// the leadership up, for clocks that do not run equally fast. It defaults to a
	// tenth of the bucket's TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over a bucket, whose TTL is the lease. The
// leader is whom the key names. The term is the revision with which its leadership
// began: the bucket counts them for all its keys, and never goes back.
type Elector struct {
	lease    *elector.Lease
	kv       jetstream.KeyValue
	key      string
	own      string // what the key holds while this instance leads
	revision uint64 // of the key as this instance wrote it last
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector over a bucket, which it asks for its TTL. It uses the
// connection as it is and does not close it.
func New(ctx context.Context, kv jetstream.KeyValue, config Config) (*Elector, error) {
	if config.Election == "" {
		return nil, errors.New("elector: the election has no name; set Config.Election")
	}
	status, err := kv.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: look up the bucket: %w", elector.ErrUnreachable, err)
	}
	if status.TTL() <= 0 {
		return nil, fmt.Errorf("elector: bucket %q has no TTL; give it one, which is the lease", kv.Bucket())
	}
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: status.TTL(), Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	// An instance that was started anew under its old name is another one.
	return &Elector{lease: lease, kv: kv, key: config.Election, own: rand.Text() + " " + config.Identity}, nil
}

// Identity names this instance.
func (e *Elector) Identity() string { return e.lease.Identity() }

// IsLeader says whether this instance leads, by its own clock.
func (e *Elector) IsLeader() bool { return e.lease.IsLeader() }

// Term is the number of the present leadership, 0 without one.
func (e *Elector) Term() uint64 { return e.lease.Term() }

// OnLeaderChange has f called when this instance gains or loses the leadership.
func (e *Elector) OnLeaderChange(f elector.LeaderChangeCallback) (remove func()) {
	return e.lease.OnLeaderChange(f)
}

// CurrentLeader asks the server who leads.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		holder, _, err := e.look(ctx)
		_, identity, _ := strings.Cut(holder, " ")
		return identity, err
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it.
func (e *Elector) Renew(ctx context.Context) (bool, error) {
	return e.lease.Renew(ctx, func(ctx context.Context) (bool, error) {
		extended, err := e.write(ctx, e.revision)
		if extended || err != nil {
			return extended, err
		}
		return e.rewrite(ctx)
	})
}

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks that are running, as long as ctx or
// [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error { return e.lease.Close(ctx, e.give) }

// take makes one attempt: it writes the key where there is none, or where it is
// this elector's own, which it is after an answer that was lost. Each write has a
// revision greater than all before.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	revision, err := e.kv.Create(ctx, e.key, []byte(e.own))
	switch {
	case conflict(err):
		won, err = e.rewrite(ctx)
	case err == nil:
		e.revision, won = revision, true
	}
	return e.revision, won, err
}

// rewrite writes the key if it is this elector's own, which the elector may not
// know by its revision: the answer to an earlier write may have been lost.
func (e *Elector) rewrite(ctx context.Context) (bool, error) {
	holder, revision, err := e.look(ctx)
	if err != nil || holder != e.own {
		return false, err
	}
	return e.write(ctx, revision)
}

// write writes the key if it has that revision.
func (e *Elector) write(ctx context.Context, revision uint64) (bool, error) {
	revision, err := e.kv.Update(ctx, e.key, []byte(e.own), revision)
	if conflict(err) {
		return false, nil
	}
	if err == nil {
		e.revision = revision
	}
	return err == nil, err
}

// give deletes the key if it is this elector's.
func (e *Elector) give(ctx context.Context) error {
	holder, revision, err := e.look(ctx)
	if err != nil || holder != e.own {
		return err
	}
	if err = e.kv.Delete(ctx, e.key, jetstream.LastRevision(revision)); conflict(err) {
		return nil // another has it since
	}
	return err
}

// look returns who holds the key, "" for nobody, and its revision.
func (e *Elector) look(ctx context.Context) (holder string, revision uint64, err error) {
	entry, err := e.kv.Get(ctx, e.key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return "", 0, nil
	case err != nil:
		return "", 0, err
	}
	return string(entry.Value()), entry.Revision(), nil
}

// conflict says whether a write was refused for the key's revision is another one:
// the only error that tells something about who leads.
func conflict(err error) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return errors.Is(err, jetstream.ErrKeyExists) || ok && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence
}
