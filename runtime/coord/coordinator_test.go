package coord_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/coord"
)

// The messages of the tests are a user's own: names differ from the built-in
// ones, and the heartbeat is wider than its role.
type (
	pulse struct {
		Name   string
		Made   time.Time
		Jobs   []string
		Busy   int64
		Leads  bool
		Load   float64
		Region string
		Form   int
		Life   int64
		Reign  uint64
	}
	goodbye struct {
		Name  string
		Why   string
		Since time.Time
		Until time.Time
		Jobs  []string
		Busy  int64
		Extra map[string]any
		Life  int64
	}
	order struct {
		To, From string
		Jobs     []string
		Made     time.Time
		Urgency  int64
		Reign    uint64
	}
	coordinator = coord.Coordinator[pulse, goodbye, order]
)

var roles = coord.Roles[pulse, goodbye, order]{
	ReadHeartbeat: func(p *pulse) coord.Heartbeat {
		return coord.Heartbeat{
			Work:       coord.Work{Subscriptions: p.Jobs, InFlightCount: p.Busy, LoadFactor: p.Load},
			InstanceID: p.Name, SentAt: p.Made, IsLeader: p.Leads,
			SchemaVersion: p.Form, Incarnation: p.Life, Term: p.Reign,
		}
	},
	NewHeartbeat: func(h coord.Heartbeat) *pulse {
		return &pulse{Name: h.InstanceID, Made: h.SentAt, Jobs: h.Subscriptions, Busy: h.InFlightCount, Leads: h.IsLeader, Load: h.LoadFactor, Form: h.SchemaVersion, Life: h.Incarnation, Reign: h.Term}
	},
	ReadShutdown: func(g *goodbye) coord.Shutdown {
		return coord.Shutdown{
			InstanceID: g.Name, Intent: g.Why, InitiatedAt: g.Since, Deadline: g.Until,
			Subscriptions: g.Jobs, InFlightCount: g.Busy, Metadata: g.Extra, Incarnation: g.Life,
		}
	},
	NewShutdown: func(s coord.Shutdown) *goodbye {
		return &goodbye{Name: s.InstanceID, Why: s.Intent, Since: s.InitiatedAt, Until: s.Deadline, Jobs: s.Subscriptions, Busy: s.InFlightCount, Extra: s.Metadata, Life: s.Incarnation}
	},
	ReadAssignment: func(o *order) coord.Assignment {
		return coord.Assignment{Target: o.To, Source: o.From, Subscriptions: o.Jobs, AssignedAt: o.Made, Priority: o.Urgency, Term: o.Reign}
	},
	NewAssignment: func(a coord.Assignment) *order {
		return &order{To: a.Target, From: a.Source, Jobs: a.Subscriptions, Made: a.AssignedAt, Urgency: a.Priority, Reign: a.Term}
	},
}

const (
	timeout = 15 * time.Second
	window  = 30 * time.Second
	tick    = time.Nanosecond // the least that makes "greater than" differ from "equal"
)

// anyTime is when a message was made, where that does not matter.
var anyTime = time.Date(2026, 7, 27, 9, 30, 15, 0, time.UTC)

// newCoordinator returns that of instance "me", with what set changes.
func newCoordinator(t *testing.T, set ...func(*coord.Config)) *coordinator {
	t.Helper()
	config := coord.Config{InstanceID: "me", Logger: slog.New(slog.DiscardHandler)}
	for _, s := range set {
		s(&config)
	}
	c, err := coord.New(config, roles)
	require.NoError(t, err)
	return c
}

// hears delivers a heartbeat that the peer made now, by a clock that agrees.
func hears(t *testing.T, c *coordinator, id string, jobs ...string) {
	t.Helper()
	hearsFrom(t, c, id, time.Now(), jobs...)
}

// hearsFrom delivers a heartbeat that the peer made at the given time of its clock.
func hearsFrom(t *testing.T, c *coordinator, id string, made time.Time, jobs ...string) {
	t.Helper()
	require.NoError(t, c.HandleHeartbeat(t.Context(), &pulse{Name: id, Made: made.Round(0), Jobs: jobs}))
}

// leaves delivers a notice of the given time of the peer's clock.
func leaves(t *testing.T, c *coordinator, id string, since time.Time, window time.Duration, jobs ...string) {
	t.Helper()
	require.NoError(t, c.HandlePeerShutdown(t.Context(),
		&goodbye{Name: id, Why: "graceful", Since: since.Round(0), Until: since.Add(window).Round(0), Jobs: jobs}))
}

func status(c *coordinator, id string) coord.Status {
	p, _ := c.Peer(id)
	return p.Status
}

// A logbook keeps what is logged.
type logbook struct{ bytes.Buffer }

func (l *logbook) into(c *coord.Config) {
	c.Logger = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// lines returns the entries of one level.
func (l *logbook) lines(t *testing.T, level slog.Level) []map[string]any {
	t.Helper()
	var found []map[string]any
	for line := range strings.Lines(l.String()) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		if entry["level"] == level.String() {
			found = append(found, entry)
		}
	}
	return found
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	for name, tc := range map[string]struct {
		config coord.Config
		want   string
	}{
		"no id":            {coord.Config{}, "coord: Config.InstanceID is empty; set it to a name that no other instance of the fleet has"},
		"endless timeout":  {coord.Config{InstanceID: "me", HeartbeatTimeout: math.MaxInt64}, "coord: Config.HeartbeatTimeout is 2562047h47m16.854775807s; set at most 640511h56m49.213693951s"},
		"negative timeout": {coord.Config{InstanceID: "me", HeartbeatTimeout: -1}, "coord: Config.HeartbeatTimeout is -1ns; set a positive duration, or 0 for 15s"},
		"negative window":  {coord.Config{InstanceID: "me", DrainWindow: -time.Second}, "coord: Config.DrainWindow is -1s; set a positive duration, or 0 for 30s"},
		"negative version": {coord.Config{InstanceID: "me", SchemaVersion: -1}, "coord: Config.SchemaVersion is -1; set the version of a schema, from 1 to 2147483647, or 0 for 1"},
		"negative peers":   {coord.Config{InstanceID: "me", MaxPeers: -2}, "coord: Config.MaxPeers is -2; set a positive number, or 0 for 10000"},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := coord.New(tc.config, roles)
			assert.Nil(t, c)
			assert.EqualError(t, err, tc.want)
		})
	}
}

func TestNewNamesTheRoleThatIsMissing(t *testing.T) {
	for name, unset := range map[string]func(*coord.Roles[pulse, goodbye, order]){
		"ReadHeartbeat":  func(r *coord.Roles[pulse, goodbye, order]) { r.ReadHeartbeat = nil },
		"NewHeartbeat":   func(r *coord.Roles[pulse, goodbye, order]) { r.NewHeartbeat = nil },
		"ReadShutdown":   func(r *coord.Roles[pulse, goodbye, order]) { r.ReadShutdown = nil },
		"NewShutdown":    func(r *coord.Roles[pulse, goodbye, order]) { r.NewShutdown = nil },
		"ReadAssignment": func(r *coord.Roles[pulse, goodbye, order]) { r.ReadAssignment = nil },
		"NewAssignment":  func(r *coord.Roles[pulse, goodbye, order]) { r.NewAssignment = nil },
	} {
		t.Run(name, func(t *testing.T) {
			incomplete := roles
			unset(&incomplete)
			_, err := coord.New(coord.Config{InstanceID: "me"}, incomplete)
			assert.EqualError(t, err, "coord: Roles."+name+" is nil; set it, or use the constructor of the generated package")
		})
	}
}

func TestNewLogsToTheDefaultLogger(t *testing.T) {
	var book logbook
	var config coord.Config
	book.into(&config)
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(config.Logger)

	c, err := coord.New(coord.Config{InstanceID: "me"}, roles)
	require.NoError(t, err)
	c.OnHeartbeat(func(context.Context, *pulse) error { return assert.AnError })
	hears(t, c, "a")
	assert.Len(t, book.lines(t, slog.LevelError), 1)
}

func TestInstanceID(t *testing.T) {
	assert.Equal(t, "me", newCoordinator(t).InstanceID())
}

func TestUnusableMessagesAreErrors(t *testing.T) {
	c, ctx, now := newCoordinator(t), t.Context(), time.Now()
	for want, err := range map[string]error{
		"coord: heartbeat is nil":                                               c.HandleHeartbeat(ctx, nil),
		"coord: heartbeat has no instance id":                                   c.HandleHeartbeat(ctx, &pulse{Made: now}),
		`coord: heartbeat from "a": the time it was sent is missing`:            c.HandleHeartbeat(ctx, &pulse{Name: "a"}),
		"coord: shutdown notice is nil":                                         c.HandlePeerShutdown(ctx, nil),
		"coord: shutdown notice has no instance id":                             c.HandlePeerShutdown(ctx, &goodbye{Since: now, Until: now}),
		`coord: shutdown notice from "a": the time it was initiated is missing`: c.HandlePeerShutdown(ctx, &goodbye{Name: "a", Until: now}),
		`coord: shutdown notice from "a": its deadline is missing`:              c.HandlePeerShutdown(ctx, &goodbye{Name: "a", Since: now}),
		"coord: work assignment is nil":                                         c.HandleWorkAssignment(ctx, nil),
		"coord: work assignment has no target instance id":                      c.HandleWorkAssignment(ctx, &order{From: "a"}),
	} {
		assert.EqualError(t, err, want)
	}
	assert.Empty(t, c.Peers())
	assert.Zero(t, c.Health().LastFedAt)
}

func TestMaxPeersRefusesNewPeersOnly(t *testing.T) {
	c := newCoordinator(t, func(c *coord.Config) { c.MaxPeers = 2 })
	hears(t, c, "a")
	hears(t, c, "b")

	err := c.HandleHeartbeat(t.Context(), &pulse{Name: "c", Made: time.Now()})
	assert.ErrorIs(t, err, coord.ErrTooManyPeers)
	assert.EqualError(t, err, `coord: too many peers: "c" is refused because 2 are on record and none is gone; raise Config.MaxPeers`)
	err = c.HandlePeerShutdown(t.Context(), &goodbye{Name: "c", Since: time.Now(), Until: time.Now()})
	assert.ErrorIs(t, err, coord.ErrTooManyPeers)
	assert.Len(t, c.Peers(), 2)

	hears(t, c, "a", "orders")
	leaves(t, c, "b", time.Now(), window)
	assert.Equal(t, map[string][]string{}, c.OrphanedSubscriptions())

	require.True(t, c.RemovePeer("b"))
	hears(t, c, "c")
	assert.Len(t, c.Peers(), 2)
}

func TestANewPeerTakesThePlaceOfTheOneLongestGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, func(c *coord.Config) { c.MaxPeers = 3 })
		hears(t, c, "first")
		time.Sleep(time.Second)
		hears(t, c, "second")
		leaves(t, c, "left", time.Now(), 2*time.Second)
		time.Sleep(coord.DefaultHeartbeatTimeout)

		// "left" has been gone for 13 s, "first" for 1 s, "second" is not yet stale.
		hears(t, c, "a")
		_, there := c.Peer("left")
		assert.False(t, there)
		hears(t, c, "b")
		_, there = c.Peer("first")
		assert.False(t, there)
		err := c.HandleHeartbeat(t.Context(), &pulse{Name: "c", Made: time.Now()})
		assert.ErrorIs(t, err, coord.ErrTooManyPeers)
	})
}

func TestAPeerThatDrainsForYearsInSilenceIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCoordinator(t, func(c *coord.Config) { c.MaxPeers = 1 })
		leaves(t, c, "never", time.Now(), 100*365*24*time.Hour)
		time.Sleep(coord.DefaultHeartbeatTimeout)
		err := c.HandleHeartbeat(t.Context(), &pulse{Name: "new", Made: time.Now()})
		assert.ErrorIs(t, err, coord.ErrTooManyPeers, "not silent for longer than the timeout")
		time.Sleep(time.Nanosecond)
		hears(t, c, "new")
		_, there := c.Peer("never")
		assert.False(t, there)
	})
}

func TestMaxPeersDefaultsToTenThousand(t *testing.T) {
	c := newCoordinator(t)
	for i := range coord.DefaultMaxPeers {
		hears(t, c, fmt.Sprint("peer-", i))
	}
	assert.ErrorIs(t, c.HandleHeartbeat(t.Context(), &pulse{Name: "one more", Made: time.Now()}), coord.ErrTooManyPeers)
}
