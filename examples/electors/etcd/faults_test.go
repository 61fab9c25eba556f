// From coordgen v0.1.0, elector/etcd/faults_test.go 6aeb9894a80d. This file is yours.

package etcd

import (
	"context"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/coordgen/coordgen/runtime/elector"
)

func TestFaults(t *testing.T) {
	addr := serve(t)
	t.Run("the answer to an attempt is lost, then it is made again", func(t *testing.T) {
		e, lost := loseAnswer(t, addr)
		won, err := e.TryAcquire(t.Context())
		require.NoError(t, err)
		assert.True(t, won)
		assert.Greater(t, e.Term(), lost)
	})
	t.Run("the answer to an attempt is lost, then it is released", func(t *testing.T) {
		e, _ := loseAnswer(t, addr)
		require.NoError(t, e.Release(t.Context()))
		assert.True(t, acquire(t, open(t, addr, e.config.Key, "b")))
	})
	t.Run("the lease is revoked", func(t *testing.T) {
		a := open(t, addr, t.Name(), "a")
		require.True(t, acquire(t, a))
		_, err := a.client.Revoke(t.Context(), a.held)
		require.NoError(t, err)
		renewed, err := a.Renew(t.Context())
		require.NoError(t, err)
		assert.False(t, renewed)
		assert.False(t, a.IsLeader())
	})
	t.Run("the key is deleted and another's", func(t *testing.T) {
		a, b := open(t, addr, t.Name(), "a"), open(t, addr, t.Name(), "b")
		require.True(t, acquire(t, a))
		_, err := a.client.Delete(t.Context(), a.config.Key)
		require.NoError(t, err)
		require.True(t, acquire(t, b))
		renewed, err := a.Renew(t.Context())
		require.NoError(t, err)
		assert.False(t, renewed)
		renewed, err = b.Renew(t.Context())
		require.NoError(t, err)
		assert.True(t, renewed)
	})
	t.Run("what lapsed is another's", func(t *testing.T) {
		a, b := open(t, addr, t.Name(), "a"), open(t, addr, t.Name(), "b")
		require.True(t, acquire(t, a))
		require.Eventually(t, func() bool {
			won := acquire(t, b)
			assert.False(t, won && a.IsLeader(), "both lead")
			return won
		}, 10*ttl, 10*time.Millisecond)
		require.NoError(t, a.Release(t.Context()))
		renewed, err := b.Renew(t.Context())
		require.NoError(t, err)
		assert.True(t, renewed)
	})
	t.Run("the term is the key's revision", func(t *testing.T) {
		e := open(t, addr, t.Name(), "a")
		require.True(t, acquire(t, e))
		kv, err := e.read(t.Context())
		require.NoError(t, err)
		assert.EqualValues(t, kv.CreateRevision, e.Term())
	})
}

func acquire(t *testing.T, e *Elector) bool {
	won, err := e.TryAcquire(t.Context())
	require.NoError(t, err)
	return won
}

// loseAnswer returns an elector that got no answer to an attempt, and the term that
// etcd gave it all the same.
func loseAnswer(t *testing.T, addr string) (_ *Elector, term uint64) {
	var lose atomic.Bool
	lose.Store(true)
	client, err := clientv3.New(clientv3.Config{
		Endpoints: []string{addr},
		Logger:    zap.NewNop(),
		DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(func(
			ctx context.Context, method string, request, answer any, conn *grpc.ClientConn, call grpc.UnaryInvoker, options ...grpc.CallOption,
		) error {
			if err := call(ctx, method, request, answer, conn, options...); err != nil {
				return err
			}
			if method == "/etcdserverpb.KV/Txn" && lose.Load() {
				return status.Error(codes.Unavailable, "the answer is lost")
			}
			return nil
		})},
	})
	require.NoError(t, err)
	e := with(t, client, t.Name(), "a")
	won, err := e.TryAcquire(t.Context())
	require.ErrorIs(t, err, elector.ErrUnreachable)
	require.False(t, won)
	require.False(t, e.IsLeader())
	leader, err := e.CurrentLeader(t.Context())
	require.NoError(t, err)
	require.Equal(t, "a", leader)
	kv, err := e.read(t.Context())
	require.NoError(t, err)
	lose.Store(false)
	return e, uint64(kv.CreateRevision)
}

// A server that does not answer holds no call up beyond its deadline.
func TestDeadline(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer silent.Close()
	e := open(t, silent.Addr().String(), "key", "a")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err = e.TryAcquire(ctx)
	require.ErrorIs(t, err, elector.ErrUnreachable)
	assert.Less(t, time.Since(begun), time.Second)
	require.NoError(t, e.client.Close()) // so that Close has not to wait
}

func TestConfig(t *testing.T) {
	_, err := New(nil, Config{Identity: "a", TTL: ttl})
	assert.EqualError(t, err, "elector: the election has no key; set Config.Key")
	_, err = New(nil, Config{Key: "key", TTL: ttl})
	assert.EqualError(t, err, "elector: the identity is empty; use the id of the instance")
}
