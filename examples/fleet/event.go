package main

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// An event is a line that a worker prints for the story.
type event struct {
	At     time.Time `json:"at"`
	Worker string    `json:"worker"`
	Kind   string    `json:"kind"`
	Peer   string    `json:"peer,omitempty"`
	Detail string    `json:"detail,omitempty"`
	Work   []string  `json:"work,omitempty"`
	Term   uint64    `json:"term,omitempty"`
}

// The kinds of events.
const (
	eventUp       = "up"       // Work it begins with, Detail is zone and build
	eventMet      = "met"      // a first heartbeat of Peer, Detail is its zone, build and version
	eventLeads    = "leads"    // it was elected, with Term
	eventLost     = "lost"     // it no longer leads
	eventLeaving  = "leaving"  // Peer announced that it leaves, Detail says why and by when
	eventTimeout  = "timeout"  // Peer was not heard for too long
	eventOrphans  = "orphans"  // Work of Peer has no owner
	eventAssigned = "assigned" // it gave Work to Peer
	eventWorks    = "works"    // Work that it has now
	eventDrained  = "drained"  // it finished what it had in progress
	eventLate     = "late"     // it was held up, and does not trust its own view
)

// A reporter prints events as JSON lines.
type reporter struct {
	worker string
	mu     sync.Mutex
	out    *json.Encoder
}

func newReporter(worker string, out io.Writer) *reporter {
	return &reporter{worker: worker, out: json.NewEncoder(out)}
}

func (r *reporter) report(e event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Worker = r.worker
	if e.At.IsZero() {
		e.At = time.Now()
	}
	_ = r.out.Encode(e) // without a reader there is no story to tell
}
