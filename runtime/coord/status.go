package coord

import "time"

// A Status is what this instance makes of a peer.
type Status string

// The statuses of a peer. The first that applies is its status.
const (
	// StatusTerminated is a peer whose drain window is over.
	StatusTerminated Status = "terminated"
	// StatusDraining is a peer that announced that it leaves, and is not done yet.
	StatusDraining Status = "draining"
	// StatusUnknown is a peer that has sent no heartbeat.
	StatusUnknown Status = "unknown"
	// StatusStale is a peer whose last heartbeat is older than the heartbeat timeout.
	StatusStale Status = "stale"
	// StatusHealthy is a peer that was heard within the heartbeat timeout.
	StatusHealthy Status = "healthy"
)

// orphans says whether a peer of this status leaves its work to others.
func (s Status) orphans() bool {
	return s == StatusDraining || s == StatusTerminated || s == StatusStale
}

func (r *record[H, S]) status(now time.Time, timeout time.Duration) Status {
	switch {
	case r.notice != nil && r.remaining(now) == 0:
		return StatusTerminated
	case r.notice != nil:
		return StatusDraining
	case r.heartbeat == nil:
		return StatusUnknown
	case r.stale(now, timeout):
		return StatusStale
	default:
		return StatusHealthy
	}
}
