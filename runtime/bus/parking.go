package bus

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"sync"
)

// HeaderRedelivered marks a message that was parked and is published once more.
const HeaderRedelivered = "redelivered"

// ErrParkingFull is wrapped by the error of a message for which a [Parking] has no
// room.
var ErrParkingFull = errors.New("no room to park")

// DefaultParkingLimit is how many bytes a Parking keeps by default.
const DefaultParkingLimit = 64 << 20

// A Parking keeps messages in memory that this program could not read, until there is
// an instance in the fleet that can. What it keeps is lost with the process; a program
// that must not lose any sets [Options].Park to a store of its own. The zero Parking
// is ready to use and safe for concurrent use. It must not be copied after its first
// use.
type Parking struct {
	// Limit is how many bytes of payload are kept. 0 means [DefaultParkingLimit].
	Limit int

	mu       sync.Mutex
	messages []Message
	bytes    int
}

// Park keeps m. One that another instance published once more is not kept again, and
// neither is the copy of it that is here, since whoever can read it has it now.
func (p *Parking) Park(_ context.Context, m Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.Header[HeaderRedelivered] != "" {
		p.take(func(kept Message) bool { return kept.Topic == m.Topic && bytes.Equal(kept.Payload, m.Payload) })
		return nil
	}
	if limit := cmp.Or(p.Limit, DefaultParkingLimit); len(m.Payload) > limit-p.bytes {
		return fmt.Errorf("%w: %d messages with %d bytes are parked, and Parking.Limit is %d", ErrParkingFull, len(p.messages), p.bytes, limit)
	}
	p.put(m)
	return nil
}

// Len returns how many messages are parked.
func (p *Parking) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.messages)
}

// Redeliver publishes those of the messages once more that were written at the version
// or an older one, and forgets them. Call it when an instance of a newer version has
// joined, with its version; every instance is given each message again, so handlers
// must bear a message twice. A message that does not say its version is among them.
//
// It returns how many were published. After an error the others are still parked.
func (p *Parking) Redeliver(ctx context.Context, to Publisher, version int) (int, error) {
	p.mu.Lock()
	messages := p.take(func(m Message) bool {
		written, _ := strconv.Atoi(m.Header[HeaderSchemaVersion])
		return written <= version
	})
	p.mu.Unlock()
	for i, m := range messages {
		if err := to.Publish(ctx, redelivered(m)); err != nil {
			p.mu.Lock()
			p.put(messages[i:]...)
			p.mu.Unlock()
			return i, fmt.Errorf("bus: redeliver to %q: %w", m.Topic, err)
		}
	}
	return len(messages), nil
}

// redelivered is the message with its mark. Its header may be shared.
func redelivered(m Message) Message {
	header := map[string]string{}
	maps.Copy(header, m.Header)
	header[HeaderRedelivered] = "1"
	m.Header = header
	return m
}

func (p *Parking) put(messages ...Message) {
	p.messages = append(p.messages, messages...)
	for _, m := range messages {
		p.bytes += len(m.Payload)
	}
}

// take removes the messages that match, and returns them.
func (p *Parking) take(match func(Message) bool) (taken []Message) {
	var left []Message
	for _, m := range p.messages {
		if match(m) {
			taken = append(taken, m)
		} else {
			left = append(left, m)
		}
	}
	p.messages, p.bytes = nil, 0
	p.put(left...)
	return taken
}
