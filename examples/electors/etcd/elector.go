// From coordgen v0.1.0, elector/etcd/elector.go 35fe56a815f2. This file is yours.

// Package etcd elects a leader among the instances of a program by a key in etcd.
package etcd

import (
	"cmp"
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

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance. Required.
	Identity string
	// Key is the key that the leader holds. All instances that contend for one
	// leadership have the same. Required.
	Key string

	// TTL is how long etcd keeps the leadership for an instance that does not
	// renew. Etcd rounds it up to seconds, and to a minimum that is 2 seconds
	// unless the servers are configured otherwise. It defaults to 15 seconds.
	TTL time.Duration
	// Margin is how much earlier the instance gives it up, for clocks that do not
	// run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over etcd. The leader is whoever's lease the
// key is tied to: etcd deletes the key when that lease ends. The term is the
// revision at which the key was created.
type Elector struct {
	lease  *elector.Lease
	client *clientv3.Client
	config Config
	held   clientv3.LeaseID // etcd's lease, from an attempt until it is revoked
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector that does not lead. It uses the client as it is and does
// not close it.
func New(client *clientv3.Client, config Config) (*Elector, error) {
	if config.Key == "" {
		return nil, errors.New("elector: the election has no key; set Config.Key")
	}
	config.TTL = cmp.Or(config.TTL, 15*time.Second)
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: config.TTL, Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	return &Elector{lease: lease, client: client, config: config}, nil
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

// CurrentLeader asks etcd who leads.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		kv, err := e.read(ctx)
		return string(kv.GetValue()), err
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it.
func (e *Elector) Renew(ctx context.Context) (bool, error) { return e.lease.Renew(ctx, e.extend) }

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks that are under way, as long as ctx or
// [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error { return e.lease.Close(ctx, e.give) }

// take creates the key if there is none, tied to a new lease. What this instance
// still has goes first: it may have lapsed here and not in etcd, or have come with
// an answer that was lost. A key that is created after that has a greater revision.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	if err := e.give(ctx); err != nil {
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
