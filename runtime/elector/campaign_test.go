package elector_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// The faults that these tests are about are those that users of other election
// loops have reported.

const (
	ttl   = 20 * time.Second
	lease = 15 * time.Second // what a campaign counts on
)

// A candidate is a campaign that is running, with its elector.
type candidate struct {
	*leased
	*elector.Campaign
	leads chan leads // one for each call of Lead
	stop  context.CancelFunc
	ended chan error // what Run returned
}

// A leads is a call of Lead.
type leads struct {
	ctx     context.Context
	term    uint64
	at      time.Time
	returns func(error) // has it return
}

// campaign begins a campaign whose Lead returns when it is told to.
func campaign(t *testing.T, e *leased, changes ...func(*elector.CampaignConfig)) *candidate {
	c := &candidate{leased: e, leads: make(chan leads, 100), ended: make(chan error, 1)}
	config := elector.CampaignConfig{Lease: lease, Logger: discard, Lead: func(ctx context.Context, term uint64) error {
		returns := make(chan error, 1)
		c.leads <- leads{ctx, term, time.Now(), func(err error) { returns <- err }}
		return <-returns
	}}
	for _, change := range changes {
		change(&config)
	}
	c.Campaign = newCampaign(t, e, config)
	ctx, stop := context.WithCancel(t.Context())
	c.stop = stop
	go func() { c.ended <- c.Run(ctx) }()
	synctest.Wait() // its first attempt comes before those of others
	return c
}

func newCampaign(t *testing.T, e elector.LeaderElector, config elector.CampaignConfig) *elector.Campaign {
	t.Helper()
	c, err := elector.NewCampaign(e, config)
	require.NoError(t, err)
	return c
}

// obedient has Lead return when its context ends, with the context's cause.
func obedient(terms chan<- uint64) func(*elector.CampaignConfig) {
	return func(config *elector.CampaignConfig) {
		config.Lead = func(ctx context.Context, term uint64) error {
			terms <- term
			<-ctx.Done()
			return context.Cause(ctx)
		}
	}
}

// lead waits until the candidate leads.
func (c *candidate) lead(t *testing.T) leads {
	t.Helper()
	select {
	case l := <-c.leads:
		return l
	case <-time.After(time.Hour):
		require.FailNow(t, "never leads")
		return leads{}
	}
}

func (c *candidate) end(t *testing.T) {
	t.Helper()
	c.stop()
	require.NoError(t, <-c.ended)
	c.close(t)
}

func (c *candidate) close(t *testing.T) {
	t.Helper()
	require.NoError(t, c.Close(context.WithoutCancel(t.Context()), c.give))
}

// endsWithin waits for the end of a leadership, which must come for its own sake.
func (l leads) endsWithin(t *testing.T, limit time.Duration) {
	t.Helper()
	begun := time.Now()
	select {
	case <-l.ctx.Done():
	case <-time.After(time.Hour):
		require.FailNow(t, "the leadership never ends")
	}
	assert.LessOrEqual(t, time.Since(begun), limit)
	assert.ErrorIs(t, context.Cause(l.ctx), elector.ErrLost)
	assert.ErrorIs(t, l.ctx.Err(), context.Canceled)
}

// kubernetes#23731, cilium PR#42920: without a backend the leading context ends all
// the same, and on time.
func TestLeadershipEndsWithoutABackend(t *testing.T) {
	for name, cut := range map[string]func(*leased){
		"refuses": func(e *leased) { e.down = true },
		"hangs":   func(e *leased) { e.hangs = true },
		"answers too late": func(e *leased) {
			e.ask, e.replies = lease, lease
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &backend{ttl: ttl}
				c := campaign(t, newLeased(t, "a", b))
				l := c.lead(t)
				time.Sleep(10 * lease)
				require.NoError(t, l.ctx.Err(), "renewals prolong it")
				c.set(cut)
				l.endsWithin(t, lease)
				b.mu.Lock()
				assert.True(t, time.Now().Before(b.expires), "before the backend can give it to another")
				b.mu.Unlock()
				c.set(func(e *leased) { e.down, e.hangs, e.ask, e.replies = false, false, 0, 0 })
				l.returns(nil)
				c.end(t)
			})
		})
	}
}

// The loop does not rely on the elector's word or on its returning.
func TestLeadershipEndsWithABrokenElector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		e := &stubborn{LeaderElector: inMemory(t), stuck: stuck}
		began := make(chan leads, 1)
		c := newCampaign(t, e, elector.CampaignConfig{Lease: lease, Logger: discard, Lead: func(ctx context.Context, _ uint64) error {
			began <- leads{ctx: ctx}
			<-ctx.Done()
			return nil
		}})
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- c.Run(ctx) }()
		l := <-began
		require.True(t, e.IsLeader())
		l.endsWithin(t, lease)
		stop()
		close(stuck)
		require.NoError(t, <-ended)
	})
}

// A stubborn elector says that it leads, and does not return from a renewal.
type stubborn struct {
	elector.LeaderElector
	stuck chan struct{}
}

func (e *stubborn) Renew(context.Context) (bool, error) {
	<-e.stuck
	return true, nil
}

func inMemory(t *testing.T) *elector.InMemory {
	return newInMemory(t, "a", elector.NewShared())
}

// kuberhealthy#1533, client-go#1155: a failed renewal costs nothing if a later one
// succeeds in time, and after a loss the candidate contends again.
func TestContendsAgainAfterALoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}))
		first := c.lead(t)
		for range 10 {
			c.set(func(e *leased) { e.down = true })
			time.Sleep(lease * 7 / 12) // at least one renewal fails
			require.Error(t, c.Status().Err)
			c.set(func(e *leased) { e.down = false })
			time.Sleep(lease)
			require.NoError(t, c.Status().Err)
		}
		require.NoError(t, first.ctx.Err())
		c.set(func(e *leased) { e.down = true })
		first.endsWithin(t, lease)
		first.returns(nil)
		time.Sleep(10 * lease)
		assert.Equal(t, elector.Contending, c.Status().State)
		assert.ErrorIs(t, c.Status().Err, elector.ErrUnreachable)
		assert.GreaterOrEqual(t, time.Since(c.Status().Answered), 10*lease, "its health can be seen")

		c.set(func(e *leased) { e.down = false })
		second := c.lead(t)
		assert.Greater(t, second.term, first.term, "river: terms are distinct")
		second.returns(nil)
		c.end(t)
	})
}

// client-go#728: the lease is not free while the work goes on.
func TestReleasesAfterTheWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		c := campaign(t, newLeased(t, "a", b))
		rival := campaign(t, newLeased(t, "b", b))
		l := c.lead(t)
		c.stop()
		<-l.ctx.Done()
		require.NotErrorIs(t, context.Cause(l.ctx), elector.ErrLost)
		time.Sleep(5 * ttl)
		assert.Equal(t, elector.Ending, c.Status().State)
		assert.Empty(t, rival.leads, "the work still runs")
		l.returns(nil)
		ended := time.Now()
		require.NoError(t, <-c.ended)
		assert.Zero(t, time.Since(ended))
		assert.Contains(t, b.journal(), "a gives")

		second := rival.lead(t)
		assert.LessOrEqual(t, second.at.Sub(ended), lease/2, "it was released, and did not lapse")
		assert.Greater(t, second.term, l.term)
		second.returns(nil)
		rival.end(t)
		c.close(t)
	})
}

// client-go#1187: nothing is called that has not led.
func TestWhoNeverLedIsNotCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		c := campaign(t, newLeased(t, "a", b))
		l := c.lead(t)
		rival := campaign(t, newLeased(t, "b", b))
		time.Sleep(10 * lease)
		rival.end(t)
		assert.Empty(t, rival.leads)
		assert.NotContains(t, b.journal(), "b gives")
		l.returns(nil)
		c.end(t)
	})
}

// cilium PR#42920: work that does not end is not joined by more of it.
func TestWorkThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		c := campaign(t, newLeased(t, "a", b))
		rival := campaign(t, newLeased(t, "b", b), obedient(make(chan uint64, 9)))
		l := c.lead(t)
		c.set(func(e *leased) { e.down = true })
		l.endsWithin(t, lease)
		c.set(func(e *leased) { e.down = false })
		time.Sleep(2 * ttl)
		assert.Equal(t, elector.Ending, c.Status().State, "an operator can see it")
		assert.Zero(t, c.Status().Term)
		assert.Equal(t, elector.Leading, rival.Status().State)
		time.Sleep(10 * ttl)
		rival.end(t)
		time.Sleep(2 * ttl)
		assert.Empty(t, c.leads)
		l.returns(nil)
		c.lead(t).returns(nil)
		c.end(t)
	})
}

// etcd#19597: what was won is verified, since it may be over when the answer comes.
func TestWonTooLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		e := newLeased(t, "a", b)
		e.replies = lease // longer than the campaign has it, shorter than the elector
		c := campaign(t, e, func(config *elector.CampaignConfig) { config.Lease = lease })
		time.Sleep(20 * lease)
		assert.Empty(t, c.leads)
		c.set(func(e *leased) { e.replies = 0 })
		c.lead(t).returns(nil)
		c.end(t)
	})
}

// river PR#217: the lease is counted from before the request.
func TestLeaseCountsFromBeforeTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		e.ask, e.replies = 2*time.Second, time.Second
		begun := time.Now()
		c := campaign(t, e)
		l := c.lead(t)
		assert.Equal(t, begun.Add(lease), c.Status().Until)
		for s, changed := c.Watch(); s.Renewals == 0; s, changed = c.Watch() {
			<-changed
		}
		until := time.Now().Add(lease - 3*time.Second)
		assert.Equal(t, until, c.Status().Until)
		c.set(func(e *leased) { e.down, e.ask, e.replies = true, 0, 0 })
		l.endsWithin(t, lease-3*time.Second)
		assert.Equal(t, until, time.Now())
		c.set(func(e *leased) { e.down = false })
		l.returns(nil)
		c.end(t)
	})
}

// consul#9469: rivals don't ask at once.
func TestAttemptsAreSpread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const rivals, retry = 10, 4 * time.Second
		b := &backend{ttl: ttl}
		leader := campaign(t, newLeased(t, "leader", b))
		l := leader.lead(t)
		var all []*candidate
		for range rivals {
			all = append(all, campaign(t, newLeased(t, "rival", b), func(config *elector.CampaignConfig) { config.Retry = retry }))
		}
		const rounds = 100
		time.Sleep(rounds * retry)
		b.mu.Lock()
		at := make(map[time.Time]int)
		for _, take := range b.takes[1+rivals:] { // without the first ones, which come as they are started
			at[take]++
		}
		b.mu.Unlock()
		assert.InDelta(t, rounds*rivals, len(at), rounds*rivals/5, "the mean is what was set")
		for take, n := range at {
			assert.LessOrEqual(t, n, 2, take)
		}
		l.returns(nil)
		leader.end(t)
		for _, c := range all {
			c.stop()
			select {
			case l := <-c.leads:
				l.returns(nil)
			case err := <-c.ended:
				require.NoError(t, err)
				c.close(t)
				continue
			}
			c.end(t)
		}
	})
}

// Work that ends by itself, in whatever way, frees the leadership.
func TestWorkThatEndsByItself(t *testing.T) {
	for name, end := range map[string]func() error{
		"returns":            func() error { return nil },
		"fails":              func() error { return errors.New("no room") },
		"panics":             func() error { panic("no room") },
		"ends its goroutine": func() error { runtime.Goexit(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := &backend{ttl: ttl}
				terms := make(chan uint64, 2)
				c := campaign(t, newLeased(t, "a", b), func(config *elector.CampaignConfig) {
					config.Lead = func(ctx context.Context, term uint64) error {
						terms <- term
						if term == 1 {
							return end()
						}
						<-ctx.Done()
						return nil
					}
				})
				assert.EqualValues(t, 1, <-terms)
				synctest.Wait()
				assert.Equal(t, []string{"a takes", "a gives"}, b.journal())
				assert.EqualValues(t, 2, <-terms)
				assert.Zero(t, c.Status().Losses)
				c.end(t)
			})
		})
	}
}

// A revoked leadership, one that Lead gives up, and one that is lost while
// callbacks are busy end at once.
func TestLossIsSeenAtOnce(t *testing.T) {
	for name, lose := range map[string]func(t *testing.T, e *leased){
		"revoked": func(t *testing.T, e *leased) {
			e.backend.revoke()
			renewed, err := e.Renew(t.Context())
			require.NoError(t, err)
			require.False(t, renewed)
		},
		"given up": func(t *testing.T, e *leased) { require.NoError(t, e.Release(t.Context())) },
		"callbacks are busy": func(t *testing.T, e *leased) {
			busy := make(chan struct{})
			t.Cleanup(func() { close(busy) })
			e.OnLeaderChange(func(context.Context, bool) error { <-busy; return nil })
			e.Lose(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			busy := name == "callbacks are busy"
			synctest.Test(t, func(t *testing.T) {
				c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}))
				l := c.lead(t)
				var all sync.WaitGroup
				all.Go(func() {
					lose(t, c.leased)
					if !busy {
						synctest.Wait()
						<-l.ctx.Done()
					}
					assert.ErrorIs(t, l.ctx.Err(), context.Canceled)
				})
				all.Wait()
				l.endsWithin(t, 0)
				l.returns(nil)
				c.stop()
				require.NoError(t, <-c.ended)
			})
		})
	}
}

// The context's error is that of the moment, whether the timer has come to it or
// not.
func TestErrAsksTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 50 {
			late := make(chan error, 1)
			c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}), func(config *elector.CampaignConfig) {
				config.Lead = func(ctx context.Context, _ uint64) error {
					time.Sleep(lease) // the timer is due now, too
					late <- ctx.Err()
					return nil
				}
			})
			c.set(func(e *leased) { e.down = true })
			require.ErrorIs(t, <-late, context.Canceled)
			c.stop()
			t.Log("ended with", <-c.ended) // the release may fail or not
		}
	})
}

// A callback that takes for ever delays no renewal.
func TestCallbacksDelayNoRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		proceed := make(chan struct{})
		e.OnLeaderChange(func(context.Context, bool) error { <-proceed; return nil })
		c := campaign(t, e)
		l := c.lead(t)
		time.Sleep(10 * ttl)
		require.NoError(t, l.ctx.Err())
		l.returns(nil)
		c.stop()
		require.NoError(t, <-c.ended)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), time.Second)
		defer cancel()
		require.ErrorContains(t, c.Close(ctx, c.give), `a callback of "a" is still running`)
		close(proceed)
	})
}
