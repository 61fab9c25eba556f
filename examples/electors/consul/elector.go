// From coordgen v0.1.0, elector/consul/elector.go 1a59e045964e. This file is yours.

// Package consul elects a leader among the instances of a program by a key in
// Consul.
package consul

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/hashicorp/consul/api"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance. Required.
	Identity string
	// Key is the key that the leader holds. All instances that contend for one
	// leadership have the same. Required.
	Key string

	// TTL is how long Consul keeps the leadership for an instance that does not
	// renew, at least; it may take twice as long. Servers refuse less than their
	// session_ttl_min, which is 10 seconds unless they are configured otherwise.
	// It defaults to 15 seconds.
	TTL time.Duration
	// LockDelay is for how long nobody gets the key after the leader's session
	// has ended other than by a release. It is what keeps two instances from
	// leading when the session ends early: an operator destroys it, or the agent
	// that it was made by leaves. It defaults to TTL, and Consul takes no more
	// than a minute. The least is a millisecond.
	LockDelay time.Duration
	// Margin is how much earlier than after TTL the instance gives the leadership
	// up, for clocks that do not run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over Consul. The leader is whoever's session
// holds the lock of the key.
//
// The term is the key's ModifyIndex, read once the lock is held: the index of a
// write to it that is no earlier than the one that took the lock, and earlier than
// the one by which another session will. Indexes of writes only rise, also when the
// key is deleted, which has its LockIndex begin anew.
type Elector struct {
	lease   *elector.Lease
	client  *api.Client
	config  Config
	session string // from an attempt until it is destroyed
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector that does not lead. It uses the client as it is.
func New(client *api.Client, config Config) (*Elector, error) {
	config.TTL = cmp.Or(config.TTL, 15*time.Second)
	config.LockDelay = cmp.Or(config.LockDelay, config.TTL)
	switch {
	case config.Key == "":
		return nil, errors.New("elector: the election has no key; set Config.Key")
	case config.LockDelay < time.Millisecond || config.LockDelay > time.Minute:
		return nil, fmt.Errorf("elector: the lock delay is %v; set Config.LockDelay to a millisecond at least and a minute at most", config.LockDelay)
	}
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

// CurrentLeader asks Consul who leads.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		pair, err := e.read(ctx)
		if pair.Session == "" {
			return "", err
		}
		return string(pair.Value), err
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

// take locks the key for a new session. What this instance still has goes first: it
// may have lapsed here and not in Consul, or have come with an answer that was lost.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	if err := e.give(ctx); err != nil {
		return 0, false, err
	}
	if pair, err := e.read(ctx); err != nil || pair.Session != "" { // a look costs Consul less than a session
		return 0, false, err
	}
	session := &api.SessionEntry{
		Name:      "elector of " + e.config.Identity,
		TTL:       e.config.TTL.String(),
		LockDelay: e.config.LockDelay,
		Behavior:  api.SessionBehaviorRelease,
	}
	// With checks the session would end when the agent is taken for dead.
	e.session, _, err = e.client.Session().CreateNoChecks(session, writing(ctx))
	if err != nil {
		return 0, false, fmt.Errorf("create a session: %w", err)
	}
	locked, _, err := e.client.KV().Acquire(e.pair(), writing(ctx))
	if err != nil {
		return 0, false, fmt.Errorf("lock %q: %w", e.config.Key, err)
	}
	if locked {
		pair, err := e.read(ctx)
		if err != nil {
			return 0, false, err
		}
		if pair.Session == e.session {
			return pair.ModifyIndex, true, nil
		}
	}
	return 0, false, e.give(ctx) // a rival was faster, or there is a lock delay
}

// extend prolongs the session while it holds the key.
func (e *Elector) extend(ctx context.Context) (bool, error) {
	pair, err := e.read(ctx)
	if err != nil || pair.Session != e.session {
		return false, err
	}
	session, _, err := e.client.Session().Renew(e.session, writing(ctx))
	if err != nil {
		return false, fmt.Errorf("renew the session: %w", err)
	}
	return session != nil, nil // nil when it has ended
}

// give unlocks the key, if this instance's session holds it, and destroys the
// session. The order matters: a key whose session is destroyed is free only after
// the lock delay. A request that locks the key and is still under way is refused
// without its session.
func (e *Elector) give(ctx context.Context) error {
	if e.session == "" {
		return nil
	}
	if _, _, err := e.client.KV().Release(e.pair(), writing(ctx)); err != nil {
		return fmt.Errorf("unlock %q: %w", e.config.Key, err)
	}
	if _, err := e.client.Session().Destroy(e.session, writing(ctx)); err != nil {
		return fmt.Errorf("destroy the session: %w", err)
	}
	e.session = ""
	return nil
}

// pair is the key as this instance writes it.
func (e *Elector) pair() *api.KVPair {
	return &api.KVPair{Key: e.config.Key, Value: []byte(e.config.Identity), Session: e.session}
}

// read returns the key, with no session when nobody holds it.
func (e *Elector) read(ctx context.Context) (api.KVPair, error) {
	options := &api.QueryOptions{RequireConsistent: true} // otherwise a leader of Consul that is none any more may answer
	pair, _, err := e.client.KV().Get(e.config.Key, options.WithContext(ctx))
	if err != nil {
		return api.KVPair{}, fmt.Errorf("read %q: %w", e.config.Key, err)
	}
	if pair == nil {
		return api.KVPair{}, nil
	}
	return *pair, nil
}

func writing(ctx context.Context) *api.WriteOptions { return new(api.WriteOptions).WithContext(ctx) }
