package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// An act is what happens to the fleet, and what is to come of it.
type act struct {
	title string
	steps []step
}

// A step is something that is to come about.
type step struct {
	what string
	done func() bool

	seen bool
	took time.Duration // since the act began, once it was seen
}

// act begins an act by doing something to the fleet and follows the fleet until
// each of the steps has come about, in whichever order.
func (f *fleetView) act(ctx context.Context, title string, begin func() error, steps ...step) error {
	fmt.Fprintln(f.out)
	f.line("--", title)
	clear(f.seen) // what was reported before has other causes
	f.acts = append(f.acts, act{title, steps})
	begun := time.Now()
	if err := begin(); err != nil {
		return err
	}
	err := f.await(ctx, func() bool {
		all := true
		for i := range steps {
			s := &steps[i]
			if !s.seen && s.done() {
				s.seen, s.took = true, time.Since(begun)
			}
			all = all && s.seen
		}
		return all
	})
	if err != nil {
		return fmt.Errorf("%s: %w", title, err)
	}
	return nil
}

// summary shows how each step went and how the story ended, and fails if two
// workers led at once.
func (f *fleetView) summary(told error) error {
	fmt.Fprintln(f.out)
	for _, a := range f.acts {
		fmt.Fprintln(f.out, a.title)
		for _, s := range a.steps {
			if s.seen {
				f.verdict(s.what, fmt.Sprintf("after %5.2f s", s.took.Seconds()), nil)
			} else {
				f.verdict(s.what, "", errors.New("did not come about"))
			}
		}
	}
	fmt.Fprintln(f.out, "all the while")
	overlap := f.leaderships.check()
	f.verdict("never two led at once, and terms rose", "", overlap)
	f.verdict("the story came to its end", "", told)
	return overlap
}

func (f *fleetView) verdict(what, when string, err error) {
	verdict := "ok"
	if err != nil {
		verdict = "FAILED: " + err.Error()
	}
	fmt.Fprintf(f.out, "  %-40s %13s  %s\n", what, when, verdict)
}
