package elector

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// leaseState is what a lease knows in memory, and tells.
type leaseState struct {
	notifier Notifier
	identity string
	log      *slog.Logger
	telling  sync.WaitGroup

	mu     sync.Mutex
	term   uint64
	until  time.Time // zero when this instance does not lead
	lapse  *time.Timer
	there  bool // the backend may hold something for this instance
	closed bool
}

func (s *leaseState) init(config LeaseConfig) {
	s.identity, s.log = config.Identity, config.Logger
	s.lapse = time.AfterFunc(time.Hour, s.lapsed)
	s.lapse.Stop()
}

func (s *leaseState) holds() bool { return time.Now().Before(s.until) }

func (s *leaseState) presentTerm() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holds() {
		return 0
	}
	return s.term
}

func (s *leaseState) end() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holds() {
		return time.Time{}
	}
	return s.until
}

func (s *leaseState) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// touch notes that the backend may hold something from now on, whatever the answer
// to the call that is to come.
func (s *leaseState) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.there = true
}

// gain begins a leadership, unless it is over already.
func (s *leaseState) gain(ctx context.Context, term uint64, until time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change(ctx, false) // of one that lapsed just now
	if !time.Now().Before(until) {
		return false
	}
	s.term, s.until = term, until
	s.lapse.Reset(time.Until(until))
	s.change(ctx, true)
	return true
}

// prolong moves the end of a leadership, unless it is over.
func (s *leaseState) prolong(until time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holds() || !time.Now().Before(until) {
		return false
	}
	s.until = until
	s.lapse.Reset(time.Until(until))
	return true
}

// lose ends the leadership, if there is one, and says whether the backend may have
// held something. It notes whether it still may.
func (s *leaseState) lose(ctx context.Context, there bool) (wasThere bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
	s.lapse.Stop()
	s.change(ctx, false)
	wasThere = s.there
	s.there = s.there && there
	return wasThere
}

// lapsed is called when a leadership may have run out.
func (s *leaseState) lapsed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holds() {
		s.change(context.Background(), false)
	}
}

func (s *leaseState) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// change has callbacks told of a change, if it is one, by a goroutine that they
// may hold up. It is called under the lock.
func (s *leaseState) change(ctx context.Context, leader bool) {
	if s.notifier.Queue(ctx, leader) {
		s.telling.Go(func() { s.notifier.Tell(s.log, s.identity) })
	}
}

// told is closed when all callbacks have been.
func (s *leaseState) told() <-chan struct{} {
	c := make(chan struct{})
	go func() {
		defer close(c)
		s.telling.Wait()
	}()
	return c
}
