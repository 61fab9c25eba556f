package bus_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/bus"
)

// What every bus does is tested by package bustest. Here stands what InMemory
// promises beyond that.

func message(payload string) bus.Message {
	return bus.Message{Topic: "orders", Payload: []byte(payload)}
}

// collect returns a handler and what it has received.
func collect() (bus.Handler, func() []string) {
	var mu sync.Mutex
	var all []string
	handler := func(_ context.Context, m bus.Message) error {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, string(m.Payload))
		return nil
	}
	return handler, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// blocked returns a bus with room for two messages, on which a handler runs that
// does not return before finish, with two messages behind it. What comes after it
// goes to next.
func blocked(t *testing.T, next bus.Handler) (b *bus.InMemory, stop func() error, finish func()) {
	t.Helper()
	b = bus.NewInMemory(bus.InMemoryOptions{Queue: 2})
	done := make(chan struct{})
	stop, err := b.Subscribe(t.Context(), "orders", func(ctx context.Context, m bus.Message) error {
		<-done
		return next(ctx, m)
	})
	require.NoError(t, err)
	require.NoError(t, b.Publish(t.Context(), message("0")))
	synctest.Wait()
	for i := range 2 {
		require.NoError(t, b.Publish(t.Context(), message(fmt.Sprint(i+1))))
	}
	return b, stop, sync.OnceFunc(func() { close(done) })
}

func TestPublishWaitsForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, received := collect()
		b, stop, finish := blocked(t, handler)
		var published sync.WaitGroup
		for i := range 5 {
			published.Go(func() { assert.NoError(t, b.Publish(t.Context(), message(fmt.Sprint(i+3)))) })
		}
		synctest.Wait()
		assert.Empty(t, received())
		finish()
		published.Wait()
		synctest.Wait()
		assert.ElementsMatch(t, []string{"0", "1", "2", "3", "4", "5", "6", "7"}, received())
		assert.NoError(t, stop())
	})
}

func TestPublishWaitsNoLongerThanItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, received := collect()
		b, stop, finish := blocked(t, handler)
		other, othersReceived := collect()
		_, err := b.Subscribe(t.Context(), "orders", other)
		require.NoError(t, err)

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		assert.ErrorIs(t, b.Publish(ctx, message("3")), context.DeadlineExceeded)
		assert.Equal(t, time.Minute, time.Since(start))

		finish()
		synctest.Wait()
		assert.Equal(t, []string{"0", "1", "2"}, received())
		assert.Equal(t, []string{"3"}, othersReceived(), "a full queue is no loss to other subscriptions")
		assert.NoError(t, stop())
		assert.NoError(t, b.Close())
	})
}

func TestPublishWaitsNoLongerThanTheSubscription(t *testing.T) {
	for name, end := range map[string]func(b *bus.InMemory, stop func() error) error{
		"stop":  func(_ *bus.InMemory, stop func() error) error { return stop() },
		"close": func(b *bus.InMemory, _ func() error) error { return b.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler, received := collect()
				b, stop, finish := blocked(t, handler)
				published, ended := make(chan error, 1), make(chan error, 1)
				go func() { published <- b.Publish(t.Context(), message("3")) }()
				synctest.Wait()
				go func() { ended <- end(b, stop) }()
				assert.NoError(t, <-published)
				assert.Empty(t, ended, "waits for the handler")
				finish()
				assert.NoError(t, <-ended)
				assert.Equal(t, []string{"0"}, received(), "what waits is dropped")
			})
		})
	}
}

// Also when others keep the queue full, a handler can publish on its own topic.
func TestHandlerNeverWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler, received := collect()
		var b *bus.InMemory
		b, stop, finish := blocked(t, func(ctx context.Context, m bus.Message) error {
			if len(m.Payload) == 1 {
				for range 3 {
					assert.NoError(t, b.Publish(ctx, message("echo of "+string(m.Payload))))
				}
			}
			return handler(ctx, m)
		})
		go func() { assert.NoError(t, b.Publish(t.Context(), message("3"))) }()
		synctest.Wait()
		finish()
		synctest.Wait()
		assert.Len(t, received(), 4*4)
		assert.NoError(t, stop())
	})
}

// Handlers are told apart from other callers by their stack, which may be deep
// and may begin in a goroutine that a handler started.
func TestStopKnowsHandlers(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	stops := make(chan func() error, 1)
	returned := make(chan error)
	var deep func(depth int, f func() error) error
	deep = func(depth int, f func() error) error {
		if depth == 0 {
			return f()
		}
		return deep(depth-1, f)
	}
	stop, err := b.Subscribe(t.Context(), "orders", func(context.Context, bus.Message) error {
		stop := <-stops
		returned <- deep(1000, stop)
		go func() { returned <- stop() }() // this one waits
		time.Sleep(10 * time.Millisecond)
		assert.Empty(t, returned)
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, b.Publish(t.Context(), message("1")))
	stops <- stop
	assert.NoError(t, <-returned)
	assert.NoError(t, <-returned)
}

func TestClose(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	b := bus.NewInMemory(bus.InMemoryOptions{})
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			for {
				_, err := b.Subscribe(t.Context(), "orders", func(context.Context, bus.Message) error { return nil })
				if err != nil {
					assert.ErrorIs(t, err, bus.ErrClosed)
					return
				}
				if err := b.Publish(t.Context(), message("1")); err != nil {
					assert.ErrorIs(t, err, bus.ErrClosed)
				}
			}
		})
	}
	time.Sleep(5 * time.Millisecond)
	assert.NoError(t, b.Close())
	assert.NoError(t, b.Close())
	wg.Wait()
	assert.ErrorIs(t, b.Publish(t.Context(), message("1")), bus.ErrClosed)
}

func TestCloseWithinHandler(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	closed := make(chan error, 1)
	_, err := b.Subscribe(t.Context(), "orders", func(context.Context, bus.Message) error {
		closed <- b.Close()
		return nil
	})
	require.NoError(t, err)
	require.NoError(t, b.Publish(t.Context(), message("1")))
	assert.NoError(t, <-closed)
}

// What has ended is forgotten.
func TestNothingIsKept(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	handler, _ := collect()
	var stops []func() error
	for i := range 6 {
		stop, err := b.Subscribe(ctx, fmt.Sprint("orders.", i/2), handler)
		require.NoError(t, err)
		stops = append(stops, stop)
	}
	assert.Equal(t, 3, b.Topics())
	for _, stop := range stops[:3] {
		require.NoError(t, stop())
	}
	assert.Equal(t, 2, b.Topics())
	cancel()
	for _, stop := range stops[3:] {
		require.NoError(t, stop())
	}
	assert.Zero(t, b.Topics())
}

func TestEndedContext(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.Subscribe(ctx, "orders", nil)
	assert.ErrorIs(t, err, context.Canceled)
	assert.ErrorIs(t, b.Publish(ctx, message("1")), context.Canceled)
}

func TestFailuresAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		b := bus.NewInMemory(bus.InMemoryOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))})
		_, err := b.Subscribe(t.Context(), "orders", func(_ context.Context, m bus.Message) error {
			if len(m.Payload) == 0 {
				panic("no payload")
			}
			return errors.New("order is unknown")
		})
		require.NoError(t, err)
		require.NoError(t, b.Publish(t.Context(), message("1")))
		require.NoError(t, b.Publish(t.Context(), message("")))
		synctest.Wait()
		require.NoError(t, b.Close())
		assert.Contains(t, log.String(), `level=ERROR msg="handler failed" topic=orders error="order is unknown"`)
		assert.Contains(t, log.String(), `level=ERROR msg="handler failed" topic=orders error="panic: no payload`)
	})
}

func BenchmarkPublish(b *testing.B) {
	bs := bus.NewInMemory(bus.InMemoryOptions{})
	_, err := bs.Subscribe(b.Context(), "orders", func(context.Context, bus.Message) error { return nil })
	require.NoError(b, err)
	m := message("1")
	b.ReportAllocs()
	for b.Loop() {
		_ = bs.Publish(b.Context(), m)
	}
}
