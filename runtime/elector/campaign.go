package elector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

// ErrLost is the cause for which the context of a leadership ends, unless that is
// the end of the campaign's own: the elector does not lead any more, or has not
// been able to renew in time.
var ErrLost = errors.New("elector: leadership lost")

// A CampaignConfig says what a leader does, and how its leadership is kept. The
// zero value of each field but Lead and Lease is its default.
type CampaignConfig struct {
	// Lead does the leader's work until its context ends, and then returns soon.
	// Required.
	//
	// The context ends when the leadership does, with the cause [ErrLost], and
	// when that of [Campaign.Run] does. Its Err asks the clock and the elector
	// each time, so that it is right also in a process that was stopped for a
	// while and whose timers are late; that of contexts made from it follows with
	// the timer. Still, a write that is under way when the
	// leadership ends is not undone: let the store compare the term, which is
	// that of a [Fenced] elector, and 0 for others.
	//
	// Returning, with an error or without, or panicking gives the leadership up;
	// the campaign then goes on. There is never more than one call at a time:
	// for as long as it has not returned, the campaign seeks no other leadership.
	Lead func(ctx context.Context, term uint64) error

	// Lease is how long a leadership lasts that is not renewed, counted from
	// before the call that acquired or renewed it. It is that of the elector, or
	// shorter. Required.
	Lease time.Duration
	// Renew is the time from one renewal to the next, less some jitter, and also
	// what a call to the elector may take. It defaults to a third of Lease, and
	// may be half of it, so that one call may fail.
	Renew time.Duration
	// Retry is the mean time between attempts to acquire. It defaults to Renew.
	// Attempts are spread between half and one and a half of it.
	Retry time.Duration

	// Logger is told of what happens. It defaults to [slog.Default].
	Logger *slog.Logger
	// Observe is called after each call of the elector, for histograms. Counters
	// are in [Status]. It must be quick: the next call waits for it.
	Observe func(Call)
}

// A Call is one that a campaign made of its elector.
type Call struct {
	// Method is "TryAcquire", "Renew" or "Release".
	Method string
	// Took is how long it was under way.
	Took time.Duration
	// Won is what TryAcquire or Renew returned.
	Won bool
	// Err is its error.
	Err error
}

// withDefaults returns c with its defaults filled in, or says what is wrong with it.
func (c CampaignConfig) withDefaults() (CampaignConfig, error) {
	c.Renew = cmp.Or(c.Renew, c.Lease/3)
	c.Retry = cmp.Or(c.Retry, c.Renew)
	c.Logger = cmp.Or(c.Logger, slog.Default())
	switch {
	case c.Lead == nil:
		return c, errors.New("elector: CampaignConfig.Lead is nil; set it to what the leader does")
	case c.Lease < time.Millisecond:
		return c, fmt.Errorf("elector: CampaignConfig.Lease is %v; set it to how long the elector leads without renewing", c.Lease)
	case c.Renew <= 0 || c.Renew > c.Lease/2:
		return c, fmt.Errorf("elector: CampaignConfig.Renew is %v, with a lease of %v; set at most %v, so that one call may fail, or 0 for %v",
			c.Renew, c.Lease, c.Lease/2, c.Lease/3)
	case c.Retry < 0:
		return c, fmt.Errorf("elector: CampaignConfig.Retry is %v; set a positive duration, or 0 for that of Renew", c.Retry)
	}
	return c, nil
}

// A Campaign seeks the leadership for one elector, again and again, and has a
// function called while it has it. It renews, and ends the function's context
// when the leadership ends, also when the backend does not answer. Nothing else
// should acquire, renew or release by the same elector meanwhile.
type Campaign struct {
	elector LeaderElector
	config  CampaignConfig
	board   board
}

// NewCampaign returns a campaign that waits for [Campaign.Run].
func NewCampaign(e LeaderElector, config CampaignConfig) (*Campaign, error) {
	config, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Campaign{elector: e, config: config}
	c.board.init()
	return c, nil
}

// Run seeks the leadership until ctx ends. While Lead runs then, Run goes on
// renewing until Lead has returned, and releases only after that, so that no rival
// begins before.
//
// It returns nil after ctx has ended, or the error of the release: rivals then have
// to wait for the lease to run out. It also returns when the elector was closed,
// with [ErrClosed], and at once when the campaign is running already.
func (c *Campaign) Run(ctx context.Context) error {
	if !c.board.start() {
		return errors.New("elector: the campaign is running already")
	}
	defer c.board.enter(Stopped)
	for ctx.Err() == nil {
		if err := c.contend(ctx); errors.Is(err, ErrClosed) || ctx.Err() != nil {
			return err
		}
		wait(ctx, c.config.Retry/2+rand.N(c.config.Retry))
	}
	return nil
}

// contend makes one attempt and, if it wins, sees to the leadership until its end.
// It returns the error after which a closed elector can't go on, or that of the
// release.
func (c *Campaign) contend(ctx context.Context) error {
	begun := time.Now()
	won, err := c.call(ctx, "TryAcquire", c.elector.TryAcquire)
	if !won {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	l := newLeadership(ctx, c.elector, begun.Add(c.config.Lease))
	defer l.stop()
	switch {
	case l.Err() == nil:
		c.serve(ctx, l)
	case ctx.Err() == nil:
		c.config.Logger.WarnContext(ctx, "the leadership was over when it was known", c.about(l)...)
	}
	return c.release(ctx, l)
}

// serve has Lead called, and renews until it has returned.
func (c *Campaign) serve(ctx context.Context, l *leadership) {
	c.board.lead(l)
	c.config.Logger.InfoContext(ctx, "leading", c.about(l)...)
	done := make(chan struct{})
	go func() {
		defer close(done) // deferred, because Lead may end its goroutine, as a failed test does
		c.work(l)
	}()
	renewal := time.NewTimer(c.untilRenewal())
	defer renewal.Stop()
	canceled := ctx.Done()
	for lost := l.lost; ; {
		select {
		case <-done:
			return
		case <-canceled:
			c.board.enter(Ending)
			canceled = nil
		case <-lost:
			c.board.lose()
			c.config.Logger.WarnContext(ctx, "leadership lost", c.about(l)...)
			lost = nil
			renewal.Stop()
		case <-renewal.C:
			if err := c.renew(ctx, l); err != nil {
				renewal.Reset(c.untilRenewal() / 4)
			} else {
				renewal.Reset(c.untilRenewal())
			}
		}
	}
}

// renew prolongs a leadership, or ends it when it is gone.
func (c *Campaign) renew(ctx context.Context, l *leadership) error {
	begun := time.Now()
	renewed, err := c.call(context.WithoutCancel(ctx), "Renew", c.elector.Renew)
	switch {
	case renewed && l.prolong(begun.Add(c.config.Lease)):
		c.board.renew(l)
	case renewed: // too late; that it is lost was told
	case err == nil, errors.Is(err, ErrClosed):
		l.lose()
	}
	return err
}

// release gives up what there may be left of a leadership, with a context that
// has ended, too.
func (c *Campaign) release(ctx context.Context, l *leadership) error {
	defer c.board.enter(Contending)
	_, err := c.call(context.WithoutCancel(ctx), "Release", func(ctx context.Context) (bool, error) {
		return false, c.elector.Release(ctx)
	})
	if err != nil {
		return fmt.Errorf("elector: release: %w", err)
	}
	c.config.Logger.InfoContext(ctx, "leadership released", c.about(l)...)
	return nil
}

// call makes one call of the elector and takes down how it went.
func (c *Campaign) call(ctx context.Context, method string, f func(context.Context) (bool, error)) (bool, error) {
	bounded, cancel := context.WithTimeout(ctx, c.config.Renew)
	defer cancel()
	begun := time.Now()
	won, err := f(bounded)
	took := time.Since(begun)
	if ctx.Err() == nil { // otherwise the failure is none of the backend's
		switch before := c.board.answer(method, err); {
		case err != nil && before == nil:
			c.config.Logger.WarnContext(ctx, "call of the elector failed", "method", method, "identity", c.elector.Identity(), "error", err)
		case err == nil && before != nil:
			c.config.Logger.InfoContext(ctx, "the elector answers again", "method", method, "identity", c.elector.Identity())
		}
	}
	if c.config.Observe != nil {
		c.config.Observe(Call{Method: method, Took: took, Won: won, Err: err})
	}
	return won && err == nil, err
}

func (c *Campaign) about(l *leadership) []any {
	return []any{"identity", c.elector.Identity(), "term", l.term}
}

// untilRenewal is the time to the next renewal. Jitter only shortens it.
func (c *Campaign) untilRenewal() time.Duration {
	return c.config.Renew - rand.N(c.config.Renew/5+1)
}

// wait returns after a time, or when ctx ends.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
