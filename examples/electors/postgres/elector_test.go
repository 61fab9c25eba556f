// From coordgen v0.1.0, elector/postgres/elector_test.go aa38af8ae123. This file is yours.

//go:build servers

package postgres

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ttl = 2 * time.Second

func TestConforms(t *testing.T) {
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			for _, c := range open(t, identities...) {
				rivals = append(rivals, c)
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error { return e.(*candidate).revoke(ctx) },
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*candidate).line.cut()
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
			c := open(t, "a")
			acquires(t, c[0])
			_, err := c[0].admin.Exec(t.Context(), `UPDATE coordgen_elections SET holder = 'b', session = 'b' WHERE election = $1`, c[0].config.Election)
			require.NoError(t, err)
			call(t, c[0])
			leader, err := c[0].CurrentLeader(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "b", leader)
		})
	}
}

// An instance that is started anew under its name is another one.
func TestSameIdentity(t *testing.T) {
	c := open(t, "a", "a")
	acquires(t, c[0])
	require.NoError(t, c[0].terminate(t.Context())) // so that the lock is free
	won, err := c[1].TryAcquire(t.Context())
	require.NoError(t, err)
	assert.False(t, won)
}

// The loss of the connection is an error, not a silent false; it ends the
// leadership at once, and a rival waits for the row to lapse.
func TestLostConnection(t *testing.T) {
	c := open(t, "a", "b")
	a, b := c[0], c[1]
	first := acquires(t, a)
	require.NoError(t, a.terminate(t.Context()))
	assert.True(t, a.IsLeader(), "nobody has told it")
	won, err := b.TryAcquire(t.Context())
	require.NoError(t, err)
	assert.False(t, won, "a takes itself for the leader")
	renewed, err := a.Renew(t.Context())
	assert.ErrorIs(t, err, elector.ErrLost)
	assert.False(t, renewed)
	assert.False(t, a.IsLeader())
	require.NoError(t, a.Release(t.Context()), "it frees the row over another connection")
	assert.Greater(t, acquires(t, b), first)
}

// The server ends the connection of a leader that it does not hear from, when the
// TTL is over.
func TestSilence(t *testing.T) {
	a := open(t, "a")[0]
	acquires(t, a)
	pid := a.conn.PgConn().PID()
	begun := time.Now()
	require.Eventually(t, func() bool {
		alive := true
		err := a.admin.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)`, pid).Scan(&alive)
		return err == nil && !alive
	}, 3*ttl, ttl/50)
	assert.InDelta(t, ttl.Seconds(), time.Since(begun).Seconds(), ttl.Seconds()/4)
}

// What the server granted in an answer that was lost is known as one's own, as a
// new leadership, and can be released.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a *candidate){
		"taken again": func(t *testing.T, a *candidate) {
			require.Eventually(t, func() bool { // the lock is free when the server has seen that the connection is
				won, err := a.TryAcquire(t.Context())
				return won && err == nil
			}, ttl/2, time.Millisecond)
			assert.EqualValues(t, 2, a.Term())
			require.NoError(t, a.Release(t.Context()))
		},
		"released": func(t *testing.T, a *candidate) { require.NoError(t, a.Release(t.Context())) },
	} {
		t.Run(name, func(t *testing.T) {
			c := open(t, "a", "b")
			a, b := c[0], c[1]
			a.line.loseAnswers("INSERT INTO")
			won, err := a.TryAcquire(t.Context())
			a.line.loseAnswers("")
			assert.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, won)
			leader, err := b.CurrentLeader(t.Context())
			require.NoError(t, err)
			require.Equal(t, "a", leader, "the server has granted it")
			then(t, a)
			assert.Greater(t, acquires(t, b), uint64(1))
		})
	}
}

// What has lapsed in the row is not prolonged.
func TestRenewsNothingLapsed(t *testing.T) {
	a := open(t, "a")[0]
	acquires(t, a)
	_, err := a.admin.Exec(t.Context(), `UPDATE coordgen_elections SET until = clock_timestamp() WHERE election = $1`, a.config.Election)
	require.NoError(t, err)
	renewed, err := a.Renew(t.Context())
	require.NoError(t, err)
	assert.False(t, renewed)
}

// The term rises also when a leadership has lapsed.
func TestTermAfterLapse(t *testing.T) {
	c := open(t, "a", "b")
	first := acquires(t, c[0])
	assert.Greater(t, acquires(t, c[1]), first)
	assert.Zero(t, c[0].Term(), "of one whose leadership ended before the row's did")
}

// acquires waits until e leads.
func acquires(t *testing.T, e *candidate) (term uint64) {
	t.Helper()
	require.Eventually(t, func() bool {
		won, err := e.TryAcquire(t.Context())
		return won && err == nil
	}, 3*ttl, ttl/50)
	return e.Term()
}

// A candidate is an elector, and its line to the server.
type candidate struct {
	*Elector
	line  *line
	admin *pgxpool.Pool // of the test
}

// open returns rivals in an election of their own, each with a pool of its own.
func open(t electortest.TB, identities ...string) (all []*candidate) {
	ctx := context.Background()
	admin := connect(t, &line{})
	_, err := admin.Exec(ctx, Schema)
	require.NoError(t, err)
	election := time.Now().Format("test-150405.000000000")
	t.Cleanup(func() { _, _ = admin.Exec(ctx, `DELETE FROM coordgen_elections WHERE election = $1`, election) })
	for _, identity := range identities {
		c := &candidate{line: &line{}, admin: admin}
		e, err := New(connect(t, c.line), Config{Identity: identity, Election: election, TTL: ttl, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, err)
		t.Cleanup(func() { _ = e.Close(ctx) }) // it fails where the test has cut its line
		c.Elector = e
		all = append(all, c)
	}
	return all
}

func connect(t electortest.TB, l *line) *pgxpool.Pool {
	const variable = "COORDGEN_POSTGRES_URL"
	url := os.Getenv(variable)
	if url == "" {
		t.Errorf("%s is not set: README.md says to what, and how to start PostgreSQL", variable)
		t.FailNow()
	}
	config, err := pgxpool.ParseConfig(url)
	require.NoError(t, err)
	config.MaxConns = 2
	config.ConnConfig.DialFunc = l.dial
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec // one request for a statement
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

// revoke takes the leadership away.
func (c *candidate) revoke(ctx context.Context) error {
	_, err := c.admin.Exec(ctx, `UPDATE coordgen_elections SET session = '' WHERE election = $1`, c.config.Election)
	return err
}

// terminate ends the connection that holds the lock.
func (c *candidate) terminate(ctx context.Context) error {
	ended := false
	err := c.admin.QueryRow(ctx, `SELECT pg_terminate_backend($1, 5000)`, c.conn.PgConn().PID()).Scan(&ended)
	if err == nil && !ended {
		err = errors.New("the connection goes on")
	}
	return err
}
