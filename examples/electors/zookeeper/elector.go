// From coordgen v0.1.0, elector/zookeeper/elector.go 869c8dc8b0f9. This file is yours.

// Package zookeeper elects a leader among the instances of a program by ephemeral
// nodes in ZooKeeper.
package zookeeper

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/coordgen/coordgen/runtime/elector"
)

// A Config says who takes part in which election.
type Config struct {
	// Identity names this instance. Required.
	Identity string
	// Path is the node below which the nodes of the candidates are, and nothing
	// else. It is made when it is missing. All instances that contend for one
	// leadership have the same. Required.
	Path string
	// ACL is that of the nodes. It defaults to everything for everybody.
	ACL []zk.ACL

	// SessionTimeout is the one that the client was made with, if the servers
	// granted it: they grant from 2 to 20 of their ticks, and the client logs
	// what it got. Required.
	SessionTimeout time.Duration
	// Margin is how much earlier than after SessionTimeout an instance that does
	// not renew gives the leadership up. It defaults to half of it. The session's
	// time is kept by ZooKeeper's leader, which hears of a client of another
	// server half a tick later, and not at all when that server is cut off.
	Margin time.Duration
	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

// An Elector is an [elector.Fenced] over ZooKeeper. The leader is whose node has
// the lowest number of the nodes below the path. They are ephemeral: ZooKeeper
// removes them when the session of their client ends. An attempt that does not win
// removes its node, so that nobody waits in line and is in the way of others, and
// nobody has to be woken.
//
// The term is the node's czxid, the number of the transaction that created it. It
// only rises, while the numbers of the nodes begin anew when the path is deleted.
type Elector struct {
	lease   *elector.Lease
	client  *zk.Conn
	config  Config
	turn    chan struct{} // holds one token, for the request that is under way
	running sync.WaitGroup
	ended   context.Context //nolint:containedctx // it is the elector's own
	end     context.CancelFunc

	attempt *attempt // the last one, until its node is gone
}

// An attempt is what there may be a node of.
type attempt struct {
	name    string // what the node's begins with
	session int64  // that of the node, once it is known
	given   chan struct{}
}

var _ elector.Fenced = (*Elector)(nil)

// New returns an elector that does not lead. It uses the client as it is and does
// not close it.
func New(client *zk.Conn, config Config) (*Elector, error) {
	if !strings.HasPrefix(config.Path, "/") || strings.HasSuffix(config.Path, "/") {
		return nil, fmt.Errorf("elector: the path is %q; set Config.Path to one like \"/my-program/leader\"", config.Path)
	}
	config.Margin = cmp.Or(config.Margin, config.SessionTimeout/2)
	if len(config.ACL) == 0 {
		config.ACL = zk.WorldACL(zk.PermAll)
	}
	lease, err := elector.NewLease(elector.LeaseConfig{
		Identity: config.Identity, TTL: config.SessionTimeout, Margin: config.Margin, Logger: config.Logger,
	})
	if err != nil {
		return nil, err
	}
	e := &Elector{lease: lease, client: client, config: config, turn: make(chan struct{}, 1)}
	e.ended, e.end = context.WithCancel(context.Background())
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

// CurrentLeader asks ZooKeeper who leads.
func (e *Elector) CurrentLeader(ctx context.Context) (string, error) {
	return e.lease.Ask(ctx, func(ctx context.Context) (string, error) {
		nodes, err := e.list(ctx)
		if err != nil || len(nodes) == 0 {
			return "", err
		}
		identity, err := await(ctx, e, func() (string, error) {
			data, _, err := e.client.Get(e.config.Path + "/" + nodes[0])
			return string(data), err
		})
		if errors.Is(err, zk.ErrNoNode) { // gone since
			return "", nil
		}
		return identity, err
	})
}

// TryAcquire makes one attempt to lead.
func (e *Elector) TryAcquire(ctx context.Context) (bool, error) { return e.lease.Acquire(ctx, e.take) }

// Renew prolongs the leadership, if this instance has it.
func (e *Elector) Renew(ctx context.Context) (bool, error) { return e.lease.Renew(ctx, e.extend) }

// Release gives the leadership up, if this instance has it.
func (e *Elector) Release(ctx context.Context) error { return e.lease.Release(ctx, e.give) }

// Close releases, and waits for callbacks and requests that are under way, as long
// as ctx or [elector.DefaultTimeout] allow. The elector can't be used any more then.
func (e *Elector) Close(ctx context.Context) error {
	err := e.lease.Close(ctx, e.give)
	e.end()
	if ctx.Err() != nil { // as it has when a program shuts down
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, elector.DefaultTimeout)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.running.Wait()
	}()
	select {
	case <-done:
		return err
	case <-ctx.Done():
		return errors.Join(err, fmt.Errorf("elector: a request of %q is under way until its client is closed: %w", e.Identity(), ctx.Err()))
	}
}
