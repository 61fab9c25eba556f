package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// serve starts a NATS server that ends with the test.
func serve(t *testing.T) string {
	url, shutdown, err := startServer(t.Context(), t.TempDir())
	require.NoError(t, err)
	t.Cleanup(shutdown)
	return url
}

func connect(t interface {
	Errorf(string, ...any)
	FailNow()
	Cleanup(func())
}, url string) *nats.Conn {
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func TestElector(t *testing.T) {
	const lease = 2 * time.Second
	url := serve(t)
	var elections atomic.Int64
	var conns sync.Map // of the electors
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  lease,
		Open: func(t electortest.TB, identities ...string) []elector.LeaderElector {
			name := fmt.Sprint("election", elections.Add(1))
			electors := make([]elector.LeaderElector, len(identities))
			for i, identity := range identities {
				conn := connect(t, url)
				kv, err := createBucket(context.Background(), conn, name, lease)
				require.NoError(t, err)
				e, err := newNATSElector(context.Background(), kv, identity, slog.New(slog.DiscardHandler))
				require.NoError(t, err)
				t.Cleanup(e.Close)
				electors[i] = e
				conns.Store(electors[i], conn)
			}
			return electors
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			return e.(*natsElector).kv.Purge(ctx, leaderKey)
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			conn, _ := conns.Load(e)
			conn.(*nats.Conn).Close()
			return nil
		},
	})
}

// A slowKV delays the answers to renewals.
type slowKV struct {
	jetstream.KeyValue
	delay time.Duration
}

func (kv *slowKV) Update(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	revision, err := kv.KeyValue.Update(ctx, key, value, revision)
	time.Sleep(kv.delay)
	return revision, err
}

// A leadership whose end was told does not go on when the answer to a renewal
// arrives after all.
func TestAnswerAfterLapse(t *testing.T) {
	const lease = time.Second
	kv, err := createBucket(t.Context(), connect(t, serve(t)), "slow", lease)
	require.NoError(t, err)
	slow := &slowKV{kv, 0}
	e, err := newNATSElector(t.Context(), slow, "a", slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	defer e.Close()
	changes := make(chan bool, 8)
	e.OnLeaderChange(func(_ context.Context, leader bool) error { changes <- leader; return nil })

	won, err := e.TryAcquire(t.Context())
	require.NoError(t, err)
	require.True(t, won)
	slow.delay = lease / 4
	renewed, err := e.Renew(t.Context())
	require.NoError(t, err)
	require.True(t, renewed)
	assert.Less(t, time.Until(e.lastClaim().until), lease-slow.delay+time.Millisecond, "counted from before the request")

	time.Sleep(lease / 4)
	slow.delay = lease * 3 / 4 // longer than the claim, shorter than the lease of the renewal
	renewed, err = e.Renew(t.Context())
	require.NoError(t, err)
	assert.False(t, renewed)
	assert.False(t, e.IsLeader())
	assert.False(t, e.lastClaim().until.After(time.Now()))
	require.NoError(t, e.Release(t.Context()))
	leader, err := e.CurrentLeader(t.Context())
	require.NoError(t, err)
	assert.Empty(t, leader, "the key that the late renewal holds is released")
	require.True(t, <-changes)
	require.False(t, <-changes)
	assert.Empty(t, changes)
}
