// From coordgen v0.1.0, elector/postgres/row.go facb04a76456. This file is yours.

package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/coordgen/coordgen/runtime/elector"
)

// take makes one attempt: it takes the lock, and then the row, if the leadership
// that stands there has lapsed, was released, or is this elector's own, which it is
// after an answer that was lost.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	e.drop() // of a leadership that has lapsed
	pooled, err := e.pool.Acquire(ctx)
	if err != nil {
		return 0, false, err
	}
	locked := false
	err = pooled.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtextextended($1, 0))`, e.lock()).Scan(&locked)
	if err == nil && !locked {
		pooled.Release()
		return 0, false, nil
	}
	e.conn = pooled.Hijack()
	if err == nil {
		err = e.guard(ctx)
	}
	if err == nil {
		err = e.conn.QueryRow(ctx, `
			INSERT INTO coordgen_elections AS e (election, holder, session, term, until)
			VALUES ($1, $2, $3, 1, clock_timestamp() + $4::interval)
			ON CONFLICT (election) DO UPDATE
			SET holder = excluded.holder, session = excluded.session, term = e.term + 1, until = excluded.until
			WHERE e.session IN ('', excluded.session) OR e.until <= clock_timestamp()
			RETURNING term`, e.config.Election, e.config.Identity, e.session, e.interval()).Scan(&term)
	}
	if err != nil {
		e.drop()
	}
	if errors.Is(err, pgx.ErrNoRows) { // the row is another's, whose connection was lost
		return 0, false, nil
	}
	return term, err == nil, err
}

// guard has the server end the connection, and free the lock with it, when it hears
// nothing for as long as the TTL.
func (e *Elector) guard(ctx context.Context) error {
	ms := strconv.FormatInt(e.config.TTL.Milliseconds(), 10)
	seconds := strconv.FormatInt(max(1, int64(e.config.TTL/time.Second)/3), 10)
	_, err := e.conn.Exec(ctx, `SELECT
		set_config('idle_session_timeout', $1, false), -- between calls
		set_config('statement_timeout', $1, false),    -- in one
		set_config('tcp_user_timeout', $1, false),     -- with an answer on its way
		set_config('tcp_keepalives_idle', $2, false),
		set_config('tcp_keepalives_interval', $2, false),
		set_config('tcp_keepalives_count', '2', false)`, ms, seconds)
	return err
}

// extend moves the time in the row, unless it has passed or the row is another's.
func (e *Elector) extend(ctx context.Context) (bool, error) {
	tag, err := e.conn.Exec(ctx, `UPDATE coordgen_elections SET until = clock_timestamp() + $3::interval
		WHERE election = $1 AND session = $2 AND until > clock_timestamp()`, e.config.Election, e.session, e.interval())
	switch {
	case err != nil && e.conn.IsClosed():
		return false, fmt.Errorf("%w: the connection that holds the lock: %w", elector.ErrLost, err)
	case err != nil:
		return false, err
	case tag.RowsAffected() == 0:
		e.drop()
		return false, nil
	}
	return true, nil
}

// give frees the row, if it is this elector's, and then the lock. The term stays.
// Where the connection that holds the lock is lost, the row is freed over another.
func (e *Elector) give(ctx context.Context) error {
	defer e.drop()
	const free = `UPDATE coordgen_elections SET session = '' WHERE election = $1 AND session = $2`
	if e.conn != nil {
		_, err := e.conn.Exec(ctx, free, e.config.Election, e.session)
		if err == nil {
			_, err = e.conn.Exec(ctx, `SELECT pg_advisory_unlock(hashtextextended($1, 0))`, e.lock())
		}
		if err == nil {
			return nil
		}
	}
	_, err := e.pool.Exec(ctx, free, e.config.Election, e.session)
	return err
}

// drop closes the connection that holds the lock. The server sees that at once or,
// if it can't be reached, when it has heard nothing for as long as the TTL.
func (e *Elector) drop() {
	if e.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = e.conn.Close(ctx)
	e.conn = nil
}

// lock is what the key of the advisory lock is made of.
func (e *Elector) lock() string { return "coordgen_elections " + e.config.Election }

func (e *Elector) interval() string {
	return strconv.FormatInt(e.config.TTL.Microseconds(), 10) + " microseconds"
}
