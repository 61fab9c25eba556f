package coord

import (
	"context"
	"errors"
	"maps"
	"time"
)

// HandlePeerShutdown takes a shutdown notice that arrived. The sender is recorded
// as leaving first, then the shutdown callbacks run. One of this instance's own,
// one that was delivered again, or one that its sender has outlived, has no
// effect and runs no callback.
//
// The error says that the message can't be used, or is [ErrTooManyPeers]. What
// callbacks return is logged.
//
// The coordinator keeps a copy of *m that shares what *m points to, but for the
// subscriptions.
func (c *Coordinator[H, S, A]) HandlePeerShutdown(ctx context.Context, m *S) error {
	if m == nil {
		return errors.New("coord: shutdown notice is nil")
	}
	notice := c.roles.ReadShutdown(m).known()
	if err := notice.validate(); err != nil {
		return err
	}
	own := notice.InstanceID == c.config.InstanceID
	c.fed(own)
	if own {
		c.tellFleetVersion(ctx)
		return nil
	}
	dropped, err := c.recordShutdown(m, notice)
	c.tellFleetVersion(ctx)
	if err != nil {
		return err
	}
	if dropped != "" {
		c.debugDropped(ctx, "peer shutdown", dropped, notice.InstanceID)
		return nil
	}
	c.shutdowns.Call(ctx, m, c.log, "peer shutdown", "peer", notice.InstanceID)
	return nil
}

func (c *Coordinator[H, S, A]) recordShutdown(m *S, notice Shutdown) (dropped string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r, err := c.peer(notice.InstanceID)
	if err != nil {
		return "", err
	}
	now := time.Now()
	defer c.watchVersion(r, now)()
	return r.takeNotice(m, notice, now, c.config.HeartbeatTimeout), nil
}

// OnPeerShutdown registers f to be called with each shutdown notice of a peer, in
// the order of registration and under no lock. The returned function removes f.
func (c *Coordinator[H, S, A]) OnPeerShutdown(f func(ctx context.Context, m *S) error) (remove func()) {
	return c.shutdowns.Add(f)
}

// Leaving is what an instance says about the work that it leaves behind.
type Leaving struct {
	// Subscriptions are the ones that it gives up.
	Subscriptions []string
	// InFlightCount is the number of items that it still has to finish.
	InFlightCount int64
	// DrainWindow is how long it will take. Zero or less means the Config's.
	DrainWindow time.Duration
	// Metadata is what the provider knows, such as a termination time. Nil is
	// sent as an empty map.
	Metadata map[string]any
}

// CreateShutdownNotice makes the notice that this instance should publish once
// when it begins to leave, marks it as shutting down, and keeps a copy of the
// notice; a second call makes a new one. The intent is the wire's name for why.
//
// Publish no heartbeat after the notice's deadline: peers would take it as the
// sign that this instance is back.
func (c *Coordinator[H, S, A]) CreateShutdownNotice(intent string, l Leaving) *S {
	window := l.DrainWindow
	if window <= 0 {
		window = c.config.DrainWindow
	}
	metadata := maps.Clone(l.Metadata)
	if metadata == nil {
		metadata = map[string]any{}
	}
	initiatedAt := timestamp()
	notice := c.roles.NewShutdown(Shutdown{
		InstanceID:    c.config.InstanceID,
		Intent:        intent,
		InitiatedAt:   initiatedAt,
		Deadline:      initiatedAt.Add(window).Truncate(time.Microsecond),
		Subscriptions: ownStrings(l.Subscriptions),
		InFlightCount: l.InFlightCount,
		Metadata:      metadata,
		Incarnation:   c.incarnation(),
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notice = shallow(notice)
	return notice
}

// ShuttingDown says whether this instance has made a shutdown notice.
func (c *Coordinator[H, S, A]) ShuttingDown() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.notice != nil
}

// ShutdownNotice returns a copy of this instance's last shutdown notice as it was
// created, or nil if there is none. What the notice points to is shared.
func (c *Coordinator[H, S, A]) ShutdownNotice() *S {
	c.mu.Lock()
	defer c.mu.Unlock()
	return shallow(c.notice)
}
