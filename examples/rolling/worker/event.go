package worker

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/coord"
)

// An Event is a line that a worker prints for the story. Fields that its kind does
// not mention are empty.
type Event struct {
	At      time.Time
	Worker  string
	Version int // of the worker's program
	Kind    string

	Peer       string              `json:",omitempty"`
	Detail     string              `json:",omitempty"`
	Fleet      *coord.FleetVersion `json:",omitempty"`
	Stream     string              `json:",omitempty"` // what the messages of one publisher on one topic have in common
	Number     int                 `json:",omitempty"` // of the message in its stream, from 1
	Written    string              `json:",omitempty"` // the version at which a message is written
	AcceptedAt time.Time           `json:",omitzero"`
	Order      json.RawMessage     `json:",omitempty"` // in JSON, as the program has it
}

// The kinds of events.
const (
	Joins      = "joins"      // it is about to say that it is there
	Works      = "works"      // it is subscribed to all topics
	Fleet      = "fleet"      // the fleet's version is another, as Fleet says
	HearsLeave = "hears"      // Peer announced that it leaves, with the intent Detail
	Leaves     = "leaves"     // it is about to announce that it leaves
	Wrote      = "wrote"      // the message Stream, Number was Written at that version in the format Detail; At is when that began
	Read       = "read"       // that message was handled
	Unreadable = "unreadable" // that message could not be decoded, Detail says why
	Failed     = "failed"     // something else went wrong, Detail says what
	Sent       = "sent"       // Order, as its sender has it
	Saw        = "saw"        // Order, as one of its readers has it
	Back       = "back"       // Order was packed, as its sender reads it
)

// A reporter prints events.
type reporter struct {
	worker  string
	version int
	mu      sync.Mutex
	out     *json.Encoder
}

func newReporter(worker string, version int, out io.Writer) *reporter {
	return &reporter{worker: worker, version: version, out: json.NewEncoder(out)}
}

func (r *reporter) report(e Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Worker, e.Version = r.worker, r.version
	if e.At.IsZero() {
		e.At = time.Now()
	}
	_ = r.out.Encode(e) // without a reader there is no story to tell
}
