package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

var (
	errTimeUp      = errors.New("time is up")
	errInterrupted = errors.New("interrupted")
)

// A sighting is that a worker reported an event about a peer.
type sighting struct{ worker, kind, peer string }

// A fleetView is what the supervisor knows of the fleet, all of it from the
// workers' events and exits.
type fleetView struct {
	out     io.Writer
	begun   time.Time
	events  chan event
	exits   chan exit
	workers map[string]*process

	seen        map[sighting]bool // since the last signal
	work        map[string][]string
	leaderships leaderships
	acts        []act
}

func newFleet(out io.Writer) *fleetView {
	return &fleetView{
		out: out, begun: time.Now(), events: make(chan event, 64), exits: make(chan exit, len(crew())),
		workers: make(map[string]*process), seen: make(map[sighting]bool), work: make(map[string][]string),
	}
}

// await follows the fleet until the condition holds.
func (f *fleetView) await(ctx context.Context, done func() bool) error {
	err := f.follow(ctx, time.After(patience), done)
	if errors.Is(err, errTimeUp) {
		return fmt.Errorf("gave up after %v", patience)
	}
	return err
}

// watch follows the fleet for a while.
func (f *fleetView) watch(ctx context.Context, d time.Duration) error {
	err := f.follow(ctx, time.After(d), func() bool { return false })
	if errors.Is(err, errTimeUp) {
		return nil
	}
	return err
}

func (f *fleetView) follow(ctx context.Context, up <-chan time.Time, done func() bool) error {
	for !done() {
		select {
		case e := <-f.events:
			f.take(e)
		case x := <-f.exits:
			if err := f.takeExit(x); err != nil {
				return err
			}
		case <-up:
			return errTimeUp
		case <-ctx.Done():
			return errInterrupted
		}
	}
	return nil
}

// take brings the view up to date and shows the event.
func (f *fleetView) take(e event) {
	f.seen[sighting{e.Worker, e.Kind, e.Peer}] = true
	switch e.Kind {
	case eventUp, eventWorks:
		f.work[e.Worker] = e.Work
	case eventLeads:
		f.leaderships.begin(e.Worker, e.Term, e.At)
	case eventLost:
		f.leaderships.end(e.Worker, e.At)
	}
	f.line(e.Worker, words(e))
}

// takeExit fails if nobody told the worker to end.
func (f *fleetView) takeExit(x exit) error {
	p := f.workers[x.id]
	p.gone, p.code = true, x.code
	f.leaderships.end(x.id, x.at)
	if !p.ending {
		f.line(x.id, fmt.Sprintf("has ended by itself (exit code %d)", x.code))
		return fmt.Errorf("%s ended by itself with exit code %d", x.id, x.code)
	}
	how := fmt.Sprintf("exit code %d", x.code)
	if x.code < 0 {
		how = "killed"
	}
	f.line(x.id, fmt.Sprintf("has ended (%s)", how))
	return nil
}

// others returns the workers that run, without one.
func (f *fleetView) others(id string) []string {
	var rest []string
	for _, c := range crew() {
		if c.id != id && !f.workers[c.id].gone {
			rest = append(rest, c.id)
		}
	}
	return rest
}

// follower returns a worker that does not lead.
func (f *fleetView) follower() string {
	leader, _ := f.leaderships.current()
	return f.others(leader.worker)[0]
}

// led says whether one of the workers leads.
func (f *fleetView) led() bool {
	_, ok := f.leaderships.current()
	return ok
}

// ledAfter says whether one of these workers leads with a higher term.
func (f *fleetView) ledAfter(workers []string, term uint64) bool {
	l, ok := f.leaderships.current()
	return ok && l.term > term && slices.Contains(workers, l.worker)
}

func (f *fleetView) metAll() bool {
	for _, c := range crew() {
		for _, peer := range f.others(c.id) {
			if !f.saw([]string{c.id}, eventMet, peer) {
				return false
			}
		}
	}
	return true
}

// saw says whether all of the workers reported the event about the peer.
func (f *fleetView) saw(workers []string, kind, peer string) bool {
	return !slices.ContainsFunc(workers, func(w string) bool {
		return !f.seen[sighting{w, kind, peer}]
	})
}

// covers says whether the workers have all work between them.
func (f *fleetView) covers(workers []string) bool {
	var has []string
	for _, w := range workers {
		has = append(has, f.work[w]...)
	}
	for _, c := range crew() {
		for _, s := range c.work {
			if !slices.Contains(has, s) {
				return false
			}
		}
	}
	return true
}

func (f *fleetView) exited(id string, code int) bool {
	return f.workers[id].gone && f.workers[id].code == code
}
