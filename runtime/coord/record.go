package coord

import (
	"cmp"
	"slices"
	"time"
)

// A record is what is known of one peer. The rules of time in the package comment
// are kept here. Times that end in At are readings of this instance's clock and
// keep their monotonic part; SentAt of beat, outlived and announced are readings of
// the sender's.
type record[H, S any] struct {
	life       int64 // the newest incarnation known, 0: none
	heartbeat  *H    // nil: none yet
	beat       Heartbeat
	receivedAt time.Time     // of the last sign of life
	offset     time.Duration // this clock minus the sender's
	heardAt    time.Time     // when anything of it was recorded last
	lossTold   bool
	leave[S]
}

// A leave is the last notice, and what is known of it since.
type leave[S any] struct {
	notice    *S       // nil: not leaving
	givenUp   []string // its subscriptions
	of        int64    // the incarnation that it names, 0: none
	endsAt    time.Time
	outlived  time.Time // a heartbeat sent later than this proves the sender is back
	announced time.Time // InitiatedAt of the newest notice, be it forgotten since
	rewound   bool      // the sender's clock was set back after that notice
}

// takeHeartbeat records m, which says b, or returns the reason to drop it.
func (r *record[H, S]) takeHeartbeat(m *H, b Heartbeat, now time.Time, timeout time.Duration) (dropped string) {
	order := b.SentAt.Compare(r.beat.SentAt)
	life := r.compareLife(b.Incarnation)
	switch {
	case life < 0 && !r.stale(now, timeout):
		return "sent by an earlier life of the peer"
	case life == 0 && r.heartbeat != nil && order < 0 && !r.stale(now, timeout):
		return "sent before the heartbeat on record"
	case life < 0 || r.heartbeat != nil && order < 0:
		r.rewind(b.SentAt, now, timeout)
	}
	if life != 0 {
		r.begin(b.Incarnation)
	}
	if r.heartbeat == nil || order != 0 {
		r.measureOffset(now.Sub(b.SentAt), timeout)
		r.receivedAt = now
		r.lossTold = false
	}
	r.heardAt = now
	b.Subscriptions = slices.Clone(b.Subscriptions)
	r.heartbeat, r.beat = shallow(m), b
	r.live(b.Incarnation)
	if r.notice != nil && b.SentAt.After(r.outlived) {
		r.notice = nil
	}
	return ""
}

// compareLife says whether an incarnation is that on record (0), or of an earlier (-1)
// or a later life (+1). Where either is not known, it is taken to be the same.
func (r *record[H, S]) compareLife(incarnation int64) int {
	if incarnation == 0 || r.life == 0 {
		return 0
	}
	return cmp.Compare(incarnation, r.life)
}

// live puts the incarnation of a message that was taken on record.
func (r *record[H, S]) live(incarnation int64) {
	if incarnation != 0 {
		r.life = incarnation
	}
}

// begin forgets what was heard of another life of the peer. Its notice goes too if it
// names an earlier one.
func (r *record[H, S]) begin(incarnation int64) {
	kept := r.leave
	if kept.of != 0 && kept.of < incarnation {
		kept = leave[S]{}
	}
	*r = record[H, S]{leave: kept}
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
	life := r.compareLife(n.Incarnation)
	switch {
	case n.InitiatedAt.Equal(r.announced) && n.Incarnation == r.of:
		return "delivered before"
	case life < 0:
		return "sent by an earlier life of the peer"
	case life > 0:
		*r = record[H, S]{} // nothing that is known holds for the new life
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
	r.of = n.Incarnation
	r.live(n.Incarnation)
	r.endsAt = now.Add(deadline.Sub(now)) // on the monotonic clock
	r.outlived = outlived
	r.announced, r.rewound = n.InitiatedAt, false
	r.heardAt = now
	return ""
}

// stale says whether the last heartbeat is older than the timeout, or, without one,
// all that was heard.
func (r *record[H, S]) stale(now time.Time, timeout time.Duration) bool {
	last := r.receivedAt
	if r.heartbeat == nil {
		last = r.heardAt
	}
	return now.Sub(last) > timeout
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
