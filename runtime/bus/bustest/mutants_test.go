package bustest_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/bus/bustest"
)

// A mutant is a way to break a bus, with the cases that must find it.
type mutant struct {
	name  string
	fails []string
	open  func(bustest.TB, int) []bus.Bus
}

var mutants = []mutant{
	{"delivers to one subscription", []string{"every-subscription"}, subscribing(
		func() subscribe {
			taken := newSet()
			return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				if !taken.add(topic) {
					return func() error { return nil }, nil
				}
				return b.Subscribe(ctx, topic, h)
			}
		})},
	{"keeps an instance's own messages from it", []string{"own-messages"}, eachInstance(
		func(i int) publish {
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				m.Header = with(m.Header, "from", fmt.Sprint(i))
				return b.Publish(ctx, m)
			}
		},
		func(i int, h bus.Handler) bus.Handler {
			return func(ctx context.Context, m bus.Message) error {
				if m.Header["from"] == fmt.Sprint(i) {
					return nil
				}
				return h(ctx, m)
			}
		})},
	{"subscribes late", []string{"at-once"}, subscribing(
		func() subscribe {
			return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				ctx, cancel := context.WithCancel(ctx)
				time.AfterFunc(10*time.Millisecond, func() { _, _ = b.Subscribe(ctx, topic, h) })
				return func() error { cancel(); return nil }, nil
			}
		})},
	{"replays history", []string{"no-history"}, func(t bustest.TB, n int) []bus.Bus {
		var history sync.Map
		return wrap(inMemory(t, n), broken{
			publish: func(ctx context.Context, b bus.Bus, m bus.Message) error {
				history.Store(m.Topic, m)
				return b.Publish(ctx, m)
			},
			subscribe: func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				if m, ok := history.Load(topic); ok {
					_ = h(ctx, m.(bus.Message))
				}
				return b.Subscribe(ctx, topic, h)
			},
		})
	}},
	{"drops every tenth", []string{"exactly-once", "handler-slow"}, publishing(
		func() publish {
			var count atomic.Int32
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				if count.Add(1)%10 == 0 {
					return nil
				}
				return b.Publish(ctx, m)
			}
		})},
	{"delivers every tenth twice", []string{"exactly-once"}, publishing(
		func() publish {
			var count atomic.Int32
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				if count.Add(1)%10 == 0 {
					_ = b.Publish(ctx, m)
				}
				return b.Publish(ctx, m)
			}
		})},
	{"delivers in any order", []string{"publisher-order"}, publishing(
		func() publish {
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				m.Header, m.Payload = maps.Clone(m.Header), slices.Clone(m.Payload)
				time.AfterFunc(rand.N(time.Millisecond), func() { _ = b.Publish(context.WithoutCancel(ctx), m) })
				return nil
			}
		})},
	{"calls a handler while it runs", []string{"one-at-a-time"}, handling(
		func(h bus.Handler) bus.Handler {
			return func(ctx context.Context, m bus.Message) error {
				go func() { _ = h(ctx, m) }()
				return nil
			}
		})},
	{"drops empty payloads", []string{"payloads"}, handling(
		func(h bus.Handler) bus.Handler {
			return func(ctx context.Context, m bus.Message) error {
				if len(m.Payload) == 0 {
					return nil
				}
				return h(ctx, m)
			}
		})},
	{"takes payloads for text", []string{"payloads"}, handling(changing(
		func(m *bus.Message) { m.Payload = []byte(strings.ToValidUTF8(string(m.Payload), "?")) }))},
	{"trims payloads", []string{"payloads"}, handling(changing(
		func(m *bus.Message) { m.Payload = []byte(strings.TrimSpace(string(m.Payload))) }))},
	{"cuts payloads off", []string{"large-payload"}, handling(changing(
		func(m *bus.Message) { m.Payload = m.Payload[:min(len(m.Payload), 64<<10)] }))},
	{"cuts a topic's prefix off", []string{"topic-name"}, handling(changing(
		func(m *bus.Message) { m.Topic = m.Topic[strings.LastIndex(m.Topic, ".")+1:] }))},
	{"loses headers", []string{"headers"}, handling(changing(
		func(m *bus.Message) { m.Header = nil }))},
	{"keeps the content type only", []string{"headers"}, handling(changing(
		func(m *bus.Message) {
			m.Header = map[string]string{bus.HeaderContentType: m.Header[bus.HeaderContentType]}
		}))},
	{"makes up a content type", []string{"headers"}, handling(changing(
		func(m *bus.Message) {
			if m.Header == nil {
				m.Header = map[string]string{bus.HeaderContentType: "application/json"}
			}
		}))},
	{"keeps the publisher's payload", []string{"reused-buffer"}, aliasing(
		func(got, sent *bus.Message) { got.Payload = sent.Payload })},
	{"keeps the publisher's header", []string{"reused-buffer"}, aliasing(
		func(got, sent *bus.Message) { got.Header = sent.Header })},
	{"wipes the publisher's payload", []string{"reused-buffer"}, publishing(
		func() publish {
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				defer clear(m.Payload)
				return b.Publish(ctx, m)
			}
		})},
	{"takes a topic for a prefix", []string{"topics-apart"}, matching(strings.HasPrefix)},
	{"takes a topic for a suffix", []string{"topics-apart"}, matching(
		func(topic, subscribed string) bool { return strings.HasSuffix(topic, lastPart(subscribed)) })},
	{"ignores case", []string{"topics-apart"}, matching(strings.EqualFold)},
	{"replaces what its broker does not take", []string{"odd-topics"}, matching(
		func(topic, subscribed string) bool { return plain(topic) == plain(subscribed) })},
	{"goes on after stop", []string{"stop"}, stopping(
		func(func() error) func() error { return func() error { return nil } })},
	{"stops every subscription at once", []string{"stop"}, func(bustest.TB, int) []bus.Bus {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		return wrap([]bus.Bus{b, b}, broken{
			subscribe: func(ctx context.Context, inner bus.Bus, topic string, h bus.Handler) (func() error, error) {
				_, err := inner.Subscribe(ctx, topic, h)
				return b.Close, err
			},
		})
	}},
	{"does not wait for the handler", []string{"stop-waits"}, stopping(
		func(stop func() error) func() error {
			return func() error { go func() { _ = stop() }(); return nil }
		})},
	{"ends the handler's context", []string{"stop-waits"}, subscribing(
		func() subscribe {
			return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				ctx, cancel := context.WithCancel(ctx)
				stop, err := b.Subscribe(ctx, topic, h)
				return func() error { cancel(); return stop() }, err
			}
		})},
	{"waits for itself", []string{"stop-within-handler"}, stopping(
		func(stop func() error) func() error {
			return func() error { // on another stack
				done := make(chan error)
				go func() { done <- stop() }()
				return <-done
			}
		})},
	{"fails the second stop", []string{"stop-twice"}, stopping(
		func(stop func() error) func() error {
			var stopped atomic.Bool
			return func() error {
				if stopped.Swap(true) {
					return errors.New("no such subscription")
				}
				return stop()
			}
		})},
	{"ignores the context of Subscribe", []string{"context", "goroutines"}, subscribing(
		func() subscribe {
			return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				return b.Subscribe(context.WithoutCancel(ctx), topic, h)
			}
		})},
	{"dies of an error", []string{"handler-error"}, handling(
		func(h bus.Handler) bus.Handler {
			var failed error
			return func(ctx context.Context, m bus.Message) error {
				if failed == nil {
					failed = h(ctx, m)
				}
				return failed
			}
		})},
	{"dies of a panic", []string{"handler-panic"}, handling(
		func(h bus.Handler) bus.Handler {
			dead := false
			return func(ctx context.Context, m bus.Message) error {
				if dead {
					return nil
				}
				dead = true
				err := h(ctx, m)
				dead = false
				return err
			}
		})},
	{"drops what a busy handler can't take", []string{"handler-slow"}, handling(
		func(h bus.Handler) bus.Handler {
			var busy atomic.Bool
			return func(ctx context.Context, m bus.Message) error {
				if busy.Swap(true) {
					return nil
				}
				go func() { defer busy.Store(false); _ = h(ctx, m) }()
				return nil
			}
		})},
	{"serves one subscription after the other", []string{"handler-slow"}, func(t bustest.TB, n int) []bus.Bus {
		var turn sync.Mutex
		return handling(func(h bus.Handler) bus.Handler {
			return func(ctx context.Context, m bus.Message) error {
				turn.Lock()
				defer turn.Unlock()
				return h(ctx, m)
			}
		})(t, n)
	}},
	{"publishes under the handlers' lock", []string{"handler-publishes"}, func(t bustest.TB, n int) []bus.Bus {
		var lock sync.Mutex
		return wrap(inMemory(t, n), broken{
			publish: func(ctx context.Context, b bus.Bus, m bus.Message) error {
				lock.Lock()
				defer lock.Unlock()
				return b.Publish(ctx, m)
			},
			subscribe: func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				return b.Subscribe(ctx, topic, func(ctx context.Context, m bus.Message) error {
					lock.Lock()
					defer lock.Unlock()
					return h(ctx, m)
				})
			},
		})
	}},
	{"ignores the context of Publish", []string{"ended-context"}, publishing(
		func() publish {
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				return b.Publish(context.WithoutCancel(ctx), m)
			}
		})},
	{"publishes before it looks at the context", []string{"ended-context"}, publishing(
		func() publish {
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				return errors.Join(b.Publish(context.WithoutCancel(ctx), m), ctx.Err())
			}
		})},
	{"takes one call at a time", []string{"concurrent-use"}, publishing(
		func() publish {
			var busy atomic.Bool
			return func(ctx context.Context, b bus.Bus, m bus.Message) error {
				if busy.Swap(true) {
					return errors.New("busy")
				}
				defer busy.Store(false)
				time.Sleep(time.Millisecond)
				return b.Publish(ctx, m)
			}
		})},
	{"leaves a goroutine behind", []string{"goroutines"}, subscribing(
		func() subscribe {
			return func(ctx context.Context, b bus.Bus, topic string, h bus.Handler) (func() error, error) {
				go func() { <-context.WithoutCancel(ctx).Done() }()
				return b.Subscribe(ctx, topic, h)
			}
		})},
}

func with(header map[string]string, key, value string) map[string]string {
	header = maps.Clone(header)
	if header == nil {
		header = make(map[string]string)
	}
	header[key] = value
	return header
}

func lastPart(topic string) string { return topic[strings.LastIndex(topic, ".")+1:] }

func plain(topic string) string { return strings.NewReplacer("/", "-", ":", "-").Replace(topic) }
