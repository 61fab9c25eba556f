// Package worker is what both versions of the example's program have in common: the
// life of an instance that joins a fleet, takes part in it, and leaves.
package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/coordgen/coordgen/examples/fleet/natsbus"
	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/wire"
)

// The times of the example are short, so that it is soon over.
const (
	heartbeatTimeout = 2 * time.Second
	drainWindow      = 1500 * time.Millisecond
	// joining is how long an instance says that it is there before it takes orders, so
	// that all others write what it can read.
	joining = heartbeatTimeout / 2
	// finishing is how long one that leaves goes on to take orders: others may not know
	// yet. It must be well within the drain window, at the end of which they write what
	// the one that left may not read.
	finishing = drainWindow / 4
	// pace is the time between two orders.
	pace = 100 * time.Millisecond
)

// orders is the subscription in the heartbeats of those who take orders.
const orders = "orders"

// A Program is what differs from version to version.
type Program interface {
	// Bind subscribes the program to its topics.
	Bind(ctx context.Context) (unbind func() error, err error)
	// Place publishes an order of that number, which the packer is to pack.
	Place(ctx context.Context, number int64, packer string) error
}

// A Worker is one instance of the fleet.
type Worker struct {
	*reporter
	// ID names the instance.
	ID string
	// Coord knows the fleet.
	Coord *coordination.Coordinator
	// Bus is for the program's messages, bound with Options.
	Bus     bus.Bus
	Options bus.Options

	publisher *coordination.CoordinationPublisher
	takes     atomic.Bool // orders
	log       *slog.Logger
}

// Main is the main function of a worker whose program has that version of the schema.
// Its arguments are its id and the address of the server. It leaves upon SIGTERM, or
// when its standard input ends, so that none outlives who started it. A line "pin 1"
// there pins version 1, and "pin 0" takes the pin off.
func Main(version int, program func(*Worker) Program) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, version, program, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, version int, program func(*Worker) Program, args []string) error {
	if len(args) != 2 {
		return errors.New("a worker takes its id and the address of the server")
	}
	id, url := args[0], args[1]
	log := slog.New(slog.NewTextHandler(os.Stderr, nil)).With("worker", id, "version", version)
	conn, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return err
	}
	defer conn.Close()
	b := natsbus.New(conn, log)
	c, err := coordination.NewCoordinator(coord.Config{
		InstanceID: id, SchemaVersion: version, HeartbeatTimeout: heartbeatTimeout, DrainWindow: drainWindow, Logger: log,
	})
	if err != nil {
		return err
	}
	r := newReporter(id, version, os.Stdout)
	t := newTap(b, r)
	w := &Worker{
		reporter: r, ID: id, Coord: c, log: log,
		Bus: t, Options: bus.Options{InstanceID: id, OnUndecodable: t.unreadable, Logger: log},
		publisher: coordination.NewCoordinationPublisher(b, wire.JSON),
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go w.obey(ctx, cancel)
	return w.live(ctx, b, program(w))
}

// obey does what the lines of the standard input say, and ends the worker with them.
func (w *Worker) obey(ctx context.Context, leave func()) {
	defer leave()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var version int
		_, err := fmt.Sscanf(lines.Text(), "pin %d", &version)
		if err == nil {
			err = w.Coord.PinVersion(ctx, version)
		}
		w.fails(err)
	}
}

// live joins, works until ctx ends, and leaves.
func (w *Worker) live(ctx context.Context, b bus.Subscriber, p Program) error {
	w.Coord.OnFleetVersion(func(_ context.Context, v coord.FleetVersion) error {
		w.report(Event{Kind: Fleet, Fleet: &v})
		return nil
	})
	w.Coord.OnPeerShutdown(func(_ context.Context, m *coordination.ShutdownNotification) error {
		w.report(Event{Kind: HearsLeave, Peer: m.InstanceID, Detail: string(m.Intent)})
		return nil
	})
	last := context.WithoutCancel(ctx) // for what is done when ctx has ended
	unbind, err := w.Coord.Bind(last, b, w.Options)
	if err != nil {
		return err
	}
	beats := make(chan struct{})
	go func() {
		defer close(beats)
		w.report(Event{Kind: Joins})
		for ; ctx.Err() == nil; sleep(ctx, w.Coord.HeartbeatInterval()) {
			w.fails(w.beat(ctx))
			w.Coord.CheckPeerTimeouts(ctx)
		}
	}()
	sleep(ctx, joining)

	unbindOrders, err := p.Bind(last)
	if err != nil {
		return err
	}
	w.takes.Store(true)
	w.report(Event{Kind: Works})
	w.place(ctx, last, p)

	<-beats // a heartbeat after the notice would say that this instance is back
	w.report(Event{Kind: Leaves})
	notice := w.Coord.CreateShutdownNotice(coordination.ShutdownIntentGraceful, coord.Leaving{Subscriptions: []string{orders}})
	w.fails(w.publisher.PublishShutdown(last, notice))
	sleep(last, finishing)
	return errors.Join(unbindOrders(), unbind())
}

// place places orders, and has each of the instances that take some pack its share.
func (w *Worker) place(ctx, last context.Context, p Program) {
	for number := time.Now().UnixMilli(); ctx.Err() == nil; number++ { // no number twice, also after a restart
		packers := []string{w.ID}
		for _, peer := range w.Coord.Peers() {
			if peer.Status == coord.StatusHealthy && len(peer.Subscriptions) > 0 {
				packers = append(packers, peer.InstanceID)
			}
		}
		w.fails(p.Place(last, number, packers[number%int64(len(packers))]))
		sleep(ctx, pace)
	}
}

func (w *Worker) beat(ctx context.Context) error {
	var work coord.Work
	if w.takes.Load() {
		work.Subscriptions = []string{orders}
	}
	return w.publisher.PublishHeartbeat(context.WithoutCancel(ctx), w.Coord.CreateHeartbeat(work))
}

// Tell reports an order as the program has it.
func (w *Worker) Tell(kind string, order json.Marshaler) {
	data, err := order.MarshalJSON()
	w.fails(err)
	w.report(Event{Kind: kind, Order: data})
}

func (w *Worker) fails(err error) {
	if err != nil {
		w.report(Event{Kind: Failed, Detail: err.Error()})
	}
}

// Format returns the format for the order of that number: each has its turn.
func Format(number int64) wire.Format {
	return []wire.Format{wire.JSON, wire.Msgpack, wire.Proto}[number%3]
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
