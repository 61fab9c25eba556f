package coord

import (
	"maps"
	"slices"
	"time"
)

// A Peer is what was known of another instance when it was asked for. It is a
// copy; only what the messages point to is shared, and must not be changed.
type Peer[H, S any] struct {
	// InstanceID names the peer.
	InstanceID string
	// Status is what this instance makes of the peer.
	Status Status
	// Subscriptions are those of its shutdown notice if there is one, else those
	// of its last heartbeat.
	Subscriptions []string

	// LastHeartbeat is the newest one, nil if none was received.
	LastHeartbeat *H
	// ReceivedAt is when a heartbeat was last a sign of life, by this instance's
	// clock. The peer's age is time.Since(ReceivedAt).
	ReceivedAt time.Time
	// ClockOffset is how far this instance's clock is ahead of the peer's, by its
	// heartbeats. It includes the time of the fastest delivery.
	ClockOffset time.Duration

	// Incarnation is which life of the peer is on record, 0 if it never said.
	Incarnation int64
	// SchemaVersion is that of its last heartbeat, 1 if that did not say it. It is 0
	// for a peer of which only a notice was heard.
	SchemaVersion int
	// Term is the number of the leadership that it had by its last heartbeat, 0 if it
	// did not lead or did not say it.
	Term uint64

	// Shutdown is the notice that the peer is leaving, nil if it is not.
	Shutdown *S
	// TimeRemaining is what is left of its drain window, never less than 0.
	TimeRemaining time.Duration
}

// Peers returns all peers on record, sorted by instance id.
func (c *Coordinator[H, S, A]) Peers() []Peer[H, S] {
	return c.peersThat(func(Status) bool { return true })
}

// DrainingPeers returns the peers that are draining, sorted by instance id.
func (c *Coordinator[H, S, A]) DrainingPeers() []Peer[H, S] {
	return c.peersThat(func(s Status) bool { return s == StatusDraining })
}

// Peer returns one peer and whether it is on record. One that is not has
// [StatusUnknown].
func (c *Coordinator[H, S, A]) Peer(id string) (Peer[H, S], bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, ok := c.peers[id]
	if !ok {
		return Peer[H, S]{InstanceID: id, Status: StatusUnknown}, false
	}
	now := time.Now()
	return r.view(id, r.status(now, c.config.HeartbeatTimeout), now), true
}

// HealthyPeerCount returns the number of peers that are healthy. This instance is
// not among them.
func (c *Coordinator[H, S, A]) HealthyPeerCount() int {
	return c.countStatuses()[StatusHealthy]
}

// OrphanedSubscriptions returns, by instance id, the subscriptions of the peers
// that are draining, terminated or stale and have any. What becomes of them is
// the application's decision.
func (c *Coordinator[H, S, A]) OrphanedSubscriptions() map[string][]string {
	orphaned := make(map[string][]string)
	for _, p := range c.peersThat(Status.orphans) {
		if len(p.Subscriptions) > 0 {
			orphaned[p.InstanceID] = p.Subscriptions
		}
	}
	return orphaned
}

// RemovePeer forgets a peer and says whether it was on record. If it is heard
// again it is a new peer.
func (c *Coordinator[H, S, A]) RemovePeer(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.peers[id]
	delete(c.peers, id)
	c.fleet.Store(nil)
	return ok
}

// peersThat returns the peers whose status matches, all seen at one moment.
func (c *Coordinator[H, S, A]) peersThat(match func(Status) bool) []Peer[H, S] {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	var peers []Peer[H, S]
	for _, id := range slices.Sorted(maps.Keys(c.peers)) {
		r := c.peers[id]
		if s := r.status(now, c.config.HeartbeatTimeout); match(s) {
			peers = append(peers, r.view(id, s, now))
		}
	}
	return peers
}

// countStatuses returns the number of peers of each status that occurs.
func (c *Coordinator[H, S, A]) countStatuses() map[Status]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	counts := make(map[Status]int)
	for _, r := range c.peers {
		counts[r.status(now, c.config.HeartbeatTimeout)]++
	}
	return counts
}

func (r *record[H, S]) view(id string, s Status, now time.Time) Peer[H, S] {
	p := Peer[H, S]{
		InstanceID:    id,
		Status:        s,
		Subscriptions: r.subscriptions(),
		LastHeartbeat: shallow(r.heartbeat),
		ReceivedAt:    r.receivedAt,
		ClockOffset:   r.offset,
		Incarnation:   r.life,
		SchemaVersion: r.beat.SchemaVersion,
		Term:          r.beat.Term,
		Shutdown:      shallow(r.notice),
	}
	if r.notice != nil {
		p.TimeRemaining = r.remaining(now)
	}
	return p
}
