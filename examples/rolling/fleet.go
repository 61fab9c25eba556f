package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/coordgen/coordgen/examples/rolling/worker"
	"github.com/coordgen/coordgen/runtime/coord"
)

// ended is the kind of the event by which a process has ended. Detail is how.
const ended = "ended"

// A process is a worker that was started, and what it said.
type process struct {
	name    string // id and version
	id      string
	version int
	cmd     *exec.Cmd
	stdin   io.WriteCloser

	works, gone bool
	ends        string // how it is to end, once it was told to
	fleet       coord.FleetVersion
	wrote       map[string]bool // version and format
}

// A fleet is the processes that were started, by name.
type fleet struct {
	out      io.Writer
	dir, url string
	begun    time.Time
	events   chan worker.Event
	all      map[string]*process
	ledger   *ledger
}

func newFleet(out io.Writer, dir, url string) *fleet {
	return &fleet{
		out: out, dir: dir, url: url, begun: time.Now(), events: make(chan worker.Event, 256),
		all: make(map[string]*process), ledger: newLedger(),
	}
}

// build makes a program of each version.
func build(ctx context.Context, dir string) error {
	for _, version := range []string{"v1", "v2"} {
		out, err := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, version), "./"+version).CombinedOutput()
		if err != nil {
			return fmt.Errorf("go build ./%s: %w\n%s", version, err, out)
		}
	}
	return nil
}

func startServer() (url string, shutdown func(), err error) {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	if err != nil {
		return "", nil, err
	}
	shutdown = func() { s.Shutdown(); s.WaitForShutdown() }
	s.Start()
	if !s.ReadyForConnections(patience) {
		shutdown()
		return "", nil, fmt.Errorf("the NATS server was not ready after %v", patience)
	}
	return s.ClientURL(), shutdown, nil
}

// start starts a worker. It ends with this process, however that ends, because its
// standard input does.
func (f *fleet) start(id string, version int) (*process, error) {
	p := &process{id: id, version: version, name: fmt.Sprintf("%s v%d", id, version), wrote: make(map[string]bool)}
	// Its end is the story's to decide, not a context's.
	p.cmd = exec.CommandContext(context.Background(), filepath.Join(f.dir, fmt.Sprintf("v%d", version)), id, f.url)
	p.cmd.Stderr = os.Stderr
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", p.name, err)
	}
	f.all[p.name] = p
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var e worker.Event
			if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
				e = worker.Event{At: time.Now(), Worker: id, Version: version, Kind: worker.Failed, Detail: "no event: " + lines.Text()}
			}
			f.events <- e
		}
		_ = p.cmd.Wait() // its state says it
		f.events <- worker.Event{At: time.Now(), Worker: id, Version: version, Kind: ended, Detail: p.cmd.ProcessState.String()}
	}()
	return p, nil
}

// stop has a process leave.
func (f *fleet) stop(p *process) error {
	p.ends = "exit status 0"
	return p.cmd.Process.Signal(syscall.SIGTERM)
}

// kill gives it no time to say anything.
func (f *fleet) kill(p *process) error {
	p.ends = "signal: killed"
	f.ledger.killed(p.name, time.Now())
	return p.cmd.Process.Kill()
}

func (f *fleet) killAll() {
	for _, p := range f.all {
		if !p.gone {
			_ = p.cmd.Process.Kill() // it may have ended meanwhile
		}
	}
}

// pin pins a version in all processes that run.
func (f *fleet) pin(version int) error {
	for _, p := range f.running() {
		if _, err := fmt.Fprintf(p.stdin, "pin %d\n", version); err != nil {
			return err
		}
	}
	return nil
}

// running returns the processes that run and were not told to end, sorted.
func (f *fleet) running() []*process {
	var rest []*process
	for _, name := range slices.Sorted(maps.Keys(f.all)) {
		if p := f.all[name]; p.ends == "" {
			rest = append(rest, p)
		}
	}
	return rest
}

// every says whether all processes of that version that run are so.
func (f *fleet) every(version int, is func(*process) bool) bool {
	return !slices.ContainsFunc(f.running(), func(p *process) bool { return p.version == version && !is(p) })
}

// await follows the fleet until something has come about.
func (f *fleet) await(ctx context.Context, what string, done func() bool) error {
	begun := time.Now()
	for !done() {
		select {
		case e := <-f.events:
			if err := f.take(e); err != nil {
				return err
			}
		case <-ctx.Done():
			return fmt.Errorf("%s: did not come about: %w", what, ctx.Err())
		}
	}
	f.line("", fmt.Sprintf("ok: %s, after %.2f s", what, time.Since(begun).Seconds()))
	return nil
}

// take takes note of an event, shows it if it is rare, and fails if it must not be.
func (f *fleet) take(e worker.Event) error {
	p := f.all[fmt.Sprintf("%s v%d", e.Worker, e.Version)]
	f.ledger.take(p.name, e)
	switch e.Kind {
	case worker.Works:
		p.works = true
		f.line(p.name, "takes orders")
	case worker.Fleet:
		p.fleet = *e.Fleet
		how := ""
		if p.fleet.Pinned {
			how = ", which is pinned"
		}
		f.line(p.name, fmt.Sprintf("writes at version %d%s; the fleet has %d to %d", p.fleet.Writing, how, p.fleet.Lowest, p.fleet.Highest))
	case worker.HearsLeave:
		f.line(p.name, fmt.Sprintf("hears that %s leaves (%s)", e.Peer, e.Detail))
	case worker.Wrote:
		p.wrote[e.Written+" "+e.Detail] = true
	case worker.Failed:
		return fmt.Errorf("%s: %s", p.name, e.Detail)
	case ended:
		p.gone = true
		f.line(p.name, "has ended: "+e.Detail)
		if e.Detail != p.ends {
			return fmt.Errorf("%s ended otherwise than it was told to: %s", p.name, e.Detail)
		}
	}
	return nil
}

func (f *fleet) line(who, what string) {
	fmt.Fprintf(f.out, "%6.2f s  %-5s  %s\n", time.Since(f.begun).Seconds(), who, what)
}
