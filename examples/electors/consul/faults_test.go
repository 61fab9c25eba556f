// From coordgen v0.1.0, elector/consul/faults_test.go b36b6df0391f. This file is yours.

//go:build servers

package consul

import (
	"context"
	"crypto/rand"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// rivals returns two in an election of their own.
func rivals(t *testing.T) (a, b *candidate) {
	key := "elector-test/" + rand.Text()
	return open(t, key, "a", ttl(t)), open(t, key, "b", ttl(t))
}

func acquires(t *testing.T, c *candidate, want bool) {
	t.Helper()
	won, err := c.TryAcquire(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, won)
}

func renews(t *testing.T, c *candidate, want bool) {
	t.Helper()
	renewed, err := c.Renew(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, renewed)
}

// What Consul gave in an answer that was lost is known as one's own: it is taken as
// a new leadership, or released, and both without the lock delay.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a, b *candidate, term uint64){
		"taken again": func(t *testing.T, a, _ *candidate, term uint64) {
			acquires(t, a, true)
			assert.Greater(t, a.Term(), term)
		},
		"released": func(t *testing.T, a, b *candidate, term uint64) {
			require.NoError(t, a.Release(t.Context()))
			acquires(t, b, true)
			assert.Greater(t, b.Term(), term)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := rivals(t)
			a.line.lossy.Store(true)
			_, err := a.TryAcquire(t.Context())
			require.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, a.IsLeader())
			a.line.lossy.Store(false)
			pair, err := b.read(t.Context())
			require.NoError(t, err)
			require.Equal(t, a.session, pair.Session)
			then(t, a, b, pair.ModifyIndex)
		})
	}
}

// A session that ends early ends the leadership at the next renewal, and until then
// the lock delay keeps rivals off.
func TestSessionDestroyed(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	_, err := a.admin.Session().Destroy(a.session, nil)
	require.NoError(t, err)
	for a.IsLeader() {
		acquires(t, b, false)
		time.Sleep(50 * time.Millisecond)
	}
	require.Eventually(t, func() bool {
		won, err := b.TryAcquire(t.Context())
		return won && err == nil
	}, ttl(t), 50*time.Millisecond)
	assert.Positive(t, b.Term())

	_, err = a.admin.Session().Destroy(b.session, nil)
	require.NoError(t, err)
	renews(t, b, false)
	assert.False(t, b.IsLeader())
}

// What is another's by now is neither renewed nor released.
func TestAnothers(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	_, err := a.admin.KV().Delete(a.config.Key, nil)
	require.NoError(t, err)
	acquires(t, b, true)
	require.NoError(t, a.Release(t.Context()))
	renews(t, b, true)
	acquires(t, a, false)

	require.NoError(t, b.Release(t.Context()))
	acquires(t, a, true)
	_, err = a.admin.KV().Delete(a.config.Key, nil)
	require.NoError(t, err)
	acquires(t, b, true)
	renews(t, a, false)
	renews(t, b, true)
}

// Indexes go on where the key begins anew.
func TestTermAfterDeletion(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	term := a.Term()
	pair, err := a.read(t.Context())
	require.NoError(t, err)
	assert.Equal(t, pair.ModifyIndex, term)
	_, err = a.admin.KV().Delete(a.config.Key, nil)
	require.NoError(t, err)
	acquires(t, b, true)
	pair, err = a.read(t.Context())
	require.NoError(t, err)
	assert.EqualValues(t, 1, pair.LockIndex)
	assert.Greater(t, b.Term(), term)
}

// A server that does not answer holds no call up beyond its deadline.
func TestDeadline(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer time.AfterFunc(3*time.Second, func() { _ = silent.Close() }).Stop()
	defer silent.Close()
	e, err := New(client(t, silent.Addr().String(), connect(t)), Config{Identity: "a", Key: "key"})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err = e.TryAcquire(ctx)
	require.ErrorIs(t, err, elector.ErrUnreachable)
	assert.Less(t, time.Since(begun), time.Second)
	require.NoError(t, e.Close(t.Context()))
}

func TestConfig(t *testing.T) {
	for want, config := range map[string]Config{
		"elector: the election has no key; set Config.Key":                                                     {Identity: "a"},
		"elector: the identity is empty; use the id of the instance":                                           {Key: "key"},
		"elector: the lock delay is 2m0s; set Config.LockDelay to a millisecond at least and a minute at most": {Identity: "a", Key: "key", TTL: 2 * time.Minute},
	} {
		_, err := New(nil, config)
		assert.EqualError(t, err, want)
	}
}
