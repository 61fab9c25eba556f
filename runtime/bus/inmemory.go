package bus

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"maps"
	"math"
	"slices"
	"sync"
)

// InMemoryOptions says how an [InMemory] bus works. The zero value is fit for
// use.
type InMemoryOptions struct {
	// Queue is how many messages may wait for each subscription's handler.
	// 0 means 1024.
	Queue int
	// Logger is told of handlers that fail. Nil means [slog.Default].
	Logger *slog.Logger
}

// InMemory is a [Bus] within one process. It keeps the order in which each
// publisher published, and loses nothing: where a subscription's queue is full,
// Publish waits for room, until its context ends or the subscription does. So a
// slow handler holds up those who publish to its topic, but takes nothing from
// the other subscriptions: they get the message before Publish waits.
//
// A handler that publishes never waits, because it could wait for itself. Its
// messages may take a queue beyond its bound.
type InMemory struct {
	queue int
	log   *slog.Logger

	mu     sync.Mutex
	closed bool
	topics map[string][]*subscription // elements never change: Publish reads them without the lock
}

var _ Bus = (*InMemory)(nil)

// NewInMemory returns a bus without subscriptions. It holds no resources until
// there are some.
func NewInMemory(o InMemoryOptions) *InMemory {
	return &InMemory{
		queue:  cmp.Or(max(o.Queue, 0), 1024),
		log:    o.Logger,
		topics: make(map[string][]*subscription),
	}
}

// Publish copies m once, and returns nil when the copy is in the queue of every
// subscription to its topic. It fails when ctx ends, and with [ErrClosed] after
// Close.
func (b *InMemory) Publish(ctx context.Context, m Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	b.mu.Lock()
	closed, subscriptions := b.closed, b.topics[m.Topic]
	b.mu.Unlock()
	if closed {
		return ErrClosed
	}

	m.Header, m.Payload = maps.Clone(m.Header), bytes.Clone(m.Payload)
	var full []*subscription
	for _, s := range subscriptions {
		if !s.offer(m) {
			full = append(full, s)
		}
	}
	for _, s := range full {
		if err := s.put(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// Subscribe is described at [Subscriber]. It fails when ctx has ended, and with
// [ErrClosed] after Close.
func (b *InMemory) Subscribe(ctx context.Context, topic string, h Handler) (stop func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, ErrClosed
	}
	s := &subscription{
		leave: b.leave,
		topic: topic,
		bound: b.queue,
		ready: newSignal(),
		room:  newSignal(),
		ended: make(chan struct{}),
	}
	b.topics[topic] = append(b.topics[topic], s)
	s.stop = Serve(ctx, topic, h, s, b.log)
	return s.stop, nil
}

// Close stops every subscription, as its stop function does: it waits for running
// handlers, unless it is called from within one. It returns nil and may be called
// more than once.
func (b *InMemory) Close() error {
	b.mu.Lock()
	b.closed = true
	subscriptions := slices.Concat(slices.Collect(maps.Values(b.topics))...)
	b.mu.Unlock()
	for _, s := range subscriptions {
		_ = s.stop() // its Close never fails
	}
	return nil
}

func (b *InMemory) leave(s *subscription) {
	b.mu.Lock()
	defer b.mu.Unlock()
	rest := slices.DeleteFunc(slices.Clone(b.topics[s.topic]), func(x *subscription) bool { return x == s })
	if b.topics[s.topic] = rest; len(rest) == 0 {
		delete(b.topics, s.topic)
	}
}

// A subscription is the [Source] of an InMemory bus: a queue, and two signals for
// those who wait to put something in or to take something out.
type subscription struct {
	leave func(*subscription)
	topic string
	stop  func() error
	bound int

	ready signal // messages may have come
	room  signal // the queue may have fallen below its bound
	ended chan struct{}

	mu    sync.Mutex
	queue []Message
}

// offer queues m if there is room.
func (s *subscription) offer(m Message) bool { return s.add(m, s.bound) }

// put queues m as soon as there is room, and for a handler at once.
func (s *subscription) put(ctx context.Context, m Message) error {
	if handling() {
		s.add(m, math.MaxInt)
		return nil
	}
	for !s.offer(m) {
		select {
		case <-s.room:
		case <-s.ended:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *subscription) add(m Message, bound int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) >= bound {
		return false
	}
	s.queue = append(s.queue, m)
	s.ready.send()
	if len(s.queue) < s.bound {
		s.room.send() // one signal may have to wake several publishers, one after the other
	}
	return true
}

// Next takes the first message from the queue.
func (s *subscription) Next(ctx context.Context) (Message, error) {
	for {
		if m, ok := s.take(); ok {
			return m, nil
		}
		select {
		case <-s.ready:
		case <-ctx.Done():
			return Message{}, ctx.Err()
		}
	}
}

func (s *subscription) take() (m Message, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		return Message{}, false
	}
	m, s.queue[0] = s.queue[0], Message{} // the array is used on, and must not keep the payload
	s.queue = s.queue[1:]
	s.room.send()
	return m, true
}

// Close takes the subscription off the bus and lets those go who wait for room.
func (s *subscription) Close() error {
	s.leave(s)
	close(s.ended)
	return nil
}

// A signal wakes one who waits for it, now or later. Signals that nobody has
// waited for are one.
type signal chan struct{}

func newSignal() signal { return make(signal, 1) }

func (s signal) send() {
	select {
	case s <- struct{}{}:
	default:
	}
}
