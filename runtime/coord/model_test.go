package coord_test

import (
	"context"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/coord"
)

// A world is a fleet as it truly is, beside the coordinator that hears of it over
// a bus that delays and repeats. The model is not of the coordinator's rules, but
// of what an operator knows: who is up, who left when, when each was last heard.
type world struct {
	c     *coordinator
	peers map[string]*truth
	told  map[string]bool // silent peers whose loss was told
	lost  []string        // by the last check

	begunAt, fedAt, listensSince time.Time
	versions                     []coord.FleetVersion // as they were told
}

// truth is what is so about a peer. Times are true ones, whatever its clock says.
type truth struct {
	speaks  bool  // its code is of a version that says its version and incarnation
	life    int64 // how often it was started
	version int   // of its code

	skew   time.Duration
	up     bool
	leftAt time.Time // zero: not leaving, or known to be back
	endsAt time.Time
	latest int64     // the life of the newest heartbeat that was delivered
	newest time.Time // its clock when it made that
	heard  time.Time // when that was delivered
	lastIn time.Time // when any heartbeat was delivered

	beats   []*pulse   // all that were made
	notices []*goodbye // likewise
	unclear bool       // its clock was set back, or a bus replayed to that effect
}

func TestCoordinatorAgreesWithTheWorld(t *testing.T) {
	property := func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) {
			c, err := coord.New(coord.Config{InstanceID: "me", SchemaVersion: ownVersion, Logger: slog.New(slog.DiscardHandler)}, roles)
			assert.NoError(t, err)
			w := &world{c: c, peers: make(map[string]*truth), told: make(map[string]bool), begunAt: time.Now()}
			c.OnFleetVersion(func(_ context.Context, v coord.FleetVersion) error {
				w.versions = append(w.versions, v)
				return nil
			})
			c.OnPeerLost(func(_ context.Context, l coord.Loss) error {
				w.lost = append(w.lost, l.InstanceID)
				return nil
			})
			t.Repeat(map[string]func(*rapid.T){
				"":          w.compare,
				"time":      w.passTime,
				"join":      w.join,
				"beat":      w.beat,
				"beat late": w.beatLate,
				"repeat":    w.repeat,
				"leave":     w.leave,
				"crash":     w.crash,
				"set back":  w.setBack,
				"remove":    w.remove,
				"listen":    w.listen,
				"check":     w.check,
			})
		})
	}
	for range 20 { // a run is short, and the telling mixtures are rare
		rapid.Check(t, property)
	}
}

var names = rapid.SampledFrom([]string{"a", "b"})

// pick returns a peer that fits, or skips the action.
func (w *world) pick(t *rapid.T, fits func(*truth) bool) (string, *truth) {
	id := names.Draw(t, "peer")
	p, ok := w.peers[id]
	if !ok || !fits(p) {
		t.Skip()
	}
	return id, p
}

func up(p *truth) bool { return p.up }

func (w *world) passTime(t *rapid.T) {
	time.Sleep(rapid.SampledFrom([]time.Duration{tick, time.Second, 5 * time.Second, timeout, timeout + tick, window}).Draw(t, "time"))
}

// join starts a peer for the first time, or again after it left or crashed.
func (w *world) join(t *rapid.T) {
	id := names.Draw(t, "peer")
	p, ok := w.peers[id]
	if !ok {
		p = &truth{
			skew:   rapid.SampledFrom([]time.Duration{0, time.Hour, -time.Hour}).Draw(t, "skew"),
			speaks: rapid.Bool().Draw(t, "speaks"),
		}
		w.peers[id] = p
	}
	p.up = true
	p.life++
	p.version = 1
	if p.speaks {
		p.version = rapid.IntRange(1, ownVersion+1).Draw(t, "version")
		p.unclear = p.skew%time.Hour != 0 // an offset of seconds is not corrected; nothing of earlier lives matters
	}
	w.deliver(t, id, p, p.make(id))
}

func (w *world) beat(t *rapid.T) {
	id, p := w.pick(t, up)
	w.deliver(t, id, p, p.make(id))
}

// beatLate makes a heartbeat that is not delivered now, if ever.
func (w *world) beatLate(t *rapid.T) {
	id, p := w.pick(t, up)
	p.make(id)
	time.Sleep(tick)
}

// repeat delivers an old message, be it for the first time.
func (w *world) repeat(t *rapid.T) {
	id, p := w.pick(t, func(p *truth) bool { return len(p.beats) > 0 })
	if len(p.notices) > 0 && rapid.Bool().Draw(t, "notice") {
		before := status(w.c, id)
		w.feed()
		assert.NoError(t, w.c.HandlePeerShutdown(t.Context(), rapid.SampledFrom(p.notices).Draw(t, "which")))
		if !p.unclear {
			assert.Equal(t, before, status(w.c, id), "an old notice has no effect")
		}
		return
	}
	m := rapid.SampledFrom(p.beats).Draw(t, "which")
	if time.Since(p.heard) > timeout || p.clock(time.Now()).Sub(m.Made) > timeout {
		p.unclear = true // so late, it looks like a clock that was set back
	}
	w.deliver(t, id, p, m)
}

func (w *world) leave(t *rapid.T) {
	id, p := w.pick(t, up)
	time.Sleep(tick) // no two notices of one time
	p.leftAt = time.Now()
	p.endsAt = p.leftAt.Add(rapid.SampledFrom([]time.Duration{time.Second, window}).Draw(t, "window"))
	g := &goodbye{Name: id, Since: p.clock(p.leftAt), Until: p.clock(p.endsAt), Jobs: []string{"left"}}
	if p.speaks {
		g.Life = p.life
	}
	p.notices = append(p.notices, g)
	w.feed()
	assert.NoError(t, w.c.HandlePeerShutdown(t.Context(), g))
}

func (w *world) crash(t *rapid.T) {
	_, p := w.pick(t, up)
	p.up = false
}

func (w *world) setBack(t *rapid.T) {
	_, p := w.pick(t, up)
	p.skew -= rapid.SampledFrom([]time.Duration{time.Second, time.Hour}).Draw(t, "by")
	p.unclear = true
}

// remove forgets a peer for good: nothing that it sent arrives any more.
func (w *world) remove(t *rapid.T) {
	id := names.Draw(t, "peer")
	_, known := w.peers[id]
	assert.Equal(t, known, w.c.RemovePeer(id))
	delete(w.peers, id)
	delete(w.told, id)
}

func (w *world) check(t *rapid.T) {
	w.lost = nil
	silent := w.c.CheckPeerTimeouts(t.Context())
	var news []string
	for _, id := range silent {
		if !w.told[id] {
			news = append(news, id)
		}
		w.told[id] = true
	}
	assert.Equal(t, news, w.lost, "each loss is told once")
	w.compareTold(t)
	for id := range w.peers {
		assert.Equal(t, status(w.c, id) == coord.StatusStale, slices.Contains(silent, id))
	}
}

func (w *world) deliver(t *rapid.T, id string, p *truth, m *pulse) {
	w.feed()
	p.lastIn = time.Now()
	again := m.Life > p.latest
	if again || m.Life == p.latest && m.Made.After(p.newest) {
		p.latest, p.newest, p.heard = m.Life, m.Made, p.lastIn
		if again || m.Made.After(p.clock(p.endsAt)) {
			p.leftAt = time.Time{}
		}
	}
	assert.NoError(t, w.c.HandleHeartbeat(t.Context(), m))
	if status(w.c, id) == coord.StatusHealthy {
		delete(w.told, id)
	}
}

// compare holds what the coordinator says against the world, and its views
// against each other.
func (w *world) compare(t *rapid.T) {
	peers := w.c.Peers()
	assert.Len(t, peers, len(w.peers))
	healthy, draining, orphaned := 0, 0, make(map[string][]string)
	for _, p := range peers {
		truth := w.peers[p.InstanceID]
		if truth.unclear {
			if p.Status == coord.StatusHealthy {
				assert.LessOrEqual(t, time.Since(truth.lastIn), timeout, "nothing was heard of %s", p.InstanceID)
			}
		} else {
			assert.Equal(t, truth.status(), p.Status, "of %s", p.InstanceID)
		}
		switch p.Status {
		case coord.StatusHealthy:
			healthy++
			continue
		case coord.StatusDraining:
			draining++
		}
		orphaned[p.InstanceID] = p.Subscriptions
	}
	assert.Equal(t, healthy, w.c.HealthyPeerCount())
	assert.Len(t, w.c.DrainingPeers(), draining)
	assert.Equal(t, orphaned, w.c.OrphanedSubscriptions())
	w.compareVersion(t)
	if t.Failed() {
		t.FailNow()
	}
}

// status is what a coordinator that knew everything would say.
func (p *truth) status() coord.Status {
	now := time.Now()
	switch {
	case !p.leftAt.IsZero() && now.Before(p.endsAt):
		return coord.StatusDraining
	case !p.leftAt.IsZero():
		return coord.StatusTerminated
	case now.Sub(p.heard) > timeout:
		return coord.StatusStale
	default:
		return coord.StatusHealthy
	}
}

// clock returns what the peer's clock shows at a true time.
func (p *truth) clock(at time.Time) time.Time { return at.Add(p.skew).Round(0) }

// make makes a heartbeat, and sees to it that no other has its time.
func (p *truth) make(id string) *pulse {
	time.Sleep(tick)
	m := &pulse{Name: id, Made: p.clock(time.Now()), Jobs: []string{"beat"}}
	if p.speaks {
		m.Life, m.Form = p.life, p.version
	}
	p.beats = append(p.beats, m)
	return m
}
