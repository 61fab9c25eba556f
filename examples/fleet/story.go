package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// patience bounds each step of the story. A step takes a few seconds; a machine
// that is busy with other things may need many more.
const patience = 45 * time.Second

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
	for _, c := range crew() {
		if err := f.start(c, url); err != nil {
			return err
		}
	}
	told := tell(ctx, f)
	return errors.Join(told, f.summary())
}

// tell goes through the story step by step, and ends at the first step that does
// not come about.
func tell(ctx context.Context, f *fleetView) error {
	if err := f.await(ctx, "three instances hear each other", func() bool { return f.metAll() }); err != nil {
		return err
	}
	if err := f.await(ctx, "one of them is elected", func() bool { return f.leader != "" }); err != nil {
		return err
	}

	leaver := f.follower()
	f.say("SIGTERM to %s, which does not lead", leaver)
	if err := f.signal(leaver, syscall.SIGTERM); err != nil {
		return err
	}
	leaving := f.others(leaver)
	for _, step := range []struct {
		what string
		done func() bool
	}{
		{"all others hear that it leaves", func() bool { return f.saw(leaving, eventLeaving, leaver) }},
		{"they report its work as orphaned", func() bool { return f.saw(leaving, eventOrphans, leaver) }},
		{"its work is taken over", func() bool { return f.covers(leaving) }},
		{"it drains and exits with 0", func() bool { return f.exited(leaver, 0) }},
	} {
		if err := f.await(ctx, step.what, step.done); err != nil {
			return err
		}
	}

	victim, term := f.leader, f.term
	f.say("SIGKILL to %s, the leader", victim)
	if err := f.signal(victim, syscall.SIGKILL); err != nil {
		return err
	}
	survivors := f.others(victim)
	for _, step := range []struct {
		what string
		done func() bool
	}{
		{"the survivor reports the timeout", func() bool { return f.saw(survivors, eventTimeout, victim) }},
		{"it reports the orphaned work", func() bool { return f.saw(survivors, eventOrphans, victim) }},
		{"it is elected, with a higher term", func() bool { return slices.Contains(survivors, f.leader) && f.term > term }},
		{"it takes all work over", func() bool { return f.covers(survivors) }},
	} {
		if err := f.await(ctx, step.what, step.done); err != nil {
			return err
		}
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
