package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// A process is a worker that was started.
type process struct {
	cmd    *exec.Cmd
	ending bool // it was told to end
	gone   bool
	code   int
}

// An exit is the end of a worker's process.
type exit struct {
	id   string
	at   time.Time
	code int
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
	if _, err := cmd.StdinPipe(); err != nil { // ends with this process, however that ends
		return err
	}
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
		f.exits <- exit{m.id, time.Now(), cmd.ProcessState.ExitCode()}
	}()
	return nil
}

func (f *fleetView) startAll(url string) error {
	for _, m := range crew() {
		if err := f.start(m, url); err != nil {
			return fmt.Errorf("start %s: %w", m.id, err)
		}
	}
	return nil
}

// signal tells a worker to end, gently or not.
func (f *fleetView) signal(id string, s syscall.Signal) error {
	p := f.workers[id]
	p.ending = true
	if err := p.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("signal %s: %w", id, err)
	}
	if s == syscall.SIGKILL {
		f.leaderships.end(id, time.Now()) // it can't say so itself
	}
	return nil
}

func (f *fleetView) killAll() {
	for _, p := range f.workers {
		if !p.gone {
			_ = p.cmd.Process.Kill() // it may have ended meanwhile
		}
	}
}
