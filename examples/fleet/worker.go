package main

import (
	"context"
	"errors"
	"fmt"
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
	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/wire"
)

// The times of the example are short, so that it is soon over.
const (
	heartbeatTimeout = 3 * time.Second
	heartbeatEvery   = 500 * time.Millisecond
	lease            = 3 * time.Second
	drainWindow      = 3 * time.Second
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
	elector   *natsElector
	publisher *fleet.FleetPublisher
	log       *slog.Logger

	mu       sync.Mutex
	work     map[string]bool
	assigned map[string]time.Time // what this leader gave away, until it is seen to be done
	met      map[string]bool
	noted    map[string]bool // peers whose orphans were reported
}

// runWorker is the main function of a worker process. Its arguments are its id,
// its zone, the server's address and the work it begins with.
func runWorker(ctx context.Context, args []string) error {
	if len(args) != 5 {
		return errors.New("a worker takes its id, its zone, the address of the server and its work")
	}
	id, zone, url, work := args[1], args[2], args[3], strings.Split(args[4], ",")
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)).With("worker", id)

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
	coordinator, err := fleet.NewCoordinator(coord.Config{
		InstanceID: id, Elector: election, HeartbeatTimeout: heartbeatTimeout, DrainWindow: drainWindow, Logger: log,
	})
	if err != nil {
		return err
	}
	b := &natsBus{conn: conn, log: log}
	w := &worker{
		reporter: newReporter(id, os.Stdout), zone: zone, coord: coordinator, elector: election, log: log,
		publisher: fleet.NewFleetPublisher(b, wire.JSON),
		work:      make(map[string]bool), assigned: make(map[string]time.Time),
		met: make(map[string]bool), noted: make(map[string]bool),
	}
	for _, s := range work {
		w.work[s] = true
	}
	w.register()
	unbind, err := coordinator.Bind(ctx, b, bus.Options{Logger: log})
	if err != nil {
		return err
	}
	w.report(event{Kind: eventUp, Detail: zone + ", " + build, Work: work})
	w.live(ctx)
	w.leave(context.WithoutCancel(ctx))
	return unbind()
}

// register says what becomes of each thing that the coordinator notices.
func (w *worker) register() {
	w.coord.OnHeartbeat(func(_ context.Context, m *fleet.FleetHeartbeat) error {
		w.mu.Lock()
		first := !w.met[m.InstanceID]
		w.met[m.InstanceID] = true
		w.mu.Unlock()
		if first {
			w.report(event{Kind: eventMet, Peer: m.InstanceID, Detail: m.Zone + ", " + m.Build})
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
	w.coord.OnLeaderChange(func(_ context.Context, leader bool) error {
		if leader {
			w.report(event{Kind: eventLeads, Term: w.elector.Term()})
		} else {
			w.report(event{Kind: eventLost})
		}
		return nil
	})
	w.coord.OnWorkAssignment(func(ctx context.Context, m *coordination.WorkAssignment) error {
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
	last := time.Now()
	for {
		pause := heartbeatEvery + time.Duration(rand.Int64N(int64(heartbeatEvery/5)))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if err := w.beat(ctx); err != nil {
			w.log.WarnContext(ctx, "no heartbeat", "error", err)
		}
		w.campaign(ctx)

		// One who was held up has not heard the others either. It waits a round.
		delay := time.Since(last) - pause
		last = time.Now()
		if delay > heartbeatTimeout/2 {
			w.report(event{Kind: eventLate, Detail: delay.Round(time.Millisecond).String()})
			continue
		}
		w.coord.CheckPeerTimeouts(ctx)
		w.lookAfterOrphans(ctx)
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
	ctx, cancel := context.WithTimeout(ctx, lease/3)
	defer cancel()
	var err error
	if w.elector.IsLeader() {
		_, err = w.elector.Renew(ctx)
	} else {
		_, err = w.elector.TryAcquire(ctx)
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
		time.Sleep(heartbeatEvery) // the work in progress
		w.mu.Lock()
		delete(w.work, s)
		w.mu.Unlock()
		if err := w.beat(ctx); err != nil {
			w.log.WarnContext(ctx, "no heartbeat", "error", err)
		}
	}
	w.report(event{Kind: eventDrained})
}
