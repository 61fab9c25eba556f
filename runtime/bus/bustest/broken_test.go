package bustest_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/bus/bustest"
)

type (
	publish   = func(ctx context.Context, b bus.Bus, m bus.Message) error
	subscribe = func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error)
	open      = func(t bustest.TB, n int) []bus.Bus
)

// broken is a bus of which a part is replaced.
type broken struct {
	bus.Bus
	publish
	subscribe
}

func (b broken) Publish(ctx context.Context, m bus.Message) error {
	if b.publish == nil {
		return b.Bus.Publish(ctx, m)
	}
	return b.publish(ctx, b.Bus, m)
}

func (b broken) Subscribe(ctx context.Context, topic string, h bus.Handler) (func() error, error) {
	if b.subscribe == nil {
		return b.Bus.Subscribe(ctx, topic, h)
	}
	return b.subscribe(ctx, b.Bus, topic, h)
}

func wrap(buses []bus.Bus, how broken) []bus.Bus {
	var all []bus.Bus
	for _, b := range buses {
		how.Bus = b
		all = append(all, how)
	}
	return all
}

func publishing(how func() publish) open {
	return func(t bustest.TB, n int) []bus.Bus { return wrap(inMemory(t, n), broken{publish: how()}) }
}

func subscribing(how func() subscribe) open {
	return func(t bustest.TB, n int) []bus.Bus { return wrap(inMemory(t, n), broken{subscribe: how()}) }
}

func handling(how func(bus.Handler) bus.Handler) open {
	return subscribing(func() subscribe {
		return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
			return b.Subscribe(ctx, topic, how(h))
		}
	})
}

func changing(how func(*bus.Message)) func(bus.Handler) bus.Handler {
	return func(h bus.Handler) bus.Handler {
		return func(ctx context.Context, m bus.Message) error {
			how(&m)
			return h(ctx, m)
		}
	}
}

func stopping(how func(stop func() error) func() error) open {
	return subscribing(func() subscribe {
		return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
			stop, err := b.Subscribe(ctx, topic, h)
			return how(stop), err
		}
	})
}

func eachInstance(sends func(i int) publish, receives func(i int, h bus.Handler) bus.Handler) open {
	return func(t bustest.TB, n int) []bus.Bus {
		var all []bus.Bus
		for i, b := range inMemory(t, n) {
			all = append(all, broken{Bus: b, publish: sends(i),
				subscribe: func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
					return b.Subscribe(ctx, topic, receives(i, h))
				}})
		}
		return all
	}
}

// matching sends everything through one topic and leaves it to match what a
// subscription gets.
func matching(match func(topic, subscribed string) bool) open {
	return func(t bustest.TB, n int) []bus.Bus {
		return wrap(inMemory(t, n), broken{
			publish: func(ctx context.Context, b bus.Bus, m bus.Message) error {
				m.Header = with(m.Header, "topic", m.Topic)
				m.Topic = "all"
				return b.Publish(ctx, m)
			},
			subscribe: func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				return b.Subscribe(ctx, "all", func(ctx context.Context, m bus.Message) error {
					m.Topic = m.Header["topic"]
					if !match(m.Topic, topic) {
						return nil
					}
					return h(ctx, m)
				})
			},
		})
	}
}

// aliasing delivers a part of the very message that was published.
func aliasing(how func(got, sent *bus.Message)) open {
	return func(t bustest.TB, n int) []bus.Bus {
		var sent sync.Map
		var count atomic.Int32
		return wrap(inMemory(t, n), broken{
			publish: func(ctx context.Context, b bus.Bus, m bus.Message) error {
				id := fmt.Sprint(count.Add(1))
				sent.Store(id, m)
				m.Header = with(m.Header, "id", id)
				return b.Publish(ctx, m)
			},
			subscribe: func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				return b.Subscribe(ctx, topic, func(ctx context.Context, m bus.Message) error {
					original, _ := sent.Load(m.Header["id"])
					message := original.(bus.Message)
					how(&m, &message)
					return h(ctx, m)
				})
			},
		})
	}
}

// A set holds what was added to it, once.
type set struct{ members sync.Map }

func newSet() *set { return &set{} }

func (s *set) add(member string) bool {
	_, there := s.members.LoadOrStore(member, true)
	return !there
}
