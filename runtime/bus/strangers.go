package bus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
)

// HeaderForwardedFrom marks a message that could not be read, with the topic it was
// published on.
const HeaderForwardedFrom = "forwarded-from"

// strangers is what becomes of messages that this program can't read.
type strangers struct {
	kind    strangerKind
	forward string // the topic
}

type strangerKind uint8

const (
	acknowledge strangerKind = iota
	reject
	park
	forward
)

// String is what is logged of a message's treatment.
func (k strangerKind) String() string {
	return [...]string{"acknowledged", "refused", "parked", "forwarded"}[k]
}

// RejectStrangers returns the route with another treatment of messages that can't be
// read: the broker is told of an error, and does what it does then, such as to keep
// the message in a queue of dead letters. Without it, they count as handled.
func (r Route) RejectStrangers() Route {
	r.strangers = strangers{kind: reject}
	return r
}

// ParkStrangers returns the route with another treatment of messages that can't be
// read: Options.Park keeps them until there is a program that can.
func (r Route) ParkStrangers() Route {
	r.strangers = strangers{kind: park}
	return r
}

// ForwardStrangers returns the route with another treatment of messages that can't be
// read: Options.Forward publishes them on the topic as they are, with the header
// [HeaderForwardedFrom]. One that has it already is refused, as it would go round.
func (r Route) ForwardStrangers(topic string) Route {
	r.strangers = strangers{kind: forward, forward: topic}
	return r
}

// check says what o lacks to treat strangers.
func (s strangers) check(o Options) error {
	switch {
	case s.kind == park && o.Park == nil:
		return errors.New("messages that can't be read are parked: set Options.Park, such as to the Park of a Parking")
	case s.kind == forward && o.Forward == nil:
		return fmt.Errorf("messages that can't be read are forwarded to %q: set Options.Forward to a publisher", s.forward)
	}
	return nil
}

// treat deals with a message that can't be decoded for the reason err. What it returns
// is the error of the message's handler.
func (s strangers) treat(ctx context.Context, o Options, m Message, err error) error {
	if o.OnUndecodable == nil {
		log := cmp.Or(o.Logger, slog.Default())
		log.WarnContext(ctx, "message can't be read", "topic", m.Topic, "version", m.Header[HeaderSchemaVersion], "bytes", len(m.Payload), "treatment", s.kind, "error", err)
	} else if err := o.OnUndecodable(ctx, m, err); err != nil {
		return err
	}
	switch s.kind {
	case reject:
		return fmt.Errorf("bus: message on %q can't be read: %w", m.Topic, err)
	case park:
		if err := o.Park(ctx, m); err != nil {
			return fmt.Errorf("bus: message on %q can't be read, nor parked: %w", m.Topic, err)
		}
	case forward:
		if from := m.Header[HeaderForwardedFrom]; from != "" {
			return fmt.Errorf("bus: message on %q can't be read, and was forwarded from %q before, so that it is not forwarded again: %w", m.Topic, from, err)
		}
		m = m.marked(HeaderForwardedFrom, m.Topic)
		m.Topic = s.forward
		if err := o.Forward.Publish(ctx, m); err != nil {
			return fmt.Errorf("bus: message can't be read, nor forwarded to %q: %w", m.Topic, err)
		}
	case acknowledge:
	}
	return nil
}
