// From coordgen v0.1.0, elector/redis/elector_test.go ed21797edc27. This file is yours.

//go:build servers

package redis

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ttl = 2 * time.Second

func TestConforms(t *testing.T) {
	electortest.Run(t, factory(addresses(t, "COORDGEN_REDIS_ADDR")))
}

// factory makes electors over the servers of these addresses. They have to outlive
// what the suite does to single clients.
func factory(addrs []string) electortest.Factory {
	return electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			for _, c := range open(t, addrs, identities...) {
				rivals = append(rivals, c)
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error { return e.(*candidate).revoke(ctx) },
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			for _, l := range e.(*candidate).lines {
				l.cut()
			}
			return nil
		},
	}
}

// What is another's by now is not released.
func TestReleasesOnlyItsOwn(t *testing.T) {
	c := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a", "b")
	a, b := c[0], c[1]
	acquires(t, a)
	require.NoError(t, a.revoke(t.Context()))
	acquires(t, b)
	require.NoError(t, a.Release(t.Context()))
	leader, err := a.CurrentLeader(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "b", leader)
}

// What is another's by now is not renewed.
func TestRenewsOnlyItsOwn(t *testing.T) {
	c := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a", "b")
	acquires(t, c[0])
	require.NoError(t, c[0].revoke(t.Context()))
	acquires(t, c[1])
	renewed, err := c[0].Renew(t.Context())
	require.NoError(t, err)
	assert.False(t, renewed)
}

// An instance that is started anew under its name is another one.
func TestSameIdentity(t *testing.T) {
	c := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a", "a")
	acquires(t, c[0])
	won, err := c[1].TryAcquire(t.Context())
	require.NoError(t, err)
	assert.False(t, won)
}

// What a server granted in an answer that was lost is known as one's own, as a new
// leadership, and can be released.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a *candidate){
		"taken again": func(t *testing.T, a *candidate) { assert.EqualValues(t, 2, acquires(t, a)) },
		"released":    func(t *testing.T, a *candidate) { require.NoError(t, a.Release(t.Context())) },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a", "b")
			a, b := c[0], c[1]
			_, err := a.CurrentLeader(t.Context()) // has it connect
			require.NoError(t, err)
			a.lines[0].loseAnswers(true)
			won, err := a.TryAcquire(t.Context())
			a.lines[0].loseAnswers(false)
			assert.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, won)
			leader, err := b.CurrentLeader(t.Context())
			require.NoError(t, err)
			require.Equal(t, "a", leader, "the server has granted it")
			then(t, a)
			require.NoError(t, a.Release(t.Context()))
			assert.Greater(t, acquires(t, b), uint64(1))
		})
	}
}

// What was asked of a server arrives there in the order in which it was asked, also
// when nobody waits for the answers.
func TestCallsArriveInOrder(t *testing.T) {
	a := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a")[0]
	ctx, cancel := context.WithTimeout(t.Context(), ttl)
	defer cancel()
	push := script(`redis.call('RPUSH', KEYS[2], own)`)
	var want []string
	var last <-chan answer
	for i := range 100 {
		want = append(want, strconv.Itoa(i))
		last = a.ask(ctx, push, []any{i})
	}
	require.NoError(t, (<-last).err)
	got, err := a.admins[0].LRange(ctx, a.keys[1], 0, -1).Result()
	require.NoError(t, err)
	assert.Equal(t, want, got)
}

// A release that arrives after the next acquisition takes nothing away.
func TestLateRelease(t *testing.T) {
	a := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a")[0]
	acquires(t, a)
	first := a.held
	require.NoError(t, a.Release(t.Context()))
	acquires(t, a)
	ctx, cancel := context.WithTimeout(t.Context(), ttl)
	defer cancel()
	_, err := a.poll(ctx, give, first)
	require.NoError(t, err)
	renewed, err := a.Renew(t.Context())
	require.NoError(t, err)
	assert.True(t, renewed)
}

// The term rises also when the leader's key has lapsed.
func TestTermAfterLapse(t *testing.T) {
	c := open(t, addresses(t, "COORDGEN_REDIS_ADDR"), "a", "b")
	first := acquires(t, c[0])
	require.Eventually(t, func() bool {
		won, err := c[1].TryAcquire(t.Context())
		return won && err == nil
	}, 3*ttl, ttl/20)
	assert.Greater(t, c[1].Term(), first)
	assert.Zero(t, c[0].Term(), "of one whose leadership ended before the key did")
}

// A call does not take longer than its context allows.
func TestDeadline(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never answers
	require.NoError(t, err)
	defer l.Close()
	a := open(t, []string{l.Addr().String()}, "a")[0]
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err = a.TryAcquire(ctx)
	assert.ErrorIs(t, err, elector.ErrUnreachable)
	assert.Less(t, time.Since(begun), time.Second)
}

func TestConfig(t *testing.T) {
	client := redis.NewClient(&redis.Options{})
	defer client.Close()
	for want, config := range map[string]Config{
		"elector: the election has no name; set Config.Election":     {Identity: "a"},
		"elector: the identity is empty; use the id of the instance": {Election: "x"},
	} {
		_, err := New(client, config)
		assert.EqualError(t, err, want)
	}
	_, err := NewQuorum([]redis.UniversalClient{client, client}, Config{Identity: "a", Election: "x"})
	assert.EqualError(t, err, "elector: a quorum of 2 servers; give an odd number of clients")
}

func acquires(t *testing.T, e *candidate) (term uint64) {
	t.Helper()
	won, err := e.TryAcquire(t.Context())
	require.NoError(t, err)
	require.True(t, won)
	return e.Term()
}

// addresses are those that a variable of the environment lists.
func addresses(t *testing.T, variable string) []string {
	list := os.Getenv(variable)
	if list == "" {
		t.Fatalf("%s is not set: README.md says to what, and how to start Redis", variable)
	}
	return strings.Split(list, ",")
}

// A candidate is an elector, and its lines to the servers.
type candidate struct {
	*Elector
	lines  []*line
	admins []redis.UniversalClient // of the test
}

// open returns rivals in an election of their own, each with clients of its own.
func open(t electortest.TB, addrs []string, identities ...string) (all []*candidate) {
	var admins []redis.UniversalClient
	for _, addr := range addrs {
		admins = append(admins, connect(t, addr, &line{}))
	}
	election := time.Now().Format("test-150405.000000000")
	t.Cleanup(func() {
		for _, admin := range admins {
			_ = admin.Del(context.Background(), "coordgen:{"+election+"}:leader", "coordgen:{"+election+"}:term").Err()
		}
	})
	for _, identity := range identities {
		c := &candidate{admins: admins}
		var clients []redis.UniversalClient
		for _, addr := range addrs {
			l := &line{}
			c.lines = append(c.lines, l)
			clients = append(clients, connect(t, addr, l))
		}
		e, err := NewQuorum(clients, Config{Identity: identity, Election: election, TTL: ttl, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		t.Cleanup(func() { _ = e.Close(context.Background()) }) // it fails where the test has cut its lines
		c.Elector = e
		all = append(all, c)
	}
	return all
}

func connect(t electortest.TB, addr string, l *line) redis.UniversalClient {
	client := redis.NewClient(&redis.Options{
		Addr: addr, Dialer: l.dial, MaxRetries: -1, DialerRetries: 1, ContextTimeoutEnabled: true,
	})
	t.Cleanup(func() { _ = client.Close() })
	client.AddHook(l)
	return client
}

// revoke takes the leadership away.
func (c *candidate) revoke(ctx context.Context) (err error) {
	for _, admin := range c.admins {
		err = errors.Join(err, admin.Del(ctx, c.keys[0]).Err())
	}
	return err
}

// A line is how a client reaches a server.
type line struct {
	mu     sync.Mutex
	down   bool
	losing bool
	conns  []net.Conn
}

func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return nil, errors.New("the line is cut")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err == nil {
		l.conns = append(l.conns, conn)
	}
	return conn, err
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	for _, conn := range slices.Backward(l.conns) {
		_ = conn.Close()
	}
}

func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = false
}

// loseAnswers has requests arrive at the server, and not the answers to them.
func (l *line) loseAnswers(lose bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losing = lose
}

// DialHook is part of [redis.Hook].
func (l *line) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessPipelineHook is part of [redis.Hook].
func (l *line) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// ProcessHook is part of [redis.Hook].
func (l *line) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		err := next(ctx, cmd)
		l.mu.Lock()
		defer l.mu.Unlock()
		if err == nil && l.losing {
			err = errors.New("the answer was lost")
			cmd.SetErr(err)
		}
		return err
	}
}
