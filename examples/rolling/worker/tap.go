package worker

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

// The headers by which the example knows a message again.
const (
	headerStream = "stream"
	headerNumber = "number"
)

// A tap is a bus that reports each message that is written and read. The messages of
// a topic must be published one after the other.
type tap struct {
	bus.Bus
	*reporter
	mu    sync.Mutex
	count map[string]int // of the messages of each topic
}

func newTap(b bus.Bus, r *reporter) *tap {
	return &tap{Bus: b, reporter: r, count: make(map[string]int)}
}

// Publish gives the message its place in a stream.
func (t *tap) Publish(ctx context.Context, m bus.Message) error {
	t.mu.Lock()
	t.count[m.Topic]++
	number := t.count[m.Topic]
	t.mu.Unlock()
	m.Header = maps.Clone(m.Header)
	m.Header[headerStream] = fmt.Sprintf("%s v%d %s", t.worker, t.version, m.Topic)
	m.Header[headerNumber] = strconv.Itoa(number)
	e := about(m, Wrote)
	e.At, e.Detail = time.Now(), m.Header[bus.HeaderContentType]
	if err := t.Bus.Publish(ctx, m); err != nil {
		return err
	}
	e.AcceptedAt = time.Now()
	t.report(e)
	return nil
}

// Subscribe reports what h handled without an error.
func (t *tap) Subscribe(ctx context.Context, topic string, h bus.Handler) (stop func() error, err error) {
	return t.Bus.Subscribe(ctx, topic, func(ctx context.Context, m bus.Message) error {
		if err := h(ctx, m); err != nil {
			t.report(Event{Kind: Failed, Detail: err.Error()})
			return err
		}
		t.report(about(m, Read))
		return nil
	})
}

// unreadable is for [bus.Options].
func (t *tap) unreadable(_ context.Context, m bus.Message, err error) error {
	e := about(m, Unreadable)
	e.Detail = err.Error()
	t.report(e)
	return nil
}

func about(m bus.Message, kind string) Event {
	number, _ := strconv.Atoi(m.Header[headerNumber]) // the tap wrote it
	return Event{Kind: kind, Stream: m.Header[headerStream], Number: number, Written: m.Header[bus.HeaderSchemaVersion]}
}
