package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// patience bounds each act of the story. An act takes a few seconds; a machine
// that is busy with other things may need many more.
const patience = 45 * time.Second

// breath is the time between two acts, so that people can follow.
const breath = 2 * time.Second

// A member is a worker, and the work that it begins with.
type member struct {
	id, zone string
	work     []string
}

// crew returns the whole fleet.
func crew() []member {
	return []member{
		{"worker-a", "eu-1a", []string{"audit", "billing"}},
		{"worker-b", "eu-1b", []string{"email", "orders"}},
		{"worker-c", "eu-1c", []string{"search", "stock"}},
	}
}

// runStory is the main function of the supervisor.
func runStory(ctx context.Context, _ []string) error {
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	url, shutdown, err := startServer(ctx, dir)
	if err != nil {
		return err
	}
	defer shutdown()

	f := newFleet(os.Stdout)
	defer f.killAll()
	told := tell(ctx, f, url)
	return errors.Join(told, f.summary(told))
}

// tell goes through the story act by act, and ends with the first act that does
// not come about.
func tell(ctx context.Context, f *fleetView, url string) error {
	err := f.act(ctx, "three workers start", func() error { return f.startAll(url) },
		step{what: "they hear each other", done: f.metAll},
		step{what: "one of them is elected", done: f.led})
	if err != nil {
		return err
	}

	if err := f.rest(ctx); err != nil {
		return err
	}
	leaver := f.follower()
	survivors := f.others(leaver)
	err = f.act(ctx, fmt.Sprintf("SIGTERM to %s, which does not lead", leaver), func() error { return f.signal(leaver, syscall.SIGTERM) },
		step{what: "all others hear that it leaves", done: func() bool { return f.saw(survivors, eventLeaving, leaver) }},
		step{what: "they report its work as orphaned", done: func() bool { return f.saw(survivors, eventOrphans, leaver) }},
		step{what: "its work is taken over", done: func() bool { return f.covers(survivors) }},
		step{what: "it drains and exits with 0", done: func() bool { return f.exited(leaver, 0) }})
	if err != nil {
		return err
	}

	if err := f.rest(ctx); err != nil {
		return err
	}
	last, _ := f.leaderships.current()
	victim := last.worker
	survivors = f.others(victim)
	return f.act(ctx, fmt.Sprintf("SIGKILL to %s, the leader", victim), func() error { return f.signal(victim, syscall.SIGKILL) },
		step{what: "the survivor reports the timeout", done: func() bool { return f.saw(survivors, eventTimeout, victim) }},
		step{what: "it reports the orphaned work", done: func() bool { return f.saw(survivors, eventOrphans, victim) }},
		step{what: "it is elected, with a higher term", done: func() bool { return f.ledAfter(survivors, last.term) && f.leaderships.settled() }},
		step{what: "it takes all work over", done: func() bool { return f.covers(survivors) }})
}

// rest lets people follow, and the fleet have a leader: on a busy machine it may
// have lost the lease.
func (f *fleetView) rest(ctx context.Context) error {
	if err := f.watch(ctx, breath); err != nil {
		return err
	}
	if err := f.await(ctx, f.led); err != nil {
		return fmt.Errorf("somebody leads: %w", err)
	}
	return nil
}

// startServer starts a NATS server in this process, with the bucket of the
// election in it.
func startServer(ctx context.Context, dir string) (url string, shutdown func(), err error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, NoLog: true, NoSigs: true,
	})
	if err != nil {
		return "", nil, err
	}
	shutdown = func() { s.Shutdown(); s.WaitForShutdown() }
	s.Start()
	if !s.ReadyForConnections(patience) {
		shutdown()
		return "", nil, fmt.Errorf("the NATS server was not ready after %v", patience)
	}
	conn, err := nats.Connect(s.ClientURL())
	if err != nil {
		shutdown()
		return "", nil, err
	}
	defer conn.Close()
	if _, err = createBucket(ctx, conn, bucket, lease); err != nil {
		shutdown()
		return "", nil, err
	}
	return s.ClientURL(), shutdown, nil
}

func createBucket(ctx context.Context, conn *nats.Conn, name string, ttl time.Duration) (jetstream.KeyValue, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	return js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, TTL: ttl, Storage: jetstream.MemoryStorage})
}
