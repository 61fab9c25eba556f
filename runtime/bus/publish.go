package bus

import (
	"context"
	"fmt"
	"strconv"

	"github.com/coordgen/coordgen/runtime/wire"
)

// HeaderSchemaVersion is the header that says at which version of its schema a
// message was written, in digits.
const HeaderSchemaVersion = "schema-version"

// An Encoding is how a publisher writes its messages.
type Encoding struct {
	// Format is their format.
	Format wire.Format
	// Schema is the schema of the publisher and its present version, the newest that
	// it can write. The zero Version is for messages of no version.
	Schema wire.Version
	// At gives the version at which a message is written when it is published; one
	// that is newer than the present one counts as that. Nil stands for the present
	// one.
	At func() int

	since, until int
}

// During returns the encoding for a topic that the schema has since one version and
// until another; an until of 0 means that there is no end.
func (e Encoding) During(since, until int) Encoding {
	e.since, e.until = since, until
	return e
}

// version returns the version to write at, or 0 for messages of none.
func (e Encoding) version() (int, error) {
	v := e.Schema.Number
	if v == 0 {
		return 0, nil
	}
	if e.At != nil {
		v = min(v, e.At())
	}
	at := wire.Version{Schema: e.Schema.Schema, Number: v}
	switch {
	case v < 1:
		return 0, fmt.Errorf("%w: there is no %s; Encoding.At must give 1 or more", wire.ErrVersion, at)
	case v < e.since:
		return 0, fmt.Errorf("%w: the topic is there since version %d, and %s is written", wire.ErrVersion, e.since, at)
	case 0 < e.until && e.until < v:
		return 0, fmt.Errorf("%w: the topic was there until version %d, and %s is written", wire.ErrVersion, e.until, at)
	}
	return v, nil
}

// Publish encodes m, a generated message, and publishes it on topic with headers
// that name its format and the version of its schema.
func Publish[M any](ctx context.Context, p Publisher, topic string, e Encoding, m *M) error {
	switch {
	case p == nil:
		return fmt.Errorf("bus: publish to %q: the bus is nil", topic)
	case m == nil:
		return fmt.Errorf("bus: publish to %q: the message is nil", topic)
	}
	message, err := e.encode(topic, m)
	if err == nil {
		err = p.Publish(ctx, message)
	}
	if err != nil {
		return fmt.Errorf("bus: publish to %q: %w", topic, err)
	}
	return nil
}

func (e Encoding) encode(topic string, m any) (Message, error) {
	version, err := e.version()
	if err != nil {
		return Message{}, err
	}
	header := map[string]string{HeaderContentType: e.Format.ContentType()}
	if version > 0 {
		header[HeaderSchemaVersion] = strconv.Itoa(version)
	}
	var payload []byte
	if version == e.Schema.Number {
		payload, err = wire.Append(e.Format, nil, m)
	} else {
		payload, err = wire.AppendAt(e.Format, wire.Version{Schema: e.Schema.Schema, Number: version}, nil, m)
	}
	return Message{Topic: topic, Header: header, Payload: payload}, err
}
