// Package bus is what coordgen's generated code asks of a message bus, which is
// little: publish to a topic, and receive what is published. Adapters for real
// brokers are code of the user's own repository, where [Serve] is most of their
// work and package bustest their proof; [InMemory] is for tests and for
// programs with a single process.
//
// Every topic is a broadcast: each subscription gets each message, also those
// that its own instance published.
package bus

import (
	"context"
	"errors"
)

// HeaderContentType is the header that names a payload's format, as a media
// type.
const HeaderContentType = "content-type"

// ErrClosed is wrapped by the error of a call on a bus that was closed. Another
// try on the same bus can't succeed.
var ErrClosed = errors.New("the bus is closed")

// A Message is what travels on a bus. It is shared among subscriptions: handlers
// may keep it but must not change it.
type Message struct {
	// Topic is the full name of the topic, prefix included.
	Topic string
	// Header holds what travels beside the payload, by lower-case keys. A bus
	// without headers drops it.
	Header map[string]string
	// Payload is the encoded message. It may be empty.
	Payload []byte
}

// A Publisher hands messages to a broker. It is safe for concurrent use.
type Publisher interface {
	// Publish returns nil once the broker has accepted m. When it returns an
	// error, m may or may not have been delivered; when ctx has ended before
	// the call, it was not. Publish leaves m's header and payload unchanged and
	// keeps neither, so that the caller may use them again.
	Publish(ctx context.Context, m Message) error
}

// A Subscriber receives messages from a broker. It is safe for concurrent use.
type Subscriber interface {
	// Subscribe calls h for each message that is published on topic after it
	// returned, and for none from before it was called, in the order of arrival
	// and never two at once, until stop is called or ctx ends. It returns once
	// the subscription is in place.
	//
	// After stop has returned, h is not called again: stop waits for a running
	// call of h. Called from within a handler it does not wait, because it could
	// wait for itself. It may be called more than once. Messages that wait to be
	// handled when the subscription ends are dropped.
	//
	// The context that h gets ends with ctx, and not with stop.
	Subscribe(ctx context.Context, topic string, h Handler) (stop func() error, err error)
}

// A Bus publishes and subscribes.
type Bus interface {
	Publisher
	Subscriber
}

// A Handler handles one message. Its error or panic is contained: it is logged,
// and the next message is served.
type Handler func(ctx context.Context, m Message) error
