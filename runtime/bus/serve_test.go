package bus_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/runtime/bus"
)

// A source yields what is sent to it, and fails when that is an error.
type source struct {
	next     chan any
	closed   atomic.Int32
	closeErr error
}

func (s *source) Next(ctx context.Context) (bus.Message, error) {
	select {
	case v := <-s.next:
		if err, ok := v.(error); ok {
			return bus.Message{}, err
		}
		return v.(bus.Message), nil
	case <-ctx.Done():
		return bus.Message{}, ctx.Err()
	}
}

func (s *source) Close() error {
	s.closed.Add(1)
	return s.closeErr
}

func TestServeReturnsTheErrorOfClose(t *testing.T) {
	s := &source{closeErr: errors.New("broker is gone")}
	stop := bus.Serve(t.Context(), "orders", nil, s, nil)
	assert.Equal(t, s.closeErr, stop())
	assert.Equal(t, s.closeErr, stop())
	assert.EqualValues(t, 1, s.closed.Load())
}

func TestServeClosesWhenTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		s := &source{next: make(chan any)}
		running := make(chan struct{})
		stop := bus.Serve(ctx, "orders", func(context.Context, bus.Message) error {
			<-running
			return nil
		}, s, nil)
		s.next <- message("1")
		cancel()
		synctest.Wait()
		assert.EqualValues(t, 1, s.closed.Load(), "does not wait for the handler")
		close(running)
		assert.NoError(t, stop())
	})
}

func TestServeEndsWhenNextFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		handler, received := collect()
		s := &source{next: make(chan any)}
		stop := bus.Serve(t.Context(), "orders", handler, s, slog.New(slog.NewTextHandler(&log, nil)))
		s.next <- message("1")
		s.next <- errors.New("connection lost")
		synctest.Wait()
		assert.EqualValues(t, 1, s.closed.Load())
		assert.NoError(t, stop())
		assert.Equal(t, []string{"1"}, received())
		assert.Contains(t, log.String(), `level=ERROR msg="subscription failed" topic=orders error="connection lost"`)
	})
}
