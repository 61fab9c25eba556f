// From coordgen v0.1.0, elector/zookeeper/faults_test.go a228ed7c1e05. This file is yours.

//go:build servers

package zookeeper

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// rivals returns two in an election of their own.
func rivals(t *testing.T) (a, b *candidate) {
	path := newPath(t)
	return open(t, path, "a", timeout), open(t, path, "b", timeout)
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

func (c *candidate) nodes(t *testing.T) []string {
	t.Helper()
	nodes, _, err := c.admin.Children(c.config.Path)
	require.NoError(t, err)
	return nodes
}

// What ZooKeeper gave in an answer that was lost is known as one's own: it is taken
// as a new leadership, or released, or removed when nothing more is heard of it.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a, b *candidate, term uint64){
		"taken again": func(t *testing.T, a, _ *candidate, term uint64) {
			acquires(t, a, true)
			assert.Greater(t, a.Term(), term)
			assert.Len(t, a.nodes(t), 1)
		},
		"released": func(t *testing.T, a, b *candidate, term uint64) {
			require.NoError(t, a.Release(t.Context()))
			acquires(t, b, true)
			assert.Greater(t, b.Term(), term)
		},
		"forgotten": func(t *testing.T, _, b *candidate, term uint64) {
			require.Eventually(t, func() bool {
				won, err := b.TryAcquire(t.Context())
				return won && err == nil
			}, timeout, 10*time.Millisecond)
			assert.Greater(t, b.Term(), term)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := rivals(t)
			acquires(t, b, true) // so that the path is there
			require.NoError(t, b.Release(t.Context()))
			a.line.lossy.Store(true)
			_, err := a.TryAcquire(t.Context())
			require.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, a.IsLeader())
			a.line.lossy.Store(false)
			nodes := a.nodes(t)
			require.Len(t, nodes, 1)
			_, stat, err := a.admin.Get(a.config.Path + "/" + nodes[0])
			require.NoError(t, err)
			a.connected(t)
			then(t, a, b, uint64(stat.Czxid))
		})
	}
}

// connected waits until the client has a session, which may be another one.
func (c *candidate) connected(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return c.client.State() == zk.StateHasSession }, 5*timeout, 10*time.Millisecond)
}

// The loss of the session is an error, and ends the leadership at once.
func TestLostSession(t *testing.T) {
	path := newPath(t)
	a, b := open(t, path, "a", 100*timeout), open(t, path, "b", timeout) // that of a is much longer than what the server grants
	acquires(t, a, true)
	a.line.cut()
	require.Eventually(t, func() bool {
		won, err := b.TryAcquire(t.Context())
		return won && err == nil
	}, 3*timeout, 10*time.Millisecond)
	require.True(t, a.IsLeader(), "it was told of a session that is longer")
	a.line.mend()
	require.Eventually(t, func() bool { return a.client.SessionID() != a.attempt.session }, 5*timeout, 10*time.Millisecond)
	a.connected(t)
	renewed, err := a.Renew(t.Context())
	assert.False(t, renewed)
	require.ErrorIs(t, err, elector.ErrLost)
	assert.False(t, a.IsLeader())
	acquires(t, a, false)
	renews(t, b, true)
}

// A leadership ends before the session does.
func TestEndsBeforeTheSession(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	a.line.cut()
	for a.IsLeader() {
		acquires(t, b, false)
		time.Sleep(10 * time.Millisecond)
	}
	assert.NotEmpty(t, a.nodes(t), "the session goes on for a while")
}

// An attempt that fails leaves nothing that others would have to wait for, also when
// rivals make their nodes at once.
func TestNoNodeStays(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	for range 5 {
		acquires(t, b, false)
		assert.Len(t, a.nodes(t), 1)
	}
	renews(t, a, true)
	for range 50 {
		require.NoError(t, a.Release(t.Context()))
		require.NoError(t, b.Release(t.Context()))
		require.Empty(t, a.nodes(t))
		var both sync.WaitGroup
		for _, c := range []*candidate{a, b} {
			both.Go(func() { _, _ = c.TryAcquire(t.Context()) })
		}
		both.Wait()
		require.NotEqual(t, a.IsLeader(), b.IsLeader())
		require.Len(t, a.nodes(t), 1)
	}
}

// What is another's by now is neither renewed nor released.
func TestAnothers(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	require.NoError(t, a.admin.Delete(a.config.Path+"/"+a.nodes(t)[0], -1))
	acquires(t, b, true)
	require.NoError(t, a.Release(t.Context()))
	renews(t, b, true)
	acquires(t, a, false)

	require.NoError(t, a.admin.Delete(a.config.Path+"/"+a.nodes(t)[0], -1))
	acquires(t, a, true)
	renews(t, b, false)
	renews(t, a, true)
}

// Terms go on where the numbers of the nodes begin anew.
func TestTermAfterDeletion(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	node := a.config.Path + "/" + a.nodes(t)[0]
	_, stat, err := a.admin.Get(node)
	require.NoError(t, err)
	term := a.Term()
	assert.EqualValues(t, stat.Czxid, term)
	require.NoError(t, a.admin.Delete(node, -1))
	require.NoError(t, a.admin.Delete(a.config.Path, -1))
	renews(t, a, false)
	acquires(t, b, true)
	assert.Equal(t, "0000000000", number(b.nodes(t)[0]))
	assert.Greater(t, b.Term(), term)
}

// A server that does not answer holds no call up beyond its deadline.
func TestDeadline(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	client, events, err := zk.Connect([]string{silent.Addr().String()}, timeout, zk.WithLogger(silence{}))
	require.NoError(t, err)
	e, err := New(client, Config{Identity: "a", Path: "/a", SessionTimeout: timeout})
	require.NoError(t, err)
	defer time.AfterFunc(3*time.Second, client.Close).Stop()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err = e.TryAcquire(ctx)
	require.ErrorIs(t, err, elector.ErrUnreachable)
	assert.Less(t, time.Since(begun), time.Second)

	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	assert.ErrorContains(t, e.Close(ctx), `a request of "a" is under way until its client is closed`)
	client.Close()
	require.NoError(t, silent.Close())
	for range events { // until it is closed
	}
	require.NoError(t, e.Close(t.Context()))
}

func TestConfig(t *testing.T) {
	for want, config := range map[string]Config{
		`elector: the path is "a"; set Config.Path to one like "/my-program/leader"`: {Identity: "a", Path: "a", SessionTimeout: timeout},
		"elector: the identity is empty; use the id of the instance":                 {Path: "/a", SessionTimeout: timeout},
		"elector: the lease is 0s; set it to how long the backend keeps it":          {Identity: "a", Path: "/a"},
	} {
		_, err := New(nil, config)
		assert.EqualError(t, err, want)
	}
}
