package elector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// A LeaseConfig is what a [Lease] is made with.
type LeaseConfig struct {
	// Identity is that of the instance. Required.
	Identity string

	// TTL is how long the backend keeps the leadership for an instance that does
	// not renew, at least. Required.
	TTL time.Duration
	// Margin is how much earlier the instance gives it up, for clocks that do not
	// run equally fast. It defaults to a tenth of TTL.
	Margin time.Duration

	// Logger is told of callbacks that fail. It defaults to [slog.Default].
	Logger *slog.Logger
}

func (c LeaseConfig) withDefaults() (LeaseConfig, error) {
	c.Margin = cmp.Or(c.Margin, c.TTL/10)
	switch {
	case c.Identity == "":
		return c, errors.New("elector: the identity is empty; use the id of the instance")
	case c.TTL < time.Millisecond:
		return c, fmt.Errorf("elector: the lease is %v; set it to how long the backend keeps it", c.TTL)
	case c.Margin < 0 || c.Margin > c.TTL/2:
		return c, fmt.Errorf("elector: the margin is %v of a lease of %v; set at most half of it, or 0 for a tenth", c.Margin, c.TTL)
	}
	return c, nil
}

// A Lease is the part of an elector that is the same for every backend whose
// leadership lapses: it knows whether the instance leads and until when, by the
// instance's own monotonic clock, calls the callbacks, and keeps the calls of the
// backend in order. The elector supplies those calls, each as a function:
//
//	func (e *Elector) TryAcquire(ctx context.Context) (bool, error) {
//		return e.lease.Acquire(ctx, func(ctx context.Context) (term uint64, won bool, err error) {
//			...
//		})
//	}
//
// A leadership counts from before the call that acquired or renewed it, and ends
// by itself, so that it is over here before the backend gives it to another,
// whether the backend can be reached or not. Callbacks run in a goroutine of
// their own and hold up nothing. The functions are called one at a time, with a
// context that has a deadline.
type Lease struct {
	config LeaseConfig
	calls  chan struct{} // holds one token, for the call that is under way
	state  leaseState
}

// NewLease returns a lease that is not held. It has to be closed.
func NewLease(config LeaseConfig) (*Lease, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	l := &Lease{config: config, calls: make(chan struct{}, 1)}
	l.state.init(config)
	return l, nil
}

// Identity returns that of the instance.
func (l *Lease) Identity() string { return l.config.Identity }

// IsLeader says whether this instance leads.
func (l *Lease) IsLeader() bool { return time.Now().Before(l.Until()) }

// Term returns what take said when the present leadership was acquired, or 0 when
// this instance does not lead.
func (l *Lease) Term() uint64 { return l.state.presentTerm() }

// Until returns when the leadership ends unless it is renewed, or the zero time
// when this instance does not lead.
func (l *Lease) Until() time.Time { return l.state.end() }

// OnLeaderChange is the method of [LeaderElector].
func (l *Lease) OnLeaderChange(f LeaderChangeCallback) (remove func()) {
	return l.state.notifier.OnLeaderChange(f)
}

// Acquire is the TryAcquire of an elector. It calls take unless this instance
// leads. Take makes one attempt: it returns the term of the leadership and true
// when it got it, false when another has it, and an error when the backend gave
// no answer. After an error the backend may have granted the leadership all the
// same: the next take has to recognise what is there as its own, with a term
// greater than before, and give has to free it.
func (l *Lease) Acquire(ctx context.Context, take func(context.Context) (term uint64, won bool, err error)) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	ctx, end, err := l.begin(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	if l.IsLeader() {
		return true, nil
	}
	begun := time.Now()
	l.state.touch()
	term, won, err := take(ctx)
	switch {
	case err != nil:
		return false, l.unreachable("acquire", err)
	case !won:
		l.state.lose(ctx, false)
		return false, nil
	case !l.state.gain(ctx, term, l.until(begun)):
		return false, l.unreachable("acquire", errLate)
	}
	return true, nil
}

// Renew is that of an elector. It calls extend if this instance leads. Extend
// returns true when the leadership was prolonged, false when it is no longer this
// instance's, and an error when the backend gave no answer; one that wraps
// [ErrLost] ends the leadership at once, as the loss of a connection does to which
// it is tied. A leadership that lapses meanwhile stays lost.
func (l *Lease) Renew(ctx context.Context, extend func(context.Context) (bool, error)) (bool, error) {
	ctx, end, err := l.begin(ctx)
	if err != nil {
		return false, err
	}
	defer end()
	if !l.IsLeader() {
		return false, nil
	}
	begun := time.Now()
	renewed, err := extend(ctx)
	switch {
	case errors.Is(err, ErrLost):
		l.state.lose(ctx, true)
		return false, l.unreachable("renew", err)
	case err != nil:
		return false, l.unreachable("renew", err)
	case !renewed:
		l.state.lose(ctx, false)
		return false, nil
	case !l.state.prolong(l.until(begun)):
		return false, l.unreachable("renew", errLate)
	}
	return true, nil
}

// Release is that of an elector. The leadership is over here when it calls give,
// which has the backend free it, if it is this instance's: also what lapsed here
// and may still be held there. Give is not called when there can be nothing to
// free.
func (l *Lease) Release(ctx context.Context, give func(context.Context) error) error {
	return l.release(ctx, give, false)
}

// Close ends the lease after a Release. It waits for callbacks that are running,
// as long as ctx or [DefaultTimeout] allow, so it must not be called from within
// one. Later calls of Acquire, Renew and Ask fail with [ErrClosed].
func (l *Lease) Close(ctx context.Context, give func(context.Context) error) error {
	err := l.release(ctx, give, true)
	ctx, cancel := bounded(lasting(ctx))
	defer cancel()
	select {
	case <-l.state.told():
		return err
	case <-ctx.Done():
		return errors.Join(err, fmt.Errorf("elector: a callback of %q is still running: %w", l.config.Identity, ctx.Err()))
	}
}

func (l *Lease) release(ctx context.Context, give func(context.Context) error, last bool) error {
	ctx, end, err := l.begin(lasting(ctx))
	if errors.Is(err, ErrClosed) {
		return nil
	}
	if err != nil {
		return err
	}
	defer end()
	if last {
		defer l.state.close()
	}
	if !l.state.lose(ctx, true) {
		return nil
	}
	if err := give(ctx); err != nil {
		return l.unreachable("release", err)
	}
	l.state.lose(ctx, false)
	return nil
}

// Ask is the CurrentLeader of an elector. It calls who, which asks the backend.
func (l *Lease) Ask(ctx context.Context, who func(context.Context) (string, error)) (string, error) {
	if l.state.isClosed() {
		return "", ErrClosed
	}
	ctx, cancel := bounded(ctx)
	defer cancel()
	leader, err := who(ctx)
	if err != nil {
		return "", l.unreachable("look up the leader", err)
	}
	return leader, nil
}

// Lose ends the leadership when the elector learns that it is lost other than by
// a call of its own.
func (l *Lease) Lose(ctx context.Context) { l.state.lose(ctx, true) }

// begin waits for its turn among the calls and bounds this one.
func (l *Lease) begin(ctx context.Context) (_ context.Context, end func(), err error) {
	ctx, cancel := bounded(ctx)
	select {
	case l.calls <- struct{}{}:
	case <-ctx.Done():
		cancel()
		return nil, nil, l.unreachable("wait for another call", ctx.Err())
	}
	if l.state.isClosed() {
		<-l.calls
		cancel()
		return nil, nil, ErrClosed
	}
	return ctx, func() {
		<-l.calls
		cancel()
	}, nil
}

// until is when a leadership ends that a call gave which had begun then.
func (l *Lease) until(begun time.Time) time.Time {
	return begun.Add(l.config.TTL - l.config.Margin)
}

var errLate = errors.New("the answer came after the lease had run out")

func (l *Lease) unreachable(action string, err error) error {
	return fmt.Errorf("%w: %s as %q: %w", ErrUnreachable, action, l.config.Identity, err)
}

// bounded gives a call that may take for ever a deadline.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, DefaultTimeout)
}

// lasting is a context for what has to be done also when ctx has ended, as it has
// when a program shuts down.
func lasting(ctx context.Context) context.Context {
	if ctx.Err() != nil {
		return context.WithoutCancel(ctx)
	}
	return ctx
}
