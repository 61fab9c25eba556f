package elector_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// kubernetes#125761, river PR#217: a campaign that could not keep its leadership is
// refused.
func TestCampaignConfig(t *testing.T) {
	lead := func(context.Context, uint64) error { return nil }
	for want, config := range map[string]elector.CampaignConfig{
		"": {Lead: lead, Lease: 15 * time.Second},
		"elector: CampaignConfig.Lead is nil; set it to what the leader does": {
			Lease: time.Second,
		},
		"elector: CampaignConfig.Lease is 0s; set it to how long the elector leads without renewing": {
			Lead: lead,
		},
		"elector: CampaignConfig.Renew is 15s, with a lease of 15s; set at most 7.5s, so that one call may fail, or 0 for 5s": {
			Lead: lead, Lease: 15 * time.Second, Renew: 15 * time.Second,
		},
		"elector: CampaignConfig.Renew is -1s, with a lease of 15s; set at most 7.5s, so that one call may fail, or 0 for 5s": {
			Lead: lead, Lease: 15 * time.Second, Renew: -time.Second,
		},
		"elector: CampaignConfig.Retry is -1s; set a positive duration, or 0 for that of Renew": {
			Lead: lead, Lease: 15 * time.Second, Retry: -time.Second,
		},
	} {
		_, err := elector.NewCampaign(inMemory(t), config)
		if want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
}

func TestStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		rival := newLeased(t, "b", b)
		_, err := rival.TryAcquire(t.Context())
		require.NoError(t, err)
		c := campaign(t, newLeased(t, "a", b))
		begun := time.Now()
		assert.Equal(t, elector.Status{State: elector.Contending, Since: begun, Attempts: 1, Answered: begun}, c.Status())

		require.NoError(t, rival.Release(t.Context()))
		l := c.lead(t)
		s := c.Status()
		assert.Equal(t, elector.Leading, s.State)
		assert.Equal(t, l.at, s.Since)
		assert.Equal(t, l.term, s.Term)
		assert.Equal(t, l.at.Add(lease), s.Until)
		assert.EqualValues(t, 1, s.Gains)
		time.Sleep(lease)
		s = c.Status()
		assert.Equal(t, l.at, s.Since)
		assert.GreaterOrEqual(t, s.Renewals, uint64(3))
		assert.Greater(t, s.Until, l.at.Add(lease))

		c.set(func(e *leased) { e.down = true })
		for s.Losses == 0 {
			var changed <-chan struct{}
			if s, changed = c.Watch(); s.Losses == 0 {
				<-changed
			}
		}
		assert.Equal(t, elector.Ending, s.State)
		assert.Zero(t, s.Term)
		assert.Zero(t, s.Until)
		assert.ErrorIs(t, s.Err, elector.ErrUnreachable)
		assert.GreaterOrEqual(t, s.Failures, uint64(2))
		c.set(func(e *leased) { e.down = false })
		l.returns(nil)
		c.lead(t).returns(nil)
		c.end(t)
		assert.Equal(t, elector.Stopped, c.Status().State)
		require.NoError(t, rival.Close(context.WithoutCancel(t.Context()), rival.give))
	})
}

func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var calls []elector.Call
		e := newLeased(t, "a", &backend{ttl: ttl})
		e.replies = time.Second
		c := campaign(t, e, func(config *elector.CampaignConfig) {
			config.Observe = func(call elector.Call) {
				mu.Lock()
				defer mu.Unlock()
				calls = append(calls, call)
			}
		})
		l := c.lead(t)
		time.Sleep(lease / 2)
		l.returns(nil)
		c.end(t)
		assert.Equal(t, []elector.Call{
			{Method: "TryAcquire", Took: time.Second, Won: true},
			{Method: "Renew", Took: time.Second, Won: true},
			{Method: "Release", Took: time.Second},
		}, calls)
	})
}

// A log has what an operator has to know, once, not at each attempt.
func TestCampaignLogs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}), func(config *elector.CampaignConfig) {
			config.Logger = slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{
				ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
					if a.Key == slog.TimeKey {
						return slog.Attr{}
					}
					return a
				},
			}))
		})
		l := c.lead(t)
		c.set(func(e *leased) { e.down = true })
		l.endsWithin(t, lease)
		synctest.Wait() // that is told before its end
		l.returns(errors.New("disk full"))
		time.Sleep(10 * lease)
		c.set(func(e *leased) { e.down = false })
		c.lead(t).returns(nil)
		synctest.Wait() // it has returned before it is told to
		c.end(t)
		assert.Equal(t, []string{
			`level=INFO msg=leading identity=a term=1`,
			`level=WARN msg="call of the elector failed" method=Renew identity=a error="elector: backend unreachable: renew as \"a\": connection refused"`,
			`level=WARN msg="leadership lost" identity=a term=1`,
			`level=ERROR msg="Lead has failed" identity=a term=1 error="disk full"`,
			`level=INFO msg="the elector answers again" method=TryAcquire identity=a`,
			`level=INFO msg=leading identity=a term=2`,
			`level=INFO msg="Lead has returned by itself" identity=a term=2`,
			`level=INFO msg="leadership released" identity=a term=2`,
		}, strings.Split(strings.TrimSpace(out.String()), "\n"))
	})
}

func TestRunOfAClosedElector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}))
		l := c.lead(t)
		c.close(t)
		l.endsWithin(t, 0)
		l.returns(nil)
		assert.ErrorIs(t, <-c.ended, elector.ErrClosed, "it is no candidate any more, and says so")
		assert.Equal(t, elector.Stopped, c.Status().State)
	})
}

func TestRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}))
		require.EqualError(t, c.Run(t.Context()), "elector: the campaign is running already")
		c.lead(t).returns(nil)
		c.stop()
		require.NoError(t, <-c.ended)

		again, stop := context.WithCancel(t.Context())
		go func() { c.ended <- c.Run(again) }()
		l := c.lead(t)
		assert.EqualValues(t, 2, l.term)
		l.returns(nil)
		stop()
		require.NoError(t, <-c.ended)
	})
}

// Who can't release says so: rivals have to wait.
func TestRunSaysThatItDidNotRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := campaign(t, newLeased(t, "a", &backend{ttl: ttl}))
		l := c.lead(t)
		c.set(func(e *leased) { e.down = true })
		c.stop()
		l.returns(nil)
		err := <-c.ended
		require.ErrorIs(t, err, elector.ErrUnreachable)
		assert.EqualError(t, err, `elector: release: elector: backend unreachable: release as "a": connection refused`)
	})
}
