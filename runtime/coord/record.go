package coord

import (
	"slices"
	"time"
)

// A record is what is known of one peer. The rules of time in the package comment
// are kept here. Times that end in At are readings of this instance's clock and
// keep their monotonic part; SentAt of beat, outlived and announced are readings of
// the sender's.
type record[H, S any] struct {
	heartbeat  *H // nil: none yet
	beat       Heartbeat
	receivedAt time.Time     // of the last sign of life
	offset     time.Duration // this clock minus the sender's
	heardAt    time.Time     // when anything of it was recorded last
	lossTold   bool

	notice    *S       // nil: not leaving
	givenUp   []string // its subscriptions
	endsAt    time.Time
	outlived  time.Time // a heartbeat sent later than this proves the sender is back
	announced time.Time // InitiatedAt of the newest notice, be it forgotten since
	rewound   bool      // the sender's clock was set back after that notice
}

// takeHeartbeat records m, which says b, or returns the reason to drop it.
func (r *record[H, S]) takeHeartbeat(m *H, b Heartbeat, now time.Time, timeout time.Duration) (dropped string) {
	order := b.SentAt.Compare(r.beat.SentAt)
	if r.heartbeat != nil && order < 0 {
		if !r.stale(now, timeout) {
			return "sent before the heartbeat on record"
		}
		r.rewind(b.SentAt, now, timeout)
	}
	if r.heartbeat == nil || order != 0 {
		r.measureOffset(now.Sub(b.SentAt), timeout)
		r.receivedAt = now
		r.lossTold = false
	}
	r.heardAt = now
	b.Subscriptions = slices.Clone(b.Subscriptions)
	r.heartbeat, r.beat = shallow(m), b
	if r.notice != nil && b.SentAt.After(r.outlived) {
		r.notice = nil
	}
	return ""
}

// rewind tells the record that the sender's clock was set back and reads sentAt
// now. The end of a notice has to be found anew on that clock. One timeout more
// than what remains is asked for, so that a few old heartbeats that a bus delivers
// again don't bring back a peer that left.
func (r *record[H, S]) rewind(sentAt, now time.Time, timeout time.Duration) {
	r.rewound = true
	if r.notice != nil {
		r.outlived = sentAt.Add(r.remaining(now)).Add(timeout)
	}
}

// measureOffset keeps the smallest offset, that of the fastest delivery. One that
// is far greater shows that either clock was set, and starts afresh.
func (r *record[H, S]) measureOffset(offset, timeout time.Duration) {
	if r.heartbeat == nil || offset < r.offset || offset-timeout > r.offset {
		r.offset = offset
	}
}

// takeNotice records m, which says n, or returns the reason to drop it.
func (r *record[H, S]) takeNotice(m *S, n Shutdown, now time.Time, timeout time.Duration) (dropped string) {
	outlived := n.Deadline
	if n.InitiatedAt.After(outlived) {
		outlived = n.InitiatedAt
	}
	switch {
	case n.InitiatedAt.Equal(r.announced):
		return "delivered before"
	case n.InitiatedAt.Before(r.announced) && !r.rewound:
		return "older than the newest notice"
	case outlived.Before(r.beat.SentAt):
		return "its sender was heard after its deadline"
	}
	deadline := n.Deadline
	if r.offset > timeout || r.offset < -timeout {
		deadline = deadline.Add(r.offset)
	}
	r.notice, r.givenUp = shallow(m), slices.Clone(n.Subscriptions)
	r.endsAt = now.Add(deadline.Sub(now)) // on the monotonic clock
	r.outlived = outlived
	r.announced, r.rewound = n.InitiatedAt, false
	r.heardAt = now
	return ""
}

// stale says whether the last heartbeat is older than the timeout.
func (r *record[H, S]) stale(now time.Time, timeout time.Duration) bool {
	return now.Sub(r.receivedAt) > timeout
}

// goneFor returns how long the peer has been gone: since the end of its drain
// window, or since it has been silent for longer than the timeout. A peer that
// claims to drain for years, and says nothing, is gone too. It is 0 for one that
// is not gone.
func (r *record[H, S]) goneFor(now time.Time, timeout time.Duration) time.Duration {
	if r.status(now, timeout) == StatusTerminated {
		return now.Sub(r.endsAt)
	}
	return max(now.Sub(r.heardAt)-timeout, 0)
}

// remaining returns what is left of the drain window, never less than 0.
func (r *record[H, S]) remaining(now time.Time) time.Duration {
	return max(r.endsAt.Sub(now), 0)
}

// subscriptions returns those of the notice if there is one, else those of the
// last heartbeat.
func (r *record[H, S]) subscriptions() []string {
	if r.notice != nil {
		return slices.Clone(r.givenUp)
	}
	return slices.Clone(r.beat.Subscriptions)
}
