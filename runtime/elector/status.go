package elector

import (
	"sync"
	"time"
)

// A State is what a campaign is doing.
type State string

// The states of a campaign.
const (
	// Idle is the state before Run.
	Idle State = "idle"
	// Contending is the state without a leadership.
	Contending State = "contending"
	// Leading is the state with one.
	Leading State = "leading"
	// Ending is the state after the end of a leadership, or of the context of
	// Run, until Lead has returned and the elector has released. A campaign that
	// stays there has a Lead that does not heed its context.
	Ending State = "ending"
	// Stopped is the state after Run.
	Stopped State = "stopped"
)

// A Status says how a campaign stands.
type Status struct {
	State State
	// Since is when the state was entered.
	Since time.Time
	// Term is that of the leadership while the campaign leads, and 0 otherwise
	// and for an elector that is not [Fenced].
	Term uint64
	// Until is when the leadership ends unless it is renewed. It is zero when
	// there is none.
	Until time.Time

	// Err is the error of the last call of the elector, nil when it succeeded. A
	// campaign whose calls fail can't lead; Answered tells for how long.
	Err error
	// Answered is when a call succeeded last.
	Answered time.Time

	// Attempts, Renewals and Failures count the calls of TryAcquire, those of
	// Renew that prolonged a leadership, and those of either or of Release that
	// failed. Gains and Losses count leaderships, and those that ended before
	// Lead had returned.
	Attempts, Renewals, Failures, Gains, Losses uint64
}

// Status returns how the campaign stands. It never waits for the elector.
func (c *Campaign) Status() Status {
	s, _ := c.Watch()
	return s
}

// Watch returns how the campaign stands, and a channel that is closed when that
// changes. To wait for a loss, call it until the status shows one. Who calls it
// late may see several changes as one.
func (c *Campaign) Watch() (s Status, changed <-chan struct{}) {
	c.board.mu.Lock()
	defer c.board.mu.Unlock()
	return c.board.status, c.board.changed
}

// A board is where a campaign's status is posted.
type board struct {
	mu      sync.Mutex
	status  Status
	changed chan struct{}
}

func (b *board) init() {
	b.status = Status{State: Idle, Since: time.Now()}
	b.changed = make(chan struct{})
}

// post changes the status.
func (b *board) post(change func(s *Status)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(&b.status)
	close(b.changed)
	b.changed = make(chan struct{})
}

// start says whether the campaign was not running.
func (b *board) start() (ok bool) {
	b.post(func(s *Status) {
		if ok = s.State == Idle || s.State == Stopped; ok {
			s.enter(Contending)
		}
	})
	return ok
}

func (b *board) enter(state State) { b.post(func(s *Status) { s.enter(state) }) }

func (s *Status) enter(state State) {
	if s.State != state {
		s.State, s.Since = state, time.Now()
	}
	if state == Contending || state == Stopped {
		s.Term, s.Until = 0, time.Time{}
	}
}

func (b *board) lead(l *leadership) {
	b.post(func(s *Status) {
		s.enter(Leading)
		s.Gains++
		s.Term, s.Until = l.term, l.deadline()
	})
}

func (b *board) renew(l *leadership) {
	b.post(func(s *Status) {
		s.Renewals++
		s.Until = l.deadline()
	})
}

func (b *board) lose() {
	b.post(func(s *Status) {
		s.enter(Ending)
		s.Losses++
		s.Term, s.Until = 0, time.Time{}
	})
}

// answer takes down how a call went and returns the error of the one before.
func (b *board) answer(method string, err error) (before error) {
	b.post(func(s *Status) {
		if method == "TryAcquire" {
			s.Attempts++
		}
		if err != nil {
			s.Failures++
		} else {
			s.Answered = time.Now()
		}
		before, s.Err = s.Err, err
	})
	return before
}
