// From coordgen v0.1.0, elector/nats/elector_test.go 35db61ea05b3. This file is yours.

package nats

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ttl = 2 * time.Second

func TestConforms(t *testing.T) {
	url := serve(t)
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			for _, c := range open(t, url, identities...) {
				rivals = append(rivals, c)
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			return e.(*candidate).admin.Purge(ctx, "leader")
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*candidate).conn.Close()
			return nil
		},
	})
}

// What is another's by now is neither renewed nor released.
func TestOnlyItsOwn(t *testing.T) {
	for name, call := range map[string]func(t *testing.T, a *candidate){
		"released": func(t *testing.T, a *candidate) { require.NoError(t, a.Release(t.Context())) },
		"renewed": func(t *testing.T, a *candidate) {
			renewed, err := a.Renew(t.Context())
			require.NoError(t, err)
			assert.False(t, renewed)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, serve(t), "a", "b")
			a, b := c[0], c[1]
			acquires(t, a)
			require.NoError(t, a.admin.Purge(t.Context(), "leader"))
			acquires(t, b)
			call(t, a)
			leader, err := a.CurrentLeader(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "b", leader)
		})
	}
}

// An instance that is started anew under its name is another one.
func TestSameIdentity(t *testing.T) {
	c := open(t, serve(t), "a", "a")
	acquires(t, c[0])
	won, err := c[1].TryAcquire(t.Context())
	require.NoError(t, err)
	assert.False(t, won)
}

// What the server granted in an answer that was lost is known as one's own, as a
// new leadership, and can be released.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a *candidate, lost uint64){
		"taken again": func(t *testing.T, a *candidate, lost uint64) { assert.Greater(t, acquires(t, a), lost) },
		"released":    func(*testing.T, *candidate, uint64) {},
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, serve(t), "a", "b")
			a, b := c[0], c[1]
			a.line.losing.Store(true)
			won, err := a.TryAcquire(t.Context())
			a.line.losing.Store(false)
			assert.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, won)
			leader, err := b.CurrentLeader(t.Context())
			require.NoError(t, err)
			require.Equal(t, "a", leader, "the server has granted it")
			entry, err := a.admin.Get(t.Context(), "leader")
			require.NoError(t, err)
			then(t, a, entry.Revision())
			require.NoError(t, a.Release(t.Context()))
			assert.Greater(t, acquires(t, b), entry.Revision())
		})
	}
}

// A renewal of which the answer was lost does not lose the leadership.
func TestLostAnswerToRenewal(t *testing.T) {
	a := open(t, serve(t), "a")[0]
	term := acquires(t, a)
	a.line.losing.Store(true)
	renewed, err := a.Renew(t.Context())
	a.line.losing.Store(false)
	assert.ErrorIs(t, err, elector.ErrUnreachable)
	assert.False(t, renewed)
	renewed, err = a.Renew(t.Context())
	require.NoError(t, err)
	assert.True(t, renewed)
	assert.Equal(t, term, a.Term())
}

// The term rises also when the key has lapsed.
func TestTermAfterLapse(t *testing.T) {
	c := open(t, serve(t), "a", "b")
	first := acquires(t, c[0])
	require.Eventually(t, func() bool {
		won, err := c[1].TryAcquire(t.Context())
		return won && err == nil
	}, 3*ttl, ttl/20)
	assert.Greater(t, c[1].Term(), first)
	assert.Zero(t, c[0].Term(), "of one whose leadership ended before the key did")
}

func TestConfig(t *testing.T) {
	c := open(t, serve(t), "a")[0]
	_, err := New(t.Context(), c.admin, Config{Identity: "a"})
	require.EqualError(t, err, "elector: the election has no name; set Config.Election")
	js, err := jetstream.New(c.conn)
	require.NoError(t, err)
	kv, err := js.CreateKeyValue(t.Context(), jetstream.KeyValueConfig{Bucket: "eternal"})
	require.NoError(t, err)
	_, err = New(t.Context(), kv, Config{Identity: "a", Election: "leader"})
	require.EqualError(t, err, `elector: bucket "eternal" has no TTL; give it one, which is the lease`)
}

func acquires(t *testing.T, e *candidate) (term uint64) {
	t.Helper()
	won, err := e.TryAcquire(t.Context())
	require.NoError(t, err)
	require.True(t, won)
	return e.Term()
}

// serve starts a server that ends with the test.
func serve(t *testing.T) (url string) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	require.NoError(t, err)
	go s.Start()
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	require.True(t, s.ReadyForConnections(10*time.Second))
	return s.ClientURL()
}

// A candidate is an elector, and its connection.
type candidate struct {
	*Elector
	line  *lossy
	conn  *nats.Conn
	admin jetstream.KeyValue // of the test
}

// open returns rivals in an election of their own, each with a connection.
func open(t electortest.TB, url string, identities ...string) (all []*candidate) {
	config := jetstream.KeyValueConfig{Bucket: "test-" + rand.Text(), TTL: ttl, Storage: jetstream.MemoryStorage}
	admin, _ := connect(t, url, config)
	for _, identity := range identities {
		kv, conn := connect(t, url, config)
		c := &candidate{line: &lossy{KeyValue: kv}, conn: conn, admin: admin}
		e, err := New(context.Background(), c.line, Config{Identity: identity, Election: "leader", Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		t.Cleanup(func() { _ = e.Close(context.Background()) }) // it fails where the test has closed the connection
		c.Elector = e
		all = append(all, c)
	}
	return all
}

func connect(t electortest.TB, url string, config jetstream.KeyValueConfig) (jetstream.KeyValue, *nats.Conn) {
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	js, err := jetstream.New(conn)
	require.NoError(t, err)
	kv, err := js.CreateOrUpdateKeyValue(context.Background(), config)
	require.NoError(t, err)
	return kv, conn
}

// A lossy bucket loses the answers to writes.
type lossy struct {
	jetstream.KeyValue
	losing atomic.Bool
}

func (l *lossy) answer(revision uint64, err error) (uint64, error) {
	if l.losing.Load() {
		return 0, errors.New("the answer was lost")
	}
	return revision, err
}

// Create is part of [jetstream.KeyValue].
func (l *lossy) Create(ctx context.Context, key string, value []byte, options ...jetstream.KVCreateOpt) (uint64, error) {
	return l.answer(l.KeyValue.Create(ctx, key, value, options...))
}

// Update is part of [jetstream.KeyValue].
func (l *lossy) Update(ctx context.Context, key string, value []byte, last uint64) (uint64, error) {
	return l.answer(l.KeyValue.Update(ctx, key, value, last))
}
