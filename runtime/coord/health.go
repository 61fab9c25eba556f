package coord

import (
	"context"
	"time"
)

// Health is the state of a coordinator at one moment, for a status page or a
// readiness probe.
type Health struct {
	// StartedAt is when the coordinator was made.
	StartedAt time.Time
	// LastFedAt is when it was last handed a message, this instance's own and
	// those for others included. Zero means never.
	LastFedAt time.Time
	// LastEchoAt is when a message of this instance last came back to it, which
	// shows that it can publish and receive. Zero means never.
	LastEchoAt time.Time
	// Starved says that no message was handed to it for longer than the heartbeat
	// timeout: this instance is cut off, or nothing feeds it. Peers that are stale
	// may then be well.
	Starved bool
	// Peers counts the peers on record by their status.
	Peers map[Status]int
	// FleetVersion is what the schema versions of the fleet are.
	FleetVersion FleetVersion
	// IsLeader says whether this instance leads.
	IsLeader bool
	// ShuttingDown says whether this instance has made a shutdown notice.
	ShuttingDown bool
}

// Health returns the state of this coordinator.
func (c *Coordinator[H, S, A]) Health() Health {
	h := Health{
		StartedAt:    c.startedAt,
		Peers:        c.countStatuses(),
		FleetVersion: c.FleetVersion(),
		IsLeader:     c.IsLeader(),
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	h.LastFedAt, h.LastEchoAt = c.fedAt, c.echoedAt
	h.Starved = c.starved(time.Now())
	h.ShuttingDown = c.notice != nil
	return h
}

// starved says whether nothing was heard for too long. It needs the lock.
func (c *Coordinator[H, S, A]) starved(now time.Time) bool {
	return c.silence(now) > c.config.HeartbeatTimeout
}

// silence returns for how long nothing was heard. It needs the lock.
func (c *Coordinator[H, S, A]) silence(now time.Time) time.Duration {
	if c.fedAt.IsZero() {
		return now.Sub(c.startedAt)
	}
	return now.Sub(c.fedAt)
}

// warnIfStarved logs that nothing was heard for too long, once until something is.
func (c *Coordinator[H, S, A]) warnIfStarved(ctx context.Context) {
	if silence, tell := c.tellStarvation(); tell {
		c.log.WarnContext(ctx, "no coordination message arrives, not even this instance's own heartbeats: "+
			"check that the coordinator is bound to the bus and that heartbeats are published",
			"silence", silence, "heartbeat_timeout", c.config.HeartbeatTimeout)
	}
}

func (c *Coordinator[H, S, A]) tellStarvation() (silence time.Duration, tell bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	tell = c.starved(now) && !c.starvationTold
	c.starvationTold = c.starvationTold || tell
	return c.silence(now), tell
}
