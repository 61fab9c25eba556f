// From coordgen v0.1.0, elector/redis/elector.go a94deb2f4dd2. This file is yours.

// Package redis elects a leader among the instances of a program by a key in
// Redis, on one server or on a majority of several.
package redis

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance, and no other one. Required.
	Identity string
	// Election is what all instances that contend for one leadership call it.
	// Required.
	Election string

	// TTL is how long Redis keeps the leadership for an instance that does not
	// renew. It defaults to 15 seconds.
	TTL time.Duration
	// Margin is how much earlier the instance gives it up, for clocks that do not
	// run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over Redis. The leader is whose name the
// election's key holds on a majority of the servers; they drop it when it was not
// renewed for as long as the TTL. The term is a counter beside that key, which
// every acquisition raises and nothing drops.
type Elector struct {
	lease   *elector.Lease
	servers []*server
	keys    []string // of the leader and of the term
	own     string   // begins what the leader's key holds while this instance leads
	held    string   // is what it holds: each attempt has another, so that a late call of an older one does no harm
	count   int      // of attempts
	ttl     time.Duration
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector over one server, or what looks like one. It uses the
// client as it is and does not close it.
func New(client redis.UniversalClient, config Config) (*Elector, error) {
	return NewQuorum([]redis.UniversalClient{client}, config)
}

// NewQuorum returns an elector over an odd number of servers that know nothing of
// one another. It goes on while a majority of them can be reached.
func NewQuorum(clients []redis.UniversalClient, config Config) (*Elector, error) {
	switch {
	case len(clients)%2 == 0:
		return nil, fmt.Errorf("elector: a quorum of %d servers; give an odd number of clients", len(clients))
	case config.Election == "":
		return nil, errors.New("elector: the election has no name; set Config.Election")
	}
	config.TTL = cmp.Or(config.TTL, 15*time.Second)
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: config.TTL, Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	// The braces keep both keys on one node of a cluster.
	prefix := "coordgen:{" + config.Election + "}:"
	e := &Elector{
		lease: lease,
		keys:  []string{prefix + "leader", prefix + "term"},
		// An instance that was started anew under its old name is another one.
		own: rand.Text(),
		ttl: config.TTL,
	}
	for _, client := range clients {
		e.servers = append(e.servers, newServer(client))
	}
	return e, nil
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

// CurrentLeader asks the servers who leads.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		p, err := e.poll(ctx, look)
		_, identity, _ := strings.Cut(p.holder, " ")
		return identity, err
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it.
func (e *Elector) Renew(ctx context.Context) (bool, error) {
	return e.lease.Renew(ctx, func(ctx context.Context) (bool, error) {
		p, err := e.poll(ctx, extend, e.held, e.ttl.Milliseconds())
		return p.holder == e.held, err
	})
}

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks and calls that are under way, as long as
// ctx or [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error {
	err := e.lease.Close(ctx, e.give)
	if ctx.Err() != nil { // as it has when a program shuts down
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, elector.DefaultTimeout)
	defer cancel()
	for _, s := range e.servers {
		select {
		case <-s.idle():
		case <-ctx.Done():
			return errors.Join(err, fmt.Errorf("elector: a call of Redis by %q is under way; set ContextTimeoutEnabled on its client: %w", e.Identity(), ctx.Err()))
		}
	}
	return err
}
