package bustest

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

// A probe is what a case works with: the buses of two instances, and steps that
// end the case when they fail or take too long.
type probe struct {
	TB
	Factory
	ctx    context.Context // ends with the case
	prefix string          // of the case's topics
	a, b   bus.Bus
}

func open(t TB, f Factory) *probe {
	t.Helper()
	f.Wait = cmp.Or(f.Wait, 10*time.Second)
	f.Quiet = cmp.Or(f.Quiet, 50*time.Millisecond)
	f.MaxPayload = cmp.Or(f.MaxPayload, 512<<10)
	buses := f.Open(t, 2)
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	return &probe{
		TB: t, Factory: f, ctx: ctx,
		prefix: "__bustest." + rand.Text() + ".",
		a:      buses[0], b: buses[1],
	}
}

func (p *probe) fatalf(format string, args ...any) {
	p.Helper()
	p.Errorf(format, args...)
	p.FailNow()
}

// within runs one step of the case.
func (p *probe) within(step string, f func() error) {
	p.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		if err != nil {
			p.fatalf("%s: %v", step, err)
		}
	case <-time.After(p.Wait):
		p.fatalf("%s: not done after %v", step, p.Wait)
	}
}

// eventually waits for something that handlers bring about.
func (p *probe) eventually(what string, holds func() bool) {
	p.Helper()
	for deadline := time.Now().Add(p.Wait); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			p.fatalf("%s: not so after %v", what, p.Wait)
		}
	}
}

// closes waits for something that a handler reports by closing a channel.
func (p *probe) closes(what string, c <-chan struct{}) {
	p.Helper()
	p.eventually(what, func() bool {
		select {
		case <-c:
			return true
		default:
			return false
		}
	})
}

func (p *probe) publish(on bus.Bus, topic string, payloads ...string) {
	p.Helper()
	for _, payload := range payloads {
		p.send(on, bus.Message{Topic: p.prefix + topic, Payload: []byte(payload)})
	}
}

func (p *probe) send(on bus.Bus, m bus.Message) {
	p.Helper()
	p.within("publish", func() error { return on.Publish(p.ctx, m) })
}

// handle subscribes h. The returned function is the subscription's own stop.
func (p *probe) handle(on bus.Bus, topic string, h bus.Handler) (stop func() error) {
	p.Helper()
	return p.handleUntil(p.ctx, on, topic, h)
}

func (p *probe) handleUntil(ctx context.Context, on bus.Bus, topic string, h bus.Handler) (stop func() error) {
	p.Helper()
	p.within("subscribe", func() (err error) {
		stop, err = on.Subscribe(ctx, p.prefix+topic, h)
		return err
	})
	return stop
}

// subscribe collects what comes.
func (p *probe) subscribe(on bus.Bus, topic string) *inbox {
	p.Helper()
	in := &inbox{p: p}
	in.stop = p.handle(on, topic, in.receive)
	return in
}

// An inbox holds the messages that a subscription got. It reads no payload
// before it is asked to, and so finds out about those that change.
type inbox struct {
	p    *probe
	stop func() error

	mu       sync.Mutex
	messages []bus.Message
}

func (in *inbox) receive(_ context.Context, m bus.Message) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.messages = append(in.messages, m)
	return nil
}

func (in *inbox) received() []bus.Message {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.messages)
}

func (in *inbox) forget() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.messages = nil
}

func (in *inbox) payloads() []string {
	var all []string
	for _, m := range in.received() {
		all = append(all, string(m.Payload))
	}
	return all
}

// await waits for so many messages, and a little longer for those beyond them.
func (in *inbox) await(count int) {
	in.p.Helper()
	for deadline := time.Now().Add(in.p.Wait); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if len(in.received()) >= count {
			break
		}
	}
	time.Sleep(in.p.Quiet)
}

// expect waits until the inbox holds these payloads, and no others.
func (in *inbox) expect(whose string, want ...string) {
	in.p.Helper()
	in.await(len(want))
	got := in.payloads()
	if !in.p.Ordered {
		want = slices.Sorted(slices.Values(want))
		slices.Sort(got)
	}
	in.p.same(whose, got, want)
}

// same ends the case at the first difference.
func (p *probe) same(whose string, got, want []string) {
	p.Helper()
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	payload := func(all []string) string {
		if at == len(all) {
			return "nothing"
		}
		return fmt.Sprintf("%.40q (%d bytes)", all[at], len(all[at]))
	}
	if at < max(len(got), len(want)) {
		p.fatalf("%s: received %d messages, want %d; message %d is %s, want %s",
			whose, len(got), len(want), at+1, payload(got), payload(want))
	}
}
