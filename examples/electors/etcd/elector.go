// Package etcd elects a leader with etcd.
package etcd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	"go.etcd.io/etcd/api/v3/v3rpc/rpctypes"
	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config is what an [Elector] is made with.
type Config struct {
	// Identity is that of the instance. Required.
	Identity string
	// Key is the key that the leader holds, the same for all rivals. Required.
	Key string
	// TTL is how long etcd keeps the leadership for an instance that does not renew.
	// The instance itself gives it up a tenth of that earlier. Etcd counts in seconds
	// and has a minimum, of 2 by default, to which it rounds up. Required.
	TTL time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.LeaderElector] over etcd. The leader is whoever's lease
// the key is tied to: etcd deletes the key when the lease ends.
type Elector struct {
	*elector.Lease // its other methods are hidden by those of the elector

	client *clientv3.Client
	config Config
	held   clientv3.LeaseID // that of the last attempt, until it is revoked
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector that does not lead yet. The client stays the caller's, who
// closes it after the elector.
func New(client *clientv3.Client, config Config) (*Elector, error) {
	if config.Key == "" {
		return nil, errors.New("elector: the key is empty; set it to one that all rivals share")
	}
	lease, err := elector.NewLease(elector.LeaseConfig{Identity: config.Identity, TTL: config.TTL, Logger: config.Logger})
	if err != nil {
		return nil, err
	}
	return &Elector{Lease: lease, client: client, config: config}, nil
}

// TryAcquire is that of [elector.LeaderElector].
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.Acquire(ctx, e.take) }

// Renew is that of [elector.LeaderElector].
func (e *Elector) Renew(ctx context.Context) (bool, error) { return e.Lease.Renew(ctx, e.extend) }

// Release is that of [elector.LeaderElector].
func (e *Elector) Release(ctx context.Context) error { return e.Lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks that are running, so it must not be called
// from within one.
func (e *Elector) Close(ctx context.Context) error { return e.Lease.Close(ctx, e.give) }

// CurrentLeader is that of [elector.LeaderElector].
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.Ask(ctx, func(ctx context.Context) (string, error) {
		kv, err := e.read(ctx)
		if err != nil || kv == nil {
			return "", err
		}
		return string(kv.Value), nil
	})
}

// take creates the key if there is none, with a new lease. The term is the revision
// at which it was created, which only rises in a cluster, whatever is deleted.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	if err := e.give(ctx); err != nil { // what this instance may still hold, though it lapsed here or the answer was lost
		return 0, false, err
	}
	if kv, err := e.read(ctx); err != nil || kv != nil { // a look costs etcd less than a lease
		return 0, false, err
	}
	lease, err := e.client.Grant(ctx, int64((e.config.TTL+time.Second-1)/time.Second))
	if err != nil {
		return 0, false, fmt.Errorf("grant a lease: %w", err)
	}
	e.held = lease.ID
	answer, err := e.client.Txn(ctx).
		If(clientv3.Compare(clientv3.CreateRevision(e.config.Key), "=", 0)).
		Then(clientv3.OpPut(e.config.Key, e.config.Identity, clientv3.WithLease(e.held))).
		Commit()
	switch {
	case err != nil:
		return 0, false, fmt.Errorf("create %q: %w", e.config.Key, err)
	case !answer.Succeeded: // a rival was faster
		return 0, false, e.give(ctx)
	}
	return uint64(answer.Header.Revision), true, nil
}

// extend prolongs the lease while the key is tied to it. The look comes first: it
// fails where KeepAliveOnce would ask a server that is away without a pause.
func (e *Elector) extend(ctx context.Context) (bool, error) {
	kv, err := e.read(ctx)
	if err != nil || kv == nil || clientv3.LeaseID(kv.Lease) != e.held {
		return false, err
	}
	_, err = e.client.KeepAliveOnce(ctx, e.held)
	if errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("keep the lease alive: %w", err)
	}
	return true, nil
}

// give revokes the lease, and with it the key if it is tied to it: also one that a
// request creates which is still under way.
func (e *Elector) give(ctx context.Context) error {
	if e.held == clientv3.NoLease {
		return nil
	}
	if _, err := e.client.Revoke(ctx, e.held); err != nil && !errors.Is(err, rpctypes.ErrLeaseNotFound) {
		return fmt.Errorf("revoke the lease: %w", err)
	}
	e.held = clientv3.NoLease
	return nil
}

// read returns the key, or nil when there is none.
func (e *Elector) read(ctx context.Context) (*mvccpb.KeyValue, error) {
	answer, err := e.client.Get(ctx, e.config.Key)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w", e.config.Key, err)
	}
	if len(answer.Kvs) == 0 {
		return nil, nil
	}
	return answer.Kvs[0], nil
}
