package elector_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/coordgen/coordgen/runtime/elector"
)

// Of two workers the first to try leads. The second can when the first has
// released.
func ExampleInMemory() {
	ctx := context.Background()
	election := elector.NewShared()
	first, second := worker("worker-1", election), worker("worker-2", election)

	for _, e := range []elector.LeaderElector{first, second} {
		won, err := e.TryAcquire(ctx)
		fmt.Println(e.Identity(), "acquired:", won, err)
	}
	leader, _ := second.CurrentLeader(ctx)
	fmt.Println("current leader:", leader)

	_ = first.Release(ctx)
	_, _ = second.TryAcquire(ctx)
	// Output:
	// worker-1 leads: true
	// worker-1 acquired: true <nil>
	// worker-2 acquired: false <nil>
	// current leader: worker-1
	// worker-1 leads: false
	// worker-2 leads: true
}

// worker takes part in an election and says when it leads.
func worker(identity string, election *elector.Shared) *elector.InMemory {
	e, err := elector.NewInMemory(identity, election)
	if err != nil {
		log.Fatal(err)
	}
	e.OnLeaderChange(func(_ context.Context, leader bool) error {
		fmt.Printf("%s leads: %t\n", identity, leader)
		return nil
	})
	return e
}

// A test takes the leadership away, to see whether the program tries again.
func ExampleInMemory_ForceLoseLeadership() {
	ctx := context.Background()
	e, err := elector.NewInMemory("worker-1", nil)
	if err != nil {
		log.Fatal(err)
	}
	e.OnLeaderChange(func(ctx context.Context, leader bool) error {
		fmt.Printf("leads: %t, term %d\n", leader, e.Term())
		if leader {
			return nil
		}
		_, err := e.TryAcquire(ctx) // is told once this callback has returned
		return err
	})
	_, _ = e.TryAcquire(ctx)
	e.ForceLoseLeadership(ctx)
	// Output:
	// leads: true, term 1
	// leads: false, term 0
	// leads: true, term 2
}

// A leader hands its term to the store, which refuses what comes from an earlier
// one.
func ExampleFenced() {
	ctx := context.Background()
	election := elector.NewShared()
	first, _ := elector.NewInMemory("worker-1", election)
	second, _ := elector.NewInMemory("worker-2", election)

	highest := uint64(0)
	write := func(term uint64, value string) {
		if term < highest {
			fmt.Printf("refused %s: term %d is over\n", value, term)
			return
		}
		highest = term
		fmt.Printf("wrote %s in term %d\n", value, term)
	}

	_, _ = first.TryAcquire(ctx)
	term := first.Term() // read before the work, sent with its result
	first.ForceLoseLeadership(ctx)
	_, _ = second.TryAcquire(ctx)
	write(second.Term(), "new plan")
	write(term, "old plan")
	// Output:
	// wrote new plan in term 2
	// refused old plan: term 1 is over
}

// A lock is an elector's part that keeps what the backend said.
type lock struct {
	notifier elector.Notifier

	mu     sync.Mutex
	leader bool
}

func (l *lock) set(ctx context.Context, leader bool) {
	defer l.notifier.Tell(nil, "worker-1") // runs last, when the lock is free
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leader = leader
	l.notifier.Queue(ctx, leader)
}

// An elector queues changes under its lock and tells them outside, so that
// callbacks may call it.
func ExampleNotifier() {
	ctx := context.Background()
	var l lock
	l.notifier.OnLeaderChange(func(ctx context.Context, leader bool) error {
		if leader {
			l.set(ctx, false)
		}
		fmt.Println("first:", leader)
		return nil
	})
	l.notifier.OnLeaderChange(func(_ context.Context, leader bool) error {
		fmt.Println("second:", leader)
		return nil
	})
	l.set(ctx, true)
	// Output:
	// first: true
	// second: true
	// first: false
	// second: false
}
