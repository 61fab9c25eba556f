package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A process is a worker that was started.
type process struct {
	cmd  *exec.Cmd
	gone bool
	code int
}

// An exit is the end of a worker's process.
type exit struct {
	id   string
	code int
}

// A result is a step of the story, and how it went.
type result struct {
	what string
	took time.Duration
	err  error
}

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

	seen     map[sighting]bool
	work     map[string][]string
	leader   string
	term     uint64
	overlaps []string
	results  []result
}

func newFleet(out io.Writer) *fleetView {
	return &fleetView{
		out: out, begun: time.Now(), events: make(chan event, 64), exits: make(chan exit, len(crew())),
		workers: make(map[string]*process), seen: make(map[sighting]bool), work: make(map[string][]string),
	}
}

// start runs this program again as a worker.
func (f *fleetView) start(m member, url string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	// Its end is the story's to decide, not a context's.
	cmd := exec.CommandContext(context.Background(), self, "worker", m.id, m.zone, url, strings.Join(m.work, ","))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	f.workers[m.id] = &process{cmd: cmd}
	go func() {
		lines := bufio.NewScanner(out)
		for lines.Scan() {
			var e event
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				f.events <- e
			}
		}
		_ = cmd.Wait() // its code says it
		f.exits <- exit{m.id, cmd.ProcessState.ExitCode()}
	}()
	return nil
}

// await follows the events until the condition holds.
func (f *fleetView) await(ctx context.Context, what string, done func() bool) error {
	begun := time.Now()
	timeout := time.After(patience)
	var err error
	for err == nil && !done() {
		select {
		case e := <-f.events:
			f.take(e)
		case x := <-f.exits:
			f.workers[x.id].gone, f.workers[x.id].code = true, x.code
			f.line(x.id, fmt.Sprintf("has ended (exit code %d)", x.code))
		case <-timeout:
			err = fmt.Errorf("after %v: not so", patience)
		case <-ctx.Done():
			err = errors.New("interrupted")
		}
	}
	f.results = append(f.results, result{what, time.Since(begun), err})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
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
		if f.leader != "" || e.Term <= f.term {
			f.overlaps = append(f.overlaps, fmt.Sprintf("%s led with term %d while %q had term %d", e.Worker, e.Term, f.leader, f.term))
		}
		f.leader, f.term = e.Worker, e.Term
	case eventLost:
		if f.leader == e.Worker {
			f.leader = ""
		}
	}
	f.line(e.Worker, words(e))
}

func (f *fleetView) signal(id string, s syscall.Signal) error {
	if s == syscall.SIGKILL && f.leader == id {
		f.leader = "" // it can't say so itself
	}
	return f.workers[id].cmd.Process.Signal(s)
}

func (f *fleetView) killAll() {
	for _, p := range f.workers {
		if !p.gone {
			_ = p.cmd.Process.Kill() // it may have ended meanwhile
		}
	}
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
func (f *fleetView) follower() string { return f.others(f.leader)[0] }

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

// summary shows how each step went.
func (f *fleetView) summary() error {
	fmt.Fprintln(f.out)
	for _, r := range f.results {
		verdict := "ok"
		if r.err != nil {
			verdict = "FAILED: " + r.err.Error()
		}
		fmt.Fprintf(f.out, "  %-40s %6.1f s  %s\n", r.what, r.took.Seconds(), verdict)
	}
	verdict := "ok"
	if len(f.overlaps) > 0 {
		verdict = "FAILED: " + strings.Join(f.overlaps, "; ")
	}
	fmt.Fprintf(f.out, "  %-40s %6s    %s\n", "never two leaders, terms rising", "", verdict)
	if len(f.overlaps) > 0 {
		return errors.New("two leaders: " + strings.Join(f.overlaps, "; "))
	}
	return nil
}
