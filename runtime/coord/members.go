package coord

import (
	"fmt"
	"time"
)

// A member is what a peer is for the fleet's version.
type member struct {
	counts  bool
	sure    bool // it is there, with that version
	version int
	endsAt  time.Time // if it leaves
}

// member returns what the peer is for the fleet's version at present.
func (r *record[H, S]) member(now time.Time, timeout time.Duration) member {
	m := member{counts: true, version: max(r.beat.SchemaVersion, 1)}
	switch r.status(now, timeout) {
	case StatusTerminated, StatusUnknown:
		return member{}
	case StatusDraining:
		m.sure, m.endsAt = r.heartbeat != nil, r.endsAt
	case StatusStale:
		if now.Sub(r.receivedAt) > silentTimeouts*timeout {
			return member{}
		}
	case StatusHealthy:
		m.sure = true
	}
	return m
}

// surelyUntil returns from when on a peer that is surely there may not be, if it says
// nothing until then.
func (r *record[H, S]) surelyUntil(timeout time.Duration) time.Time {
	if r.notice != nil {
		return r.endsAt
	}
	return r.receivedAt.Add(timeout).Add(1)
}

// countsUntil returns from when on a peer that counts may not, if it says nothing until
// then.
func (r *record[H, S]) countsUntil(timeout time.Duration) time.Time {
	if r.notice != nil {
		return r.endsAt
	}
	return r.receivedAt.Add(silentTimeouts * timeout).Add(1)
}

// watchVersion returns the function that is to be called when the record was changed:
// it sees to it that the fleet's version is found anew if it may be another. Both need
// the lock.
func (c *Coordinator[H, S, A]) watchVersion(r *record[H, S], now time.Time) (changed func()) {
	before := r.member(now, c.config.HeartbeatTimeout)
	return func() {
		after := r.member(now, c.config.HeartbeatTimeout)
		if s := c.fleet.Load(); s != nil && s.changes(before, after) {
			c.fleet.Store(nil)
		}
	}
}

// changes says whether the state may be another when a peer that was one member is
// another. Most heartbeats change nothing, also when many peers come at once.
func (s *fleetState) changes(before, after member) bool {
	if before == after {
		return false
	}
	if !before.endsAt.Equal(after.endsAt) {
		return true // it may go sooner
	}
	same := before.counts && after.counts && before.version == after.version
	switch {
	case before.counts && before.version != s.own &&
		(before.sure && before.version == s.sure || !before.sure && before.version <= s.doubted || before.version == s.Highest && !same):
		return true // it may have been the one by which the state is so
	case after.counts:
		return after.version > s.Highest || after.version < s.sure
	}
	return false
}

// missAPeer takes note that a peer may be there that is not on record. It needs the lock.
func (c *Coordinator[H, S, A]) missAPeer(now time.Time) {
	c.fullAt = now
	c.fleet.Store(nil)
}

// fleetVersion returns what the schema versions of the fleet are, as it was found last
// if that holds still. It needs the lock.
func (c *Coordinator[H, S, A]) fleetVersion(now time.Time) FleetVersion {
	if s := c.fleet.Load(); s != nil && now.Before(s.until) {
		return s.FleetVersion
	}
	s := c.findFleetVersion(now)
	c.fleet.Store(s)
	return s.FleetVersion
}

// findFleetVersion looks at all peers. It needs the lock.
func (c *Coordinator[H, S, A]) findFleetVersion(now time.Time) *fleetState {
	timeout, own := c.config.HeartbeatTimeout, c.config.SchemaVersion
	s := &fleetState{own: own, sure: own, doubted: own}
	s.Highest = own
	why, until := c.unheard(now)
	var doubtful string
	var sureUntil, doubtedUntil, highestUntil time.Time
	for id, r := range c.peers {
		m := r.member(now, timeout)
		if !m.counts {
			continue
		}
		counts := r.countsUntil(timeout)
		switch {
		case m.sure && m.version < s.sure:
			s.sure, sureUntil = m.version, r.surelyUntil(timeout)
		case m.sure && m.version == s.sure:
			sureUntil = later(sureUntil, r.surelyUntil(timeout))
		case !m.sure && (m.version < s.doubted || m.version == s.doubted && id < doubtful):
			s.doubted, doubtful, doubtedUntil = m.version, id, counts
		}
		switch {
		case m.version > s.Highest:
			s.Highest, highestUntil = m.version, counts
		case m.version == s.Highest:
			highestUntil = later(highestUntil, counts)
		}
	}
	s.Lowest = s.sure
	switch {
	case why != "" && s.sure > 1:
		s.Lowest, s.Uncertain = 1, why
	case s.doubted < s.sure:
		s.Lowest, s.Uncertain = s.doubted, fmt.Sprintf("%q is silent, or leaves and was never heard, and may run version %d", doubtful, s.doubted)
		until = earlier(until, doubtedUntil)
	}
	if s.sure < own {
		until = earlier(until, sureUntil)
	}
	if s.Highest > own {
		until = earlier(until, highestUntil)
	}
	s.until = until
	s.Writing, s.Pinned = s.Lowest, c.pinned != 0
	if s.Pinned {
		s.Writing = c.pinned
	}
	return s
}

// unheard says why there may be an instance of version 1 of which nothing was heard,
// and from when on the answer may be another although no message arrives. It needs the
// lock.
func (c *Coordinator[H, S, A]) unheard(now time.Time) (why string, until time.Time) {
	timeout := c.config.HeartbeatTimeout
	starves := now.Add(timeout - c.silence(now)).Add(1)
	switch {
	case c.starved(now):
		return "no coordination message arrives", now.Add(timeout) // until one does
	case c.fedAt.IsZero():
		return "no coordination message has arrived yet", starves
	case now.Sub(c.listensSince) < timeout:
		return "messages have arrived for less than one heartbeat timeout", c.listensSince.Add(timeout)
	case !c.fullAt.IsZero() && now.Sub(c.fullAt) <= silentTimeouts*timeout:
		return "there are more peers than Config.MaxPeers", earlier(starves, c.fullAt.Add(silentTimeouts*timeout).Add(1))
	}
	return "", starves
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
