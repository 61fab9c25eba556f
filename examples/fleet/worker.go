package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/coordgen/coordgen/examples/fleet/fleet"
	"github.com/coordgen/coordgen/examples/fleet/natsbus"
	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/wire"
)

// The times of the example are short, so that it is soon over.
const (
	heartbeatTimeout = 3 * time.Second
	lease            = 3 * time.Second
	drainWindow      = 5 * time.Second
)

const (
	bucket = "election"
	build  = "v1.4.2"
)

// A worker is one instance of the fleet.
type worker struct {
	*reporter
	zone      string
	coord     *fleet.Coordinator
	elector   elector.LeaderElector
	publisher *fleet.FleetPublisher
	log       *slog.Logger

	mu   sync.Mutex
	work map[string]bool

	met map[string]bool // only for the handler of heartbeats

	// These are only for the loop.
	assigned map[string]time.Time // when this leader gave work away that is not done yet
	noted    map[string]bool      // peers whose orphans were reported
}

// runWorker is the main function of a worker process. Its arguments are its id,
// its zone, the server's address and the work it begins with. It leaves when its
// standard input ends, so that no worker outlives the supervisor.
func runWorker(ctx context.Context, args []string) error {
	if len(args) != 5 {
		return errors.New("a worker takes its id, its zone, the address of the server and its work")
	}
	id, zone, url, work := args[1], args[2], args[3], strings.Split(args[4], ",")
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)).With("worker", id)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()

	conn, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	kv, err := js.KeyValue(ctx, bucket)
	if err != nil {
		return err
	}
	election, err := newNATSElector(ctx, kv, id, log)
	if err != nil {
		return err
	}
	defer election.Close()

	b := natsbus.New(conn, log)
	w, err := newWorker(id, zone, work, election, b, newReporter(id, os.Stdout), log)
	if err != nil {
		return err
	}
	w.register()
	w.coord.OnLeaderChange(func(_ context.Context, leader bool) error {
		c := election.lastClaim()
		if leader {
			w.report(event{Kind: eventLeads, Term: c.term, At: c.from})
		} else {
			w.report(event{Kind: eventLost, Term: c.term, At: c.until})
		}
		return nil
	})
	unbind, err := w.coord.Bind(context.WithoutCancel(ctx), b, bus.Options{Logger: log})
	if err != nil {
		return err
	}
	w.report(event{Kind: eventUp, Detail: zone + ", " + build, Work: work})
	w.live(ctx)
	w.leave(context.WithoutCancel(ctx))
	return unbind()
}

func newWorker(id, zone string, work []string, e elector.LeaderElector, p bus.Publisher, r *reporter, log *slog.Logger) (*worker, error) {
	c, err := fleet.NewCoordinator(coord.Config{
		InstanceID: id, Elector: e, HeartbeatTimeout: heartbeatTimeout, DrainWindow: drainWindow, Logger: log,
	})
	if err != nil {
		return nil, err
	}
	w := &worker{
		reporter: r, zone: zone, coord: c, elector: e, log: log,
		publisher: fleet.NewFleetPublisher(p, wire.JSON),
		work:      make(map[string]bool), met: make(map[string]bool),
		assigned: make(map[string]time.Time), noted: make(map[string]bool),
	}
	for _, s := range work {
		w.work[s] = true
	}
	return w, nil
}

// register says what becomes of each thing that the coordinator notices.
func (w *worker) register() {
	w.coord.OnHeartbeat(func(_ context.Context, m *fleet.FleetHeartbeat) error {
		if !w.met[m.InstanceID] {
			w.met[m.InstanceID] = true
			w.report(event{Kind: eventMet, Peer: m.InstanceID, Detail: fmt.Sprintf("%s, %s, schema version %d", m.Zone, m.Build, coord.OrZero(m.SchemaVersion))})
		}
		return nil
	})
	w.coord.OnPeerShutdown(func(_ context.Context, m *coordination.ShutdownNotification) error {
		needs := m.ExpectedCompletionAt.Sub(m.InitiatedAt).Round(time.Millisecond)
		w.report(event{Kind: eventLeaving, Peer: m.InstanceID, Work: m.Subscriptions,
			Detail: fmt.Sprintf("%s, %d in progress, needs %v", m.Intent, m.InFlightCount, needs)})
		return nil
	})
	w.coord.OnPeerLost(func(_ context.Context, loss coord.Loss) error {
		w.report(event{Kind: eventTimeout, Peer: loss.InstanceID, Detail: loss.Silence.Round(10 * time.Millisecond).String()})
		return nil
	})
	w.coord.OnWorkAssignment(func(ctx context.Context, m *coordination.WorkAssignment) error {
		if w.coord.ShuttingDown() {
			return nil // the leader will find somebody else when no heartbeat shows it
		}
		w.mu.Lock()
		for _, s := range m.Subscriptions {
			w.work[s] = true
		}
		w.mu.Unlock()
		w.report(event{Kind: eventWorks, Work: w.holds()})
		return w.beat(ctx) // the leader is waiting to hear of it
	})
}

// live runs until ctx ends: heartbeats, the election, and what a leader does.
func (w *worker) live(ctx context.Context) {
	every := w.coord.HeartbeatInterval()
	for last := time.Now(); ctx.Err() == nil; {
		if err := w.beat(ctx); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "no heartbeat", "error", err)
		}
		w.campaign(ctx)

		// One who was held up has not heard the others either. It waits a round.
		if late := time.Since(last) - every; late > every {
			w.report(event{Kind: eventLate, Detail: late.Round(time.Millisecond).String()})
		} else {
			w.coord.CheckPeerTimeouts(ctx)
			w.lookAfterOrphans(ctx)
		}
		last = time.Now()
		sleep(ctx, jitter(every))
	}
}

// jitter keeps a fleet that was started at once from acting at once.
func jitter(d time.Duration) time.Duration { return d - rand.N(d/5) }

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (w *worker) beat(ctx context.Context) error {
	work := w.holds()
	m := w.coord.CreateHeartbeat(coord.Work{Subscriptions: work, InFlightCount: int64(len(work)), LoadFactor: float64(len(work)) / 6})
	m.Zone, m.Build = w.zone, build
	ctx, cancel := context.WithTimeout(ctx, heartbeatTimeout)
	defer cancel()
	return w.publisher.PublishHeartbeat(ctx, m)
}

func (w *worker) campaign(ctx context.Context) {
	attempt, cancel := context.WithTimeout(ctx, lease/3)
	defer cancel()
	var err error
	if w.elector.IsLeader() {
		_, err = w.elector.Renew(attempt)
	} else {
		_, err = w.elector.TryAcquire(attempt)
	}
	if err != nil && ctx.Err() == nil {
		w.log.WarnContext(ctx, "no election", "error", err)
	}
}

// holds returns the work that this instance has, sorted.
func (w *worker) holds() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Sorted(maps.Keys(w.work))
}

// leave announces the end, finishes what is in progress while others take the
// rest over, and hands the leadership on.
func (w *worker) leave(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainWindow)
	defer cancel()
	work := w.holds()
	notice := w.coord.CreateShutdownNotice(coordination.ShutdownIntentGraceful, coord.Leaving{
		Subscriptions: work, InFlightCount: int64(len(work)), Metadata: map[string]any{"zone": w.zone},
	})
	if err := w.publisher.PublishShutdown(ctx, notice); err != nil {
		w.log.ErrorContext(ctx, "not announced", "error", err)
	}
	if _, err := w.coord.HandoffLeadership(ctx); err != nil {
		w.log.ErrorContext(ctx, "not handed over", "error", err)
	}
	for _, s := range work {
		sleep(ctx, w.coord.HeartbeatInterval()) // the work in progress
		w.mu.Lock()
		delete(w.work, s)
		w.mu.Unlock()
		if err := w.beat(ctx); err != nil {
			w.log.WarnContext(ctx, "no heartbeat", "error", err)
		}
	}
	w.report(event{Kind: eventDrained})
}
