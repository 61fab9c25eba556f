package coord_test

import (
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/coord"
)

// ownVersion is that of the instance whose coordinator is held against the world.
// Peers have one less, the same, or one more.
const ownVersion = 2

// feed takes note that a message is delivered now.
func (w *world) feed() {
	now := time.Now()
	if w.fedAt.IsZero() || now.Sub(w.lastFed()) > timeout {
		w.listensSince = now
	}
	w.fedAt = now
}

func (w *world) lastFed() time.Time {
	if w.fedAt.IsZero() {
		return w.begunAt
	}
	return w.fedAt
}

// listen lets time pass in which the instance hears itself, so that a peer's silence is
// that peer's.
func (w *world) listen(t *rapid.T) {
	for range rapid.SampledFrom([]int{1, 4, 12}).Draw(t, "heartbeats") {
		w.feed()
		assert.NoError(t, w.c.HandleHeartbeat(t.Context(), w.c.CreateHeartbeat(coord.Work{})))
		w.passTime(t)
	}
}

// compareVersion holds what the coordinator says of versions against the world. Of
// the peers of the world the coordinator has at least heard.
func (w *world) compareVersion(t *rapid.T) {
	v := w.c.FleetVersion()
	assert.Equal(t, v.Writing, w.c.WriteVersion())
	assert.Equal(t, v.Lowest, v.Writing)
	assert.Equal(t, v, w.c.Health().FleetVersion)
	lowest, sure, highest := ownVersion, ownVersion, ownVersion
	now := time.Now()
	for _, p := range w.peers {
		status := p.status()
		switch {
		case p.unclear:
			assert.LessOrEqual(t, v.Lowest, ownVersion)
			return
		case status == coord.StatusTerminated, status == coord.StatusStale && now.Sub(p.heard) > 4*timeout:
			continue
		case status != coord.StatusStale:
			sure = min(sure, p.version)
		}
		lowest, highest = min(lowest, p.version), max(highest, p.version)
	}
	if w.fedAt.IsZero() || now.Sub(w.lastFed()) > timeout || now.Sub(w.listensSince) < timeout {
		lowest = 1
	}
	assert.Equal(t, lowest, v.Lowest, "%+v", v)
	assert.Equal(t, highest, v.Highest)
	assert.Equal(t, lowest < sure, v.Uncertain != "", "%+v", v)
}

// compareTold looks at what the callback was told so far, just after a check.
func (w *world) compareTold(t *rapid.T) {
	last := coord.FleetVersion{Lowest: 1, Highest: ownVersion, Writing: 1, Uncertain: "no coordination message has arrived yet"}
	for _, v := range w.versions {
		assert.NotEqual(t, last, v, "no state is told twice")
		last = v
	}
	assert.Equal(t, last, w.c.FleetVersion(), "the newest was told")
}
