// Package natsbus is a bus over core NATS.
package natsbus

import (
	"context"
	"errors"
	"log/slog"

	"github.com/nats-io/nats.go"

	"github.com/coordgen/coordgen/runtime/bus"
)

// A Bus is a [bus.Bus] over core NATS. A topic is a subject, so it must not hold
// spaces, "*" or ">". Messages that are published while this instance is not
// connected are missed.
type Bus struct {
	conn *nats.Conn
	log  *slog.Logger
}

// New returns a bus over the connection, which stays the caller's to close. What is
// lost, and what handlers do wrong, is logged.
func New(conn *nats.Conn, log *slog.Logger) *Bus { return &Bus{conn: conn, log: log} }

// Publish returns when the server has answered a ping behind the message.
func (b *Bus) Publish(ctx context.Context, m bus.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	msg := &nats.Msg{Subject: m.Topic, Data: m.Payload}
	if len(m.Header) > 0 {
		msg.Header = make(nats.Header, len(m.Header))
		for key, value := range m.Header {
			msg.Header[key] = []string{value} // as it is: Set would change the case
		}
	}
	if err := b.conn.PublishMsg(msg); err != nil {
		return err
	}
	return b.flush(ctx)
}

// Subscribe returns when the server has taken note of the subscription.
func (b *Bus) Subscribe(ctx context.Context, topic string, h bus.Handler) (stop func() error, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	sub, err := b.conn.SubscribeSync(topic)
	if err != nil {
		return nil, err
	}
	if err := b.flush(ctx); err != nil {
		return nil, errors.Join(err, sub.Unsubscribe())
	}
	return bus.Serve(ctx, topic, h, source{sub, b.log}, b.log), nil
}

// flush needs a deadline, which the client demands.
func (b *Bus) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, nats.DefaultTimeout)
	defer cancel()
	return b.conn.FlushWithContext(ctx)
}

// A source is a subscription at the server.
type source struct {
	sub *nats.Subscription
	log *slog.Logger
}

// Next waits for the next message.
func (s source) Next(ctx context.Context) (bus.Message, error) {
	msg, err := s.sub.NextMsgWithContext(ctx)
	for errors.Is(err, nats.ErrSlowConsumer) { // told once when messages were dropped; those kept follow
		s.log.WarnContext(ctx, "messages were dropped: the handler is too slow", "topic", s.sub.Subject)
		msg, err = s.sub.NextMsgWithContext(ctx)
	}
	if err != nil {
		return bus.Message{}, err
	}
	m := bus.Message{Topic: msg.Subject, Payload: msg.Data}
	if len(msg.Header) > 0 {
		m.Header = make(map[string]string, len(msg.Header))
		for key, values := range msg.Header {
			m.Header[key] = values[0]
		}
	}
	return m, nil
}

// Close ends the subscription.
func (s source) Close() error { return s.sub.Unsubscribe() }
