package bus

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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

// messageCost is what a Parking reckons for a message beside its bytes.
const messageCost = 256

// A Parking keeps messages in memory that this program could not read, until there is
// an instance in the fleet that can. What it keeps is lost with the process; a program
// that must not lose any sets [Options].Park to a store of its own. The zero Parking
// is ready to use and safe for concurrent use. It must not be copied after its first
// use.
type Parking struct {
	// Limit is how many bytes are kept, of payloads, topics and headers, with 256 more
	// for each message. 0 means [DefaultParkingLimit].
	Limit int

	mu       sync.Mutex
	messages []Message // in the order of their arrival
	bytes    int       // of those, and of the ones that are being published
}

// Park keeps m. One that another instance published once more is not kept again, and
// neither is the copy of it that is here, since whoever can read it has it now. One
// without a header is refused: its bus has none, so it could not be marked as published
// once more, and would be parked and published without end.
func (p *Parking) Park(_ context.Context, m Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.Header[HeaderRedelivered] != "" {
		p.forgetCopy(m)
		return nil
	}
	if len(m.Header) == 0 {
		return errors.New("a message without a header can't be parked; set Options.Park to a store of your own")
	}
	if limit := cmp.Or(p.Limit, DefaultParkingLimit); cost(m) > limit-p.bytes {
		return fmt.Errorf("%w: %d messages with %d bytes are parked, and Parking.Limit is %d", ErrParkingFull, len(p.messages), p.bytes, limit)
	}
	p.messages = append(p.messages, m)
	p.bytes += cost(m)
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
func (p *Parking) Redeliver(ctx context.Context, to Publisher, version int) (published int, err error) {
	if to == nil {
		return 0, errors.New("bus: redeliver: the bus is nil")
	}
	messages := p.take(version)
	defer func() { p.putBack(messages, published) }() // deferred, because publishers may panic
	for _, m := range messages {
		if err := to.Publish(ctx, m.marked(HeaderRedelivered, "1")); err != nil {
			return published, fmt.Errorf("bus: redeliver to %q: %w", m.Topic, err)
		}
		published++
	}
	return published, nil
}

// marked returns m with one header more. Its own may be shared.
func (m Message) marked(header, value string) Message {
	marked := map[string]string{}
	maps.Copy(marked, m.Header)
	marked[header] = value
	m.Header = marked
	return m
}

// take removes the messages of the version and older ones, whose bytes still count.
func (p *Parking) take(version int) (taken []Message) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var left []Message
	for _, m := range p.messages {
		if written, _ := strconv.Atoi(m.Header[HeaderSchemaVersion]); written <= version {
			taken = append(taken, m)
		} else {
			left = append(left, m)
		}
	}
	p.messages = left
	return taken
}

// putBack parks messages again that were taken, but for those that were published.
func (p *Parking) putBack(taken []Message, published int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range taken[:published] {
		p.bytes -= cost(m)
	}
	p.messages = append(taken[published:], p.messages...)
}

// forgetCopy removes the first message that is m. Others publish them in the order in
// which they came, so it is found at the front, where it costs little to remove.
func (p *Parking) forgetCopy(m Message) {
	i := slices.IndexFunc(p.messages, func(kept Message) bool { return kept.Topic == m.Topic && bytes.Equal(kept.Payload, m.Payload) })
	if i < 0 {
		return
	}
	p.bytes -= cost(p.messages[i])
	copy(p.messages[1:], p.messages[:i])
	p.messages[0] = Message{} // the array is used on, and must not keep the payload
	p.messages = p.messages[1:]
}

// cost is how many bytes a message that is kept counts.
func cost(m Message) int {
	bytes := messageCost + len(m.Topic) + len(m.Payload)
	for name, value := range m.Header {
		bytes += len(name) + len(value)
	}
	return bytes
}
