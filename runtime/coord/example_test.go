package coord_test

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/coordgen/coordgen/runtime/coord"
)

// An instance hears of a peer that works, and of its leaving. Generated code
// supplies the roles and typed methods; here they were written by hand.
func Example() {
	ctx := context.Background()
	worker, err := coord.New(coord.Config{InstanceID: "worker-1"}, roles)
	if err != nil {
		fmt.Println(err)
		return
	}
	worker.OnPeerShutdown(func(_ context.Context, g *goodbye) error {
		fmt.Printf("%s leaves (%s) with %d in flight\n", g.Name, g.Why, g.Busy)
		return nil
	})

	// What arrives from the bus is handed to the coordinator.
	now := time.Now()
	_ = worker.HandleHeartbeat(ctx, &pulse{Name: "worker-2", Made: now, Jobs: []string{"orders"}})
	fmt.Println("healthy peers:", worker.HealthyPeerCount())

	_ = worker.HandlePeerShutdown(ctx, &goodbye{
		Name: "worker-2", Why: "graceful", Since: now, Until: now.Add(30 * time.Second), Jobs: []string{"orders"}, Busy: 2,
	})
	fmt.Println("orphaned:", worker.OrphanedSubscriptions())

	// What the coordinator makes is published.
	heartbeat := worker.CreateHeartbeat(coord.Work{Subscriptions: []string{"mail", "orders"}})
	fmt.Println(heartbeat.Name, "works on", heartbeat.Jobs)

	// Output:
	// healthy peers: 1
	// worker-2 leaves (graceful) with 2 in flight
	// orphaned: map[worker-2:[orders]]
	// worker-1 works on [mail orders]
}

// A fleet is upgraded from version 1 to 2 of its schema. Messages are written at
// version 1 until nobody is left who reads no later one.
func ExampleCoordinator_OnFleetVersion() {
	ctx := context.Background()
	worker, err := coord.New(coord.Config{
		InstanceID:       "worker-1",
		SchemaVersion:    2,
		HeartbeatTimeout: 100 * time.Millisecond,
	}, roles)
	if err != nil {
		fmt.Println(err)
		return
	}
	writing := 0
	worker.OnFleetVersion(func(_ context.Context, v coord.FleetVersion) error {
		if v.Writing != writing {
			writing = v.Writing
			fmt.Printf("write at version %d, have %d to %d\n", v.Writing, v.Lowest, v.Highest)
		}
		return nil
	})

	// A peer of version 1 does not say it.
	_ = worker.HandleHeartbeat(ctx, &pulse{Name: "worker-2", Made: time.Now()})
	fmt.Println("new fields may be used:", worker.FleetSupports(2))

	// It is upgraded. Others may be there that were not heard yet.
	for !worker.FleetSupports(2) {
		time.Sleep(10 * time.Millisecond)
		_ = worker.HandleHeartbeat(ctx, &pulse{Name: "worker-2", Made: time.Now(), Form: 2})
	}
	fmt.Println("new fields may be used:", worker.FleetSupports(2))

	// Output:
	// write at version 1, have 1 to 2
	// new fields may be used: false
	// write at version 2, have 2 to 2
	// new fields may be used: true
}

// The application checks for silent peers on an interval. It is told of each
// loss once, and decides what becomes of the work.
func ExampleCoordinator_OnPeerLost() {
	ctx := context.Background()
	worker, err := coord.New(coord.Config{
		InstanceID:       "worker-1",
		HeartbeatTimeout: time.Millisecond,
		Logger:           slog.New(slog.DiscardHandler),
	}, roles)
	if err != nil {
		fmt.Println(err)
		return
	}
	worker.OnPeerLost(func(_ context.Context, loss coord.Loss) error {
		fmt.Println("take over from", loss.InstanceID, loss.Subscriptions)
		worker.RemovePeer(loss.InstanceID)
		return nil
	})

	_ = worker.HandleHeartbeat(ctx, &pulse{Name: "worker-2", Made: time.Now(), Jobs: []string{"orders"}})
	time.Sleep(5 * time.Millisecond)
	fmt.Println("silent:", worker.CheckPeerTimeouts(ctx))
	fmt.Println("silent:", worker.CheckPeerTimeouts(ctx))

	// Output:
	// take over from worker-2 [orders]
	// silent: [worker-2]
	// silent: []
}
