package coord

import (
	"context"
	"errors"
	"time"
)

// HandleHeartbeat takes a heartbeat that arrived. The sender is recorded first,
// then the heartbeat callbacks run, also when the sender is leaving. One of this
// instance's own, or one that arrived late, has no effect and runs no callback.
//
// The error says that the message can't be used, or is [ErrTooManyPeers]. What
// callbacks return is logged.
//
// The coordinator keeps a copy of *m that shares what *m points to, but for the
// subscriptions.
func (c *Coordinator[H, S, A]) HandleHeartbeat(ctx context.Context, m *H) error {
	if m == nil {
		return errors.New("coord: heartbeat is nil")
	}
	beat := c.roles.ReadHeartbeat(m).known()
	if err := beat.validate(); err != nil {
		return err
	}
	own := beat.InstanceID == c.config.InstanceID
	c.fed(own)
	if beat.IsLeader {
		c.noteTerm(beat.Term, beat.InstanceID)
	}
	if own {
		c.tellFleetVersion(ctx)
		return nil
	}
	dropped, err := c.recordHeartbeat(m, beat)
	c.tellFleetVersion(ctx)
	if err != nil {
		return err
	}
	if dropped != "" {
		c.debugDropped(ctx, "heartbeat", dropped, beat.InstanceID)
		return nil
	}
	c.heartbeats.Call(ctx, m, c.log, "heartbeat", "peer", beat.InstanceID)
	return nil
}

func (c *Coordinator[H, S, A]) recordHeartbeat(m *H, beat Heartbeat) (dropped string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.peer(beat.InstanceID)
	if err != nil {
		return "", err
	}
	now := time.Now()
	defer c.watchVersion(r, now)()
	return r.takeHeartbeat(m, beat, now, c.config.HeartbeatTimeout), nil
}

// OnHeartbeat registers f to be called with each heartbeat of a peer, in the
// order of registration and under no lock. The returned function removes f.
func (c *Coordinator[H, S, A]) OnHeartbeat(f func(ctx context.Context, m *H) error) (remove func()) {
	return c.heartbeats.Add(f)
}

// CreateHeartbeat makes the heartbeat that this instance should publish now. It
// asks the elector whether this instance leads, and in which term if it is an
// elector.Fenced; from that one's term alone it takes both.
func (c *Coordinator[H, S, A]) CreateHeartbeat(w Work) *H {
	w.Subscriptions = ownStrings(w.Subscriptions)
	leads, term := c.leadership()
	return c.roles.NewHeartbeat(Heartbeat{
		Work:          w,
		InstanceID:    c.config.InstanceID,
		SentAt:        timestamp(),
		IsLeader:      leads,
		SchemaVersion: c.config.SchemaVersion,
		Incarnation:   c.incarnation(),
		Term:          term,
	})
}

// HeartbeatInterval returns how often this instance should publish a heartbeat:
// three times within the heartbeat timeout, so that two may be lost.
func (c *Coordinator[H, S, A]) HeartbeatInterval() time.Duration {
	return c.config.HeartbeatTimeout / 3
}

// ownStrings returns a copy of s that is never nil.
func ownStrings(s []string) []string { return append(make([]string, 0, len(s)), s...) }
