package main

import (
	"context"
	"errors"
	"log/slog"

	"github.com/nats-io/nats.go"

	"github.com/coordgen/coordgen/runtime/bus"
)

// A natsBus is a [bus.Bus] over core NATS. A topic is a subject, so it must not
// hold spaces, "*" or ">". Messages that are published while this instance is not
// connected are missed.
type natsBus struct {
	conn *nats.Conn
	log  *slog.Logger
}

// Publish returns when the server has answered a ping behind the message.
func (b *natsBus) Publish(ctx context.Context, m bus.Message) error {
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
func (b *natsBus) Subscribe(ctx context.Context, topic string, h bus.Handler) (stop func() error, err error) {
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
	return bus.Serve(ctx, topic, h, natsSource{sub, b.log}, b.log), nil
}

// flush needs a deadline, which the client demands.
func (b *natsBus) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, nats.DefaultTimeout)
	defer cancel()
	return b.conn.FlushWithContext(ctx)
}

// A natsSource is a subscription at the server.
type natsSource struct {
	sub *nats.Subscription
	log *slog.Logger
}

func (s natsSource) Next(ctx context.Context) (bus.Message, error) {
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

func (s natsSource) Close() error { return s.sub.Unsubscribe() }
