package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/coordgen/coordgen/runtime/callback"
	"github.com/coordgen/coordgen/runtime/wire"
)

var (
	// ErrTooLarge is wrapped by the error of a message that was refused for its
	// size.
	ErrTooLarge = errors.New("payload is too large")
	// ErrUnhandled is wrapped by the errors that [Unhandled] makes.
	ErrUnhandled = errors.New("no handler")
)

// Options says how [Bind] treats what it receives. The zero value is fit for use
// where no topic is addressed.
type Options struct {
	// InstanceID is the id of this instance. Bind demands it for topics whose
	// messages are addressed to one instance, and drops those for another.
	InstanceID string
	// MaxBytes is the size of the largest payload that is decoded. 0 means 4 MiB.
	MaxBytes int
	// OnUndecodable is told of each message that can't be decoded, and why:
	// a [wire.Error], or an error that wraps [ErrTooLarge] or [wire.ErrFormat].
	// What it returns is treated as a handler's error; if that is nil, the message
	// is treated as its topic demands. Nil means that a warning is logged.
	OnUndecodable func(ctx context.Context, m Message, err error) error
	// Park keeps a message of a topic whose strangers are parked. Bind demands it
	// for such topics. [Parking.Park] is one for a single process.
	Park func(ctx context.Context, m Message) error
	// Forward takes the messages of topics whose strangers are forwarded. Bind
	// demands it for such topics.
	Forward Publisher
	// Logger gets the warnings. Nil means [slog.Default].
	Logger *slog.Logger
}

// A Route is a topic with the handler of its messages. [On] and [OnAddressed]
// make one.
type Route struct {
	topic     string
	addressed bool
	strangers strangers
	handler   func(Options, strangers) Handler
}

// On routes the messages of topic, decoded from any format that M has code for,
// to h. Each call gets a message of its own.
func On[M any, P interface{ *M }](topic string, h func(ctx context.Context, m P) error) Route {
	return Route{topic: topic, handler: func(o Options, s strangers) Handler {
		return func(ctx context.Context, m Message) error {
			decoded := P(new(M))
			read := func(_ context.Context, m Message) error { return o.decode(m, decoded) }
			if err := callback.Contain(ctx, read, m); err != nil { // a migration may panic
				return s.treat(ctx, o, m, err)
			}
			return h(ctx, decoded)
		}
	}}
}

// OnAddressed is On for a topic whose messages are each meant for one instance:
// address says which, and what is not for Options.InstanceID is dropped.
func OnAddressed[M any, P interface{ *M }](topic string, address func(m P) string, h func(ctx context.Context, m P) error) Route {
	return Route{topic: topic, addressed: true, handler: func(o Options, s strangers) Handler {
		return On(topic, func(ctx context.Context, m P) error {
			if address(m) != o.InstanceID {
				return nil
			}
			return h(ctx, m)
		}).handler(o, s)
	}}
}

// Bind subscribes every route, or none: when it fails, it has undone what it
// did. A message that can't be decoded never ends a subscription; see
// [Options.OnUndecodable]. Unbind ends the subscriptions as [Subscriber]
// describes it, and may be called more than once.
func Bind(ctx context.Context, s Subscriber, o Options, routes ...Route) (unbind func() error, err error) {
	if s == nil {
		return nil, errors.New("bus: bind: the bus is nil")
	}
	for _, r := range routes {
		if r.addressed && o.InstanceID == "" {
			return nil, fmt.Errorf("bus: topic %q carries messages for one instance each: set Options.InstanceID to the id of this one", r.topic)
		}
		if err := r.strangers.check(o); err != nil {
			return nil, fmt.Errorf("bus: topic %q: %w", r.topic, err)
		}
	}

	var stops []func() error
	unbind = func() error {
		var errs []error
		for _, stop := range stops {
			errs = append(errs, stop())
		}
		return errors.Join(errs...)
	}
	for _, r := range routes {
		stop, err := s.Subscribe(ctx, r.topic, r.handler(o, r.strangers))
		if err != nil {
			err = fmt.Errorf("bus: subscribe to %q: %w", r.topic, err)
			return nil, errors.Join(err, unbind())
		}
		stops = append(stops, stop)
	}
	return unbind, nil
}

// Unhandled returns the error of a handler that was generated but not written.
func Unhandled(topic string) error {
	return fmt.Errorf("bus: %w for %q", ErrUnhandled, topic)
}

func (o Options) decode(m Message, message any) error {
	if limit := cmp.Or(o.MaxBytes, 4<<20); len(m.Payload) > limit {
		return fmt.Errorf("bus: %w: %d bytes, and Options.MaxBytes is %d", ErrTooLarge, len(m.Payload), limit)
	}
	format, err := wire.Detect(m.Header[HeaderContentType], m.Payload)
	if err != nil {
		return err
	}
	return wire.Unmarshal(format, m.Payload, message)
}
