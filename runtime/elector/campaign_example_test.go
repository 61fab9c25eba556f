package elector_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// The work of a leader is one function, which is called while this instance leads
// and whose context ends when it no longer does.
func ExampleCampaign() {
	e, err := elector.NewInMemory("worker-1", nil) // or one over your backend
	if err != nil {
		panic(err)
	}
	lead := func(ctx context.Context, term uint64) error {
		fmt.Println("leading in term", term)
		if term == 1 {
			return errors.New("a bad start") // gives the leadership up, to seek it again
		}
		<-ctx.Done() // the work goes here
		fmt.Println("over:", context.Cause(ctx))
		return nil
	}
	c, err := elector.NewCampaign(e, elector.CampaignConfig{
		Lead: lead, Lease: 15 * time.Second, Retry: time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		panic(err)
	}

	ctx, stop := context.WithCancelCause(context.Background())
	go func() { // as a signal may do it
		for s, changed := c.Watch(); s.Term < 2; s, changed = c.Watch() {
			<-changed
		}
		stop(errors.New("SIGTERM"))
	}()
	fmt.Println("ended:", c.Run(ctx))
	// Output:
	// leading in term 1
	// leading in term 2
	// over: SIGTERM
	// ended: <nil>
}

// A probe of readiness, or an exporter of metrics, reads the status. Here an
// instance is unwell when its backend has not answered for a minute.
func ExampleCampaign_Status() {
	e, _ := elector.NewInMemory("worker-1", nil)
	c, _ := elector.NewCampaign(e, elector.CampaignConfig{
		Lease: 15 * time.Second,
		Lead:  func(ctx context.Context, _ uint64) error { <-ctx.Done(); return nil },
	})
	healthy := func() error {
		s := c.Status()
		switch {
		case s.State == elector.Stopped:
			return errors.New("no candidate any more")
		case s.Err != nil && time.Since(s.Answered) > time.Minute:
			return s.Err
		}
		return nil
	}
	fmt.Println(c.Status().State, healthy())
	// Output: idle <nil>
}
