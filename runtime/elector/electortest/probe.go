package electortest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/callback"
	"github.com/coordgen/coordgen/runtime/elector"
)

// A probe is what a case works with: three rivals, and steps that end the case
// when they fail or take too long.
type probe struct {
	TB
	Factory
	ctx     context.Context // ends with the case
	bound   time.Duration   // what a step may take
	a, b, c elector.LeaderElector
}

var identities = []string{"worker-1", "worker-2", "worker-3"}

func open(t TB, f Factory) *probe {
	t.Helper()
	f.Wait = cmp.Or(f.Wait, 10*time.Second)
	f.Quiet = cmp.Or(f.Quiet, 50*time.Millisecond)
	rivals := f.Open(t, identities...)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return &probe{TB: t, Factory: f, ctx: ctx, bound: f.Wait, a: rivals[0], b: rivals[1], c: rivals[2]}
}

func (p *probe) rivals() []elector.LeaderElector { return []elector.LeaderElector{p.a, p.b, p.c} }

func (p *probe) fatalf(format string, args ...any) {
	p.Helper()
	p.Errorf(format, args...)
	p.FailNow()
}

// within runs one step of the case.
func (p *probe) within(step string, f func() error) {
	p.Helper()
	p.begin(step, f)()
}

// begin starts a step in a goroutine of its own. The returned function waits for
// its end.
func (p *probe) begin(step string, f func() error) (wait func()) {
	done := make(chan error, 1)
	go func() {
		done <- callback.Contain(p.ctx, func(context.Context, struct{}) error { return f() }, struct{}{})
	}()
	return func() {
		p.Helper()
		select {
		case err := <-done:
			if err != nil {
				p.fatalf("%s: %v", step, err)
			}
		case <-time.After(p.bound):
			p.fatalf("%s: not done after %v", step, p.bound)
		}
	}
}

// eventually waits for something that an elector brings about in its own time.
func (p *probe) eventually(what string, holds func() bool) {
	p.Helper()
	p.within(what, func() error {
		for deadline := time.Now().Add(p.bound); !holds(); time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				return fmt.Errorf("not so after %v", p.bound)
			}
		}
		return nil
	})
}

// closes waits for something that a callback reports by closing a channel.
func (p *probe) closes(what string, c <-chan struct{}) {
	p.Helper()
	p.within(what, func() error {
		select {
		case <-c:
			return nil
		case <-time.After(p.bound):
			return fmt.Errorf("not so after %v", p.bound)
		}
	})
}

// answers checks what a method says.
func answers[T comparable](p *probe, e elector.LeaderElector, method string, call func() (T, error), want T) {
	p.Helper()
	p.within(fmt.Sprintf("%s of %q", method, e.Identity()), func() error {
		if got, err := call(); err != nil {
			return err
		} else if got != want {
			return fmt.Errorf("got %#v, want %#v", got, want)
		}
		return nil
	})
}

func (p *probe) acquires(e elector.LeaderElector, want bool) {
	p.Helper()
	answers(p, e, "TryAcquire", func() (bool, error) { return e.TryAcquire(p.ctx) }, want)
}

func (p *probe) renews(e elector.LeaderElector, want bool) {
	p.Helper()
	answers(p, e, "Renew", func() (bool, error) { return e.Renew(p.ctx) }, want)
}

func (p *probe) leads(e elector.LeaderElector, want bool) {
	p.Helper()
	answers(p, e, "IsLeader", func() (bool, error) { return e.IsLeader(), nil }, want)
}

// names checks whom e takes for the leader.
func (p *probe) names(e elector.LeaderElector, want string) {
	p.Helper()
	answers(p, e, "CurrentLeader", func() (string, error) { return e.CurrentLeader(p.ctx) }, want)
}

func (p *probe) release(e elector.LeaderElector) {
	p.Helper()
	p.within(fmt.Sprintf("Release of %q", e.Identity()), func() error { return e.Release(p.ctx) })
}

// lose has the leadership revoked, and e find out.
func (p *probe) lose(e elector.LeaderElector) {
	p.Helper()
	p.within("Lose", func() error { return p.Lose(p.ctx, e) })
	p.renews(e, false)
}

func (p *probe) disconnect(e elector.LeaderElector) {
	p.Helper()
	p.within("Disconnect", func() error { return p.Disconnect(p.ctx, e) })
}

func (p *probe) register(e elector.LeaderElector, f elector.LeaderChangeCallback) (remove func()) {
	p.Helper()
	p.within("OnLeaderChange", func() error { remove = e.OnLeaderChange(f); return nil })
	return remove
}

func (p *probe) remove(remove func()) {
	p.Helper()
	p.within("removal", func() error { remove(); return nil })
}

// A journal is where callbacks write down what they are told.
type journal struct {
	p     *probe
	mu    sync.Mutex
	lines []string
}

// hear registers a callback that writes its name and what it is told.
func (j *journal) hear(e elector.LeaderElector, name string) (remove func()) {
	j.p.Helper()
	return j.p.register(e, j.callback(name))
}

func (j *journal) callback(name string) elector.LeaderChangeCallback {
	return func(_ context.Context, leader bool) error {
		j.write("%s %t", name, leader)
		return nil
	}
}

func (j *journal) write(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, fmt.Sprintf(format, args...))
}

func (j *journal) read() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.lines)
}

// expect waits until the journal holds these lines, and sees that no more come.
func (j *journal) expect(want ...string) {
	j.p.Helper()
	for deadline := time.Now().Add(j.p.bound); len(j.read()) < len(want) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(j.p.Quiet)
	if got := j.read(); !slices.Equal(got, want) {
		j.p.fatalf("callbacks were told %q, want %q", got, want)
	}
}
