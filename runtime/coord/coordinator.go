package coord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/callback"
)

// ErrTooManyPeers is wrapped by the error of a message from a new peer when
// [Config].MaxPeers are on record and none of them is gone. Those that are known
// go on being heard.
var ErrTooManyPeers = errors.New("coord: too many peers")

// A Coordinator tracks the peers of one instance. H is the heartbeat message, S
// the shutdown notice and A the work assignment of the user's schema. Make one
// with [New].
type Coordinator[H, S, A any] struct {
	config Config // defaults filled in
	roles  Roles[H, S, A]
	log    *slog.Logger

	heartbeats  callback.List[*H]
	shutdowns   callback.List[*S]
	assignments callback.List[*A]
	timeouts    callback.List[string]
	losses      callback.List[Loss]
	versions    callback.List[FleetVersion]

	startedAt time.Time

	mu             sync.Mutex // not held while foreign code runs: callbacks, elector, logger
	peers          map[string]*record[H, S]
	notice         *S // this instance's own
	fedAt          time.Time
	listensSince   time.Time // the first message after the start, or after a starvation
	echoedAt       time.Time
	starvationTold bool
	fullAt         time.Time // when a peer was last refused or forgotten that counts for the fleet's version
	pinned         int
	toldVersion    FleetVersion
	telling        bool // of toldVersion
	terms          terms

	fleet atomic.Pointer[fleetState] // nil: to be found anew
}

// New returns the coordinator of the instance that c describes. It knows no peer
// yet.
func New[H, S, A any](c Config, roles Roles[H, S, A]) (*Coordinator[H, S, A], error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := roles.validate(); err != nil {
		return nil, err
	}
	made := &Coordinator[H, S, A]{
		config:    c,
		roles:     roles,
		log:       c.Logger.With("instance_id", c.InstanceID),
		startedAt: time.Now(),
		peers:     make(map[string]*record[H, S]),
	}
	made.toldVersion = made.FleetVersion()
	return made, nil
}

// InstanceID returns the name of this instance.
func (c *Coordinator[H, S, A]) InstanceID() string { return c.config.InstanceID }

// fed takes note that a usable message arrived, and whether it is one of this
// instance's own that came back.
func (c *Coordinator[H, S, A]) fed(echo bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.fedAt.IsZero() || c.starved(now) {
		c.listensSince = now
		c.fleet.Store(nil)
	}
	c.fedAt = now
	c.starvationTold = false
	if echo {
		c.echoedAt = c.fedAt
	}
}

// peer returns the record of a peer, a new one if there is room. It needs the lock.
func (c *Coordinator[H, S, A]) peer(id string) (*record[H, S], error) {
	if r, ok := c.peers[id]; ok {
		return r, nil
	}
	if len(c.peers) >= c.config.MaxPeers && !c.forgetGone() {
		c.missAPeer(time.Now())
		return nil, fmt.Errorf("%w: %q is refused because %d are on record and none is gone; raise Config.MaxPeers",
			ErrTooManyPeers, id, len(c.peers))
	}
	r := &record[H, S]{}
	c.peers[id] = r
	return r, nil
}

// forgetGone makes room by dropping the peer that has been gone the longest, and
// says whether there was one. It needs the lock.
func (c *Coordinator[H, S, A]) forgetGone() bool {
	now := time.Now()
	var longest time.Duration
	var gone string
	for id, r := range c.peers {
		if d := r.goneFor(now, c.config.HeartbeatTimeout); d > longest {
			longest, gone = d, id
		}
	}
	if gone == "" {
		return false
	}
	if c.peers[gone].member(now, c.config.HeartbeatTimeout).counts {
		c.missAPeer(now)
	}
	delete(c.peers, gone)
	return true
}

// incarnation is which life of the instance this one is.
func (c *Coordinator[H, S, A]) incarnation() int64 { return max(c.startedAt.UnixMicro(), 1) }

// timestamp returns the time as messages carry it: in UTC and whole microseconds,
// the finest that every implementation of the protocol reads.
func timestamp() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }

// debugDropped logs that a message was dropped, and why.
func (c *Coordinator[H, S, A]) debugDropped(ctx context.Context, event, reason, peer string) {
	c.log.DebugContext(ctx, "message dropped", "event", event, "reason", reason, "peer", peer)
}

// shallow returns a copy of *v, so that neither side sees the other assign a field.
func shallow[T any](v *T) *T {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}
