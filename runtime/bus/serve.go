package bus

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"runtime/debug"

	"github.com/coordgen/coordgen/runtime/callback"
)

// A Source is one subscription at a broker. It is the part of a [Subscriber]
// that differs from broker to broker; [Serve] is the part that does not.
type Source interface {
	// Next waits for the next message, at most until ctx ends. Its error ends
	// the subscription, so a lost connection that can be mended is for Next to
	// mend.
	Next(ctx context.Context) (Message, error)
	// Close gives the subscription up at the broker. It is called once, as soon
	// as the subscription ends, while Next or the handler may still run. It must
	// not wait for them.
	Close() error
}

// Serve calls h for each message of s, in a goroutine of its own, as
// [Subscriber] demands it, and returns the stop function that Subscribe is to
// return. Ctx, topic and h are Subscribe's own arguments. What h does wrong is
// logged to log as an error with the topic; a nil log is [slog.Default].
//
// Stop returns the error of s.Close.
func Serve(ctx context.Context, topic string, h Handler, s Source, log *slog.Logger) (stop func() error) {
	log = cmp.Or(log, slog.Default()).With("topic", topic)
	serving, end := context.WithCancel(ctx)
	served, closed := make(chan struct{}), make(chan struct{})

	var closeErr error
	context.AfterFunc(serving, func() {
		defer close(closed)
		closeErr = s.Close()
	})
	go func() {
		defer close(served)
		defer end()
		for {
			m, err := s.Next(serving)
			if serving.Err() != nil {
				return
			}
			if err != nil {
				log.ErrorContext(ctx, "subscription failed", "error", err)
				return
			}
			if err := handle(ctx, h, m); err != nil {
				log.ErrorContext(ctx, "handler failed", "error", err)
			}
		}
	}()

	return func() error {
		end()
		<-closed
		if !handling() {
			<-served
		}
		return closeErr
	}
}

// handle is its own function so that handling can find it on the stack.
func handle(ctx context.Context, h Handler, m Message) error {
	return callback.Contain(ctx, callback.Func[Message](h), m)
}

// handling says whether it is called from within a handler, of whichever
// subscription. Only the stack can tell: stop functions get no context, and the
// one that a handler publishes with need not be the one it was given.
func handling() bool {
	return bytes.Contains(debug.Stack(), []byte("/runtime/bus.handle("))
}
