package elector_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

func TestLeaseConfig(t *testing.T) {
	for want, config := range map[string]elector.LeaseConfig{
		"elector: the identity is empty; use the id of the instance":                             {TTL: time.Second},
		"elector: the lease is 0s; set it to how long the backend keeps it":                      {Identity: "a"},
		"elector: the margin is 6s of a lease of 10s; set at most half of it, or 0 for a tenth":  {Identity: "a", TTL: 10 * time.Second, Margin: 6 * time.Second},
		"elector: the margin is -1s of a lease of 10s; set at most half of it, or 0 for a tenth": {Identity: "a", TTL: 10 * time.Second, Margin: -time.Second},
	} {
		_, err := elector.NewLease(config)
		assert.EqualError(t, err, want)
	}
}

// A leadership ends a margin before the backend's lease does, which began no
// earlier than the request.
func TestLeaseEndsBeforeTheBackends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &backend{ttl: ttl}
		e := newLeased(t, "a", b)
		e.ask, e.replies = time.Second, time.Second
		begun := time.Now()
		require.True(t, acquire(t, e))
		assert.Equal(t, begun.Add(ttl*9/10), e.Until())
		time.Sleep(ttl / 2)
		begun = time.Now()
		renewed, err := e.Renew(t.Context())
		require.NoError(t, err)
		require.True(t, renewed)
		until := e.Until()
		assert.Equal(t, begun.Add(ttl*9/10), until)
		assert.Less(t, until, b.expires)
		time.Sleep(time.Until(until) - time.Nanosecond)
		assert.True(t, e.IsLeader())
		time.Sleep(time.Nanosecond)
		assert.False(t, e.IsLeader())
		assert.Zero(t, e.Until())
		assert.Zero(t, e.Term())
		require.NoError(t, e.Close(t.Context(), e.give))
	})
}

// The end is told by the monotonic clock, which nobody can set.
func TestLeaseGoesByTheMonotonicClock(t *testing.T) {
	e := newLeased(t, "a", &backend{ttl: ttl})
	require.True(t, acquire(t, e))
	assert.Contains(t, e.Until().String(), " m=")
	_, err := e.Renew(t.Context())
	require.NoError(t, err)
	assert.Contains(t, e.Until().String(), " m=")
	require.NoError(t, e.Close(t.Context(), e.give))
}

// A leadership whose end was told does not go on when the answer to a renewal
// comes after all; what the backend holds is freed, or taken as a new leadership.
func TestAnswersThatComeTooLate(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, e *leased){
		"released": func(t *testing.T, e *leased) {
			require.NoError(t, e.Release(t.Context()))
			assert.Nil(t, e.backend.holder)
		},
		"taken again": func(t *testing.T, e *leased) {
			require.True(t, acquire(t, e))
			assert.EqualValues(t, 2, e.Term())
			require.NoError(t, e.Release(t.Context()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := newLeased(t, "a", &backend{ttl: ttl})
				var told []bool
				e.OnLeaderChange(func(_ context.Context, leader bool) error { told = append(told, leader); return nil })
				require.True(t, acquire(t, e))
				time.Sleep(ttl / 2)
				e.set(func(e *leased) { e.replies = ttl / 2 })
				renewed, err := e.Renew(t.Context())
				assert.ErrorIs(t, err, elector.ErrUnreachable)
				assert.False(t, renewed)
				assert.False(t, e.IsLeader())
				synctest.Wait()
				assert.Equal(t, []bool{true, false}, told)
				e.set(func(e *leased) { e.replies = 0 })
				then(t, e)
				require.NoError(t, e.Close(t.Context(), e.give))
			})
		})
	}
}

// What a backend granted in an answer that was lost is freed by a release, and a
// later attempt gets it.
func TestLostAnswerToAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		e.replies = ttl
		won, err := e.TryAcquire(t.Context())
		assert.EqualError(t, err, `elector: backend unreachable: acquire as "a": the answer came after the lease had run out`)
		assert.False(t, won)
		e.set(func(e *leased) { e.replies = 0 })
		require.NoError(t, e.Release(t.Context()))
		assert.Contains(t, e.backend.journal(), "a gives")
		require.NoError(t, e.Release(t.Context()))
		assert.Len(t, e.backend.journal(), 2, "there is nothing to free any more")
		require.NoError(t, e.Close(t.Context(), e.give))
	})
}

// The loss of a connection to which the leadership is tied is an error, not a
// silent false, and ends it at once.
func TestLostConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		require.True(t, acquire(t, e))
		renewed, err := e.Lease.Renew(t.Context(), func(context.Context) (bool, error) { return true, elector.ErrLost })
		assert.False(t, renewed)
		assert.ErrorIs(t, err, elector.ErrLost)
		assert.ErrorIs(t, err, elector.ErrUnreachable)
		assert.False(t, e.IsLeader())
		require.NoError(t, e.Close(t.Context(), e.give))
	})
}

// Calls are made one at a time, and who waits for another does so only as long as
// its context allows.
func TestCallsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		e.ask = ttl / 4
		go func() { _, _ = e.TryAcquire(t.Context()) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := e.TryAcquire(ctx)
		assert.EqualError(t, err, `elector: backend unreachable: wait for another call as "a": context deadline exceeded`)
		assert.Equal(t, []string(nil), e.backend.journal())
		require.NoError(t, e.Release(t.Context()))
		assert.Equal(t, []string{"a takes", "a gives"}, e.backend.journal())
		require.NoError(t, e.Close(t.Context(), e.give))
	})
}

func TestClosedLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := newLeased(t, "a", &backend{ttl: ttl})
		require.True(t, acquire(t, e))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		require.NoError(t, e.Close(ended, e.give))
		require.NoError(t, e.Close(ended, e.give), "again")
		assert.False(t, e.IsLeader())
		assert.Nil(t, e.backend.holder)
		_, err := e.TryAcquire(t.Context())
		assert.ErrorIs(t, err, elector.ErrClosed)
		_, err = e.Renew(t.Context())
		assert.ErrorIs(t, err, elector.ErrClosed)
		_, err = e.CurrentLeader(t.Context())
		assert.ErrorIs(t, err, elector.ErrClosed)
		assert.NoError(t, e.Release(t.Context()))
	})
}
