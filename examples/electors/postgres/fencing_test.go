// From coordgen v0.1.0, elector/postgres/fencing_test.go 9fb73aebc488. This file is yours.

//go:build servers

package postgres

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A store is what a leader writes to, in this example the total of a report. Beside
// it stands the term of the leader that wrote it last.
type store struct {
	pool *pgxpool.Pool
}

var errStale = errors.New("a later leader has written")

// setTotal writes as the leader of a term. PostgreSQL compares it with the one that
// stands there and writes both in one statement, so that whatever the leader knew or
// believed when it sent this, it can't overwrite what a later one wrote.
func (s store) setTotal(ctx context.Context, term uint64, total int) error {
	tag, err := s.pool.Exec(ctx, `UPDATE report SET total = $2, term = $1 WHERE id = 1 AND term <= $1`, int64(term), total)
	if err == nil && tag.RowsAffected() == 0 {
		err = errStale
	}
	return err
}

// A leader that was paused in the middle of its work, longer than its lease, wakes up
// and writes. It is refused.
func TestFencing(t *testing.T) {
	rivals := open(t, "old", "new")
	ctx := t.Context()
	s := store{rivals[0].admin}
	_, err := s.pool.Exec(ctx, `CREATE TABLE report (id int PRIMARY KEY, total int NOT NULL, term bigint NOT NULL)`)
	require.NoError(t, err)
	defer func() { _, _ = s.pool.Exec(context.Background(), `DROP TABLE report`) }()
	_, err = s.pool.Exec(ctx, `INSERT INTO report VALUES (1, 0, 0)`)
	require.NoError(t, err)

	acquires(t, rivals[0])
	term := rivals[0].Term() // the last thing that it does before it is paused
	require.NoError(t, s.setTotal(ctx, term, 1))
	time.Sleep(ttl)
	acquires(t, rivals[1])
	require.NoError(t, s.setTotal(ctx, rivals[1].Term(), 2))

	require.ErrorIs(t, s.setTotal(ctx, term, 3), errStale)
	total := 0
	require.NoError(t, s.pool.QueryRow(ctx, `SELECT total FROM report`).Scan(&total))
	assert.Equal(t, 2, total)
	require.NoError(t, s.setTotal(ctx, rivals[1].Term(), 4), "the new leader goes on")
}
