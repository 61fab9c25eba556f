package coord

import (
	"context"
	"maps"
	"slices"
	"time"
)

// A Loss is a peer that fell silent without a shutdown notice.
type Loss struct {
	// Work is what the peer worked on by its last heartbeat.
	Work
	// InstanceID names the peer.
	InstanceID string
	// LastHeardAt is when its last sign of life was received, by this instance's
	// clock.
	LastHeardAt time.Time
	// Silence is the time since then.
	Silence time.Duration
	// WasLeader says that the peer held the leadership by its last heartbeat.
	WasLeader bool
}

// OnPeerTimeout registers f to be called with the id of every silent peer, at
// every check for as long as it is silent and on record. Calls are made in the
// order of registration and under no lock. The returned function removes f. See
// [Coordinator.OnPeerLost] to be told once.
func (c *Coordinator[H, S, A]) OnPeerTimeout(f func(ctx context.Context, instanceID string) error) (remove func()) {
	return c.timeouts.Add(f)
}

// OnPeerLost registers f to be called once for each loss, by the first check that
// finds it. A peer that is heard again, or is removed, can be lost again. A
// function that is registered later is not told of earlier losses. Calls are made
// in the order of registration and under no lock. The returned function removes f.
func (c *Coordinator[H, S, A]) OnPeerLost(f func(ctx context.Context, loss Loss) error) (remove func()) {
	return c.losses.Add(f)
}

// CheckPeerTimeouts looks for peers whose last heartbeat is older than the
// heartbeat timeout, calls the timeout callbacks with each, and the loss callbacks
// with each that is newly lost. Peers that announced their leaving are not looked
// at. It returns the ids of all silent peers, sorted: a peer is reported at every
// check until it comes back or is removed.
//
// The application calls it on an interval, best that of its heartbeats. It also
// warns, once each time, when this coordinator itself gets no messages.
func (c *Coordinator[H, S, A]) CheckPeerTimeouts(ctx context.Context) []string {
	c.warnIfStarved(ctx)
	c.tellFleetVersion(ctx)
	silent, lost := c.findSilent()
	for _, id := range silent {
		c.timeouts.Call(ctx, id, c.log, "peer timeout", "peer", id)
		if loss, ok := lost[id]; ok {
			c.losses.Call(ctx, loss, c.log, "peer lost", "peer", id)
		}
	}
	return silent
}

// findSilent returns the ids of the silent peers and those losses among them that
// have not been told. It takes them as told.
func (c *Coordinator[H, S, A]) findSilent() (silent []string, lost map[string]Loss) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	lost = make(map[string]Loss)
	for _, id := range slices.Sorted(maps.Keys(c.peers)) {
		r := c.peers[id]
		if r.status(now, c.config.HeartbeatTimeout) != StatusStale {
			continue
		}
		silent = append(silent, id)
		if !r.lossTold {
			r.lossTold = true
			lost[id] = r.loss(id, now)
		}
	}
	return silent, lost
}

func (r *record[H, S]) loss(id string, now time.Time) Loss {
	work := r.beat.Work
	work.Subscriptions = r.subscriptions()
	return Loss{
		Work:        work,
		InstanceID:  id,
		LastHeardAt: r.receivedAt,
		Silence:     now.Sub(r.receivedAt),
		WasLeader:   r.beat.IsLeader,
	}
}
