package elector

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/coordgen/coordgen/runtime/callback"
)

// A leadership is the context of one leadership of a campaign. It ends by a timer
// of its own, whatever the elector is doing.
type leadership struct {
	context.Context
	cancel context.CancelCauseFunc
	lost   chan struct{} // closed when the leadership, not just the campaign, ends
	term   uint64        // 0 when the elector is not fenced

	elector  LeaderElector
	remove   func() // the callback
	watchdog *time.Timer

	mu    sync.Mutex
	until time.Time
	over  bool
}

// newLeadership begins a leadership that the elector has just acquired, to end at
// a time unless it is prolonged. Stop has to be called on it.
func newLeadership(ctx context.Context, e LeaderElector, until time.Time) *leadership {
	l := &leadership{elector: e, until: until, lost: make(chan struct{})}
	l.Context, l.cancel = context.WithCancelCause(ctx)
	if fenced, ok := e.(Fenced); ok {
		l.term = fenced.Term()
		l.over = l.term == 0
	}
	l.watchdog = time.AfterFunc(time.Until(until), l.lose)
	// What is told may be an earlier loss, so that it is only a reason to look.
	l.remove = e.OnLeaderChange(func(context.Context, bool) error {
		_ = l.Err()
		return nil
	})
	return l
}

// Err is that of a context. It knows of the end of the leadership before Done is
// closed, when timers are late.
func (l *leadership) Err() error {
	if l.ended() {
		l.lose()
	}
	return l.Context.Err()
}

func (l *leadership) ended() bool {
	// The elector is asked under no lock: it may be telling us something.
	leads := l.elector.IsLeader()
	if fenced, ok := l.elector.(Fenced); ok {
		leads = l.term != 0 && fenced.Term() == l.term
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.over || !leads || !time.Now().Before(l.until)
}

// lose ends the leadership.
func (l *leadership) lose() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = true
	select {
	case <-l.lost:
	default:
		close(l.lost)
		l.cancel(ErrLost)
	}
}

// prolong has the leadership end later, unless it has ended.
func (l *leadership) prolong(until time.Time) bool {
	if l.ended() {
		l.lose()
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.over { // by now
		return false
	}
	l.until = until
	l.watchdog.Reset(time.Until(until))
	return true
}

// deadline is when the leadership ends unless it is prolonged.
func (l *leadership) deadline() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.until
}

// stop frees what the leadership holds. It ends its context.
func (l *leadership) stop() {
	l.remove()
	l.watchdog.Stop()
	l.cancel(context.Canceled)
}

// work calls Lead and logs how it ended. Of the error it returns because it was
// told to end, nobody has to be told.
func (c *Campaign) work(l *leadership) {
	err := callback.Contain(l, c.config.Lead, l.term)
	ended := l.Err() != nil
	args := append(c.about(l), "error", err)
	switch {
	case err == nil && !ended:
		c.config.Logger.InfoContext(l, "Lead has returned by itself", c.about(l)...)
	case err != nil && !(ended && (errors.Is(err, context.Canceled) || errors.Is(err, context.Cause(l)))):
		c.config.Logger.ErrorContext(l, "Lead has failed", args...)
	}
}
