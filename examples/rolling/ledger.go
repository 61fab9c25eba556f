package main

import (
	"time"

	"github.com/coordgen/coordgen/examples/rolling/worker"
)

// A place is where a message is in a stream.
type place struct {
	stream string
	number int
}

// A message is one that was written.
type message struct {
	begun, accepted time.Time
	written         string // the version that it is written at
	version         int    // of the program that wrote it
	format          string
}

// A reader is what a process has read.
type reader struct {
	version      int
	joins, ended time.Time
	from, until  time.Time // when it took orders; zero if not yet, or still
	killed       bool
	reads        map[place]int
	last         map[string]int // the number of the last message of each stream
	unreadable   []string
}

// A ledger is what was written and read, by which process.
type ledger struct {
	messages map[place]message
	readers  map[string]*reader
	orders   *orderBook
}

func newLedger() *ledger {
	return &ledger{messages: make(map[place]message), readers: make(map[string]*reader), orders: newOrderBook()}
}

// take takes note of an event of a process. Events of different processes come in any
// order.
func (l *ledger) take(name string, e worker.Event) {
	r := l.reader(name)
	at := place{e.Stream, e.Number}
	switch e.Kind {
	case worker.Joins:
		r.joins, r.version = e.At, e.Version
	case worker.Works:
		r.from = e.At
	case worker.Leaves:
		r.until = e.At
	case worker.Wrote:
		l.messages[at] = message{begun: e.At, accepted: e.AcceptedAt, written: e.Written, version: e.Version, format: e.Detail}
	case worker.Read:
		r.reads[at]++
		r.last[e.Stream] = max(r.last[e.Stream], e.Number)
	case worker.Unreadable:
		r.unreadable = append(r.unreadable, e.Detail)
	case ended:
		r.ended = e.At
	case worker.Sent, worker.Saw, worker.Back:
		l.orders.take(e)
	}
}

func (l *ledger) killed(name string, at time.Time) {
	r := l.reader(name)
	r.killed, r.until = true, at
}

func (l *ledger) reader(name string) *reader {
	r := l.readers[name]
	if r == nil {
		r = &reader{reads: make(map[place]int), last: make(map[string]int)}
		l.readers[name] = r
	}
	return r
}

// takesOrders says whether the reader takes orders all the time between the two.
func (r *reader) takesOrders(begin, end time.Time) bool {
	return !r.from.IsZero() && !begin.Before(r.from) && (r.until.IsZero() || !end.After(r.until))
}

// due says whether the reader had to read a message: what was published after it had
// subscribed and before it began to leave. Of one that was killed nobody knows how far
// it was, but that messages of a stream arrive in order: it had to read all before one
// that it read.
func (r *reader) due(at place, m message) bool {
	if r.killed {
		return r.takesOrders(m.begun, m.begun) && at.number < r.last[at.stream]
	}
	return r.takesOrders(m.begun, m.accepted)
}

// A count is what became of all messages.
type count struct {
	written           map[string]int // by format
	due, lost, double int
	unreadable        []string
	byFirst, bySecond int           // written by version 2 at version 1, and at version 2
	foreign           int           // written at version 2 while a process of version 1 was there that had taken orders
	fallBack          time.Duration // the time from when one of version 1 joins to the last message at version 2
}

func (l *ledger) count() count {
	c := count{written: make(map[string]int)}
	for at, m := range l.messages {
		c.written[m.format]++
		switch {
		case m.written == "2":
			c.bySecond++
		case m.version == 2:
			c.byFirst++
		}
		for _, r := range l.readers {
			if r.due(at, m) {
				c.due++
				if r.reads[at] == 0 {
					c.lost++
				}
			}
			if r.version == 1 && m.written == "2" {
				switch {
				case r.reads[at] > 0, m.begun.After(r.from) && m.begun.Before(r.ended):
					c.foreign++
				case m.begun.After(r.joins) && m.begun.Before(r.from):
					c.fallBack = max(c.fallBack, m.begun.Sub(r.joins))
				}
			}
		}
	}
	for _, r := range l.readers {
		c.unreadable = append(c.unreadable, r.unreadable...)
		for _, times := range r.reads {
			c.double += times - 1
		}
	}
	return c
}
