// From coordgen v0.1.0, elector/postgres/elector.go 9a048fee643e. This file is yours.

// Package postgres elects a leader among the instances of a program by a row in
// PostgreSQL and an advisory lock.
package postgres

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/coordgen/coordgen/runtime/elector"
)

// Schema makes the table of all elections. It belongs into your migrations.
const Schema = `CREATE TABLE IF NOT EXISTS coordgen_elections (
	election text        PRIMARY KEY,
	holder   text        NOT NULL, -- the identity of the leader
	session  text        NOT NULL, -- names one elector, '' when the leadership was released
	term     bigint      NOT NULL, -- of the last leadership; it never goes back
	until    timestamptz NOT NULL  -- when it lapses, by this server's clock
)`

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance, and no other one. Required.
	Identity string
	// Election is what all instances that contend for one leadership call it.
	// Required.
	Election string

	// TTL is how long PostgreSQL keeps the leadership for an instance that does
	// not renew. It defaults to 15 seconds, and is at least one.
	TTL time.Duration
	// Margin is how much earlier the instance gives it up, for clocks that do not
	// run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over PostgreSQL. The leader is whom the
// election's row names until a time of the server's clock; it also holds an
// advisory lock on a connection of its own, which the server ends when nothing was
// heard on it for as long as the TTL. The term is counted in the row.
type Elector struct {
	lease   *elector.Lease
	pool    *pgxpool.Pool
	conn    *pgx.Conn // of the leader; calls of the lease are made one at a time
	config  Config
	session string
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector. It takes a connection out of the pool for as long as this
// instance leads, and does not close the pool.
func New(pool *pgxpool.Pool, config Config) (*Elector, error) {
	config.TTL = cmp.Or(config.TTL, 15*time.Second)
	switch {
	case config.Election == "":
		return nil, errors.New("elector: the election has no name; set Config.Election")
	case config.TTL < time.Second:
		return nil, fmt.Errorf("elector: the lease is %v; set at least a second", config.TTL)
	}
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: config.TTL, Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	// An instance that was started anew under its old name is another one.
	return &Elector{lease: lease, pool: pool, config: config, session: rand.Text()}, nil
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
	return e.lease.Ask(ctx, func(ctx context.Context) (holder string, err error) {
		err = e.pool.QueryRow(ctx, `SELECT holder FROM coordgen_elections
			WHERE election = $1 AND session <> '' AND until > clock_timestamp()`, e.config.Election).Scan(&holder)
		if errors.Is(err, pgx.ErrNoRows) {
			return "", nil
		}
		return holder, err
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it. When its connection is
// lost, that is an error which wraps [elector.ErrLost], and the leadership is over.
func (e *Elector) Renew(ctx context.Context) (bool, error) { return e.lease.Renew(ctx, e.extend) }

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks that are running, as long as ctx or
// [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error { return e.lease.Close(ctx, e.give) }
