// Package callback keeps the functions that an application registers and calls
// them in order, so that one that fails or panics stops neither the others nor
// the caller.
package callback

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
)

// A Func handles a value. Its error is logged; it does not reach whoever caused
// the call.
type Func[T any] func(ctx context.Context, v T) error

// A List calls registered functions in the order of their registration. The
// zero List is empty and ready to use, and safe for concurrent use. It must not
// be copied after its first use.
type List[T any] struct {
	mu      sync.Mutex
	entries []*entry[T] // never changed in place: snapshots share it
}

type entry[T any] struct {
	call    Func[T]
	removed atomic.Bool
}

// Add registers f and returns the function that removes it, which may be called
// more than once and from within a callback. No call of f begins after that, in
// a round of calls that is under way neither; one that has begun is not waited for.
// A nil f is never called.
func (l *List[T]) Add(f func(ctx context.Context, v T) error) (remove func()) {
	if f == nil {
		return func() {}
	}
	e := &entry[T]{call: f}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(slices.Clip(l.entries), e)
	return func() {
		e.removed.Store(true)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.entries = slices.DeleteFunc(slices.Clone(l.entries), func(x *entry[T]) bool { return x == e })
	}
}

// Call is [Snapshot.Call] on the functions that are registered when it begins.
func (l *List[T]) Call(ctx context.Context, v T, log *slog.Logger, event string, args ...any) {
	l.Snapshot().Call(ctx, v, log, event, args...)
}

// Snapshot returns the functions that are registered now, to be called later.
func (l *List[T]) Snapshot() Snapshot[T] {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Snapshot[T]{l.entries}
}

// A Snapshot holds the functions that were registered at one moment.
type Snapshot[T any] struct{ entries []*entry[T] }

// Call calls the functions, but for those that have been removed, one after the
// other and under no lock. Errors and panics are logged to log as errors, with
// the name of the event and args, which are slog attributes that say whom it
// is about. A nil log is [slog.Default].
func (s Snapshot[T]) Call(ctx context.Context, v T, log *slog.Logger, event string, args ...any) {
	log = cmp.Or(log, slog.Default())
	for _, e := range s.entries {
		if e.removed.Load() {
			continue
		}
		if err := Contain(ctx, e.call, v); err != nil {
			log.ErrorContext(ctx, "callback failed", append([]any{"event", event, "error", err}, args...)...)
		}
	}
}

// Contain calls f and returns its error, or its panic as a [PanicError].
func Contain[T any](ctx context.Context, f Func[T], v T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{Value: r, Stack: debug.Stack()}
		}
	}()
	return f(ctx, v)
}

// A PanicError is the panic of a callback.
type PanicError struct {
	// Value is what panic was called with.
	Value any
	// Stack is the goroutine's stack at the panic.
	Stack []byte
}

// Error returns the panic's value and its stack.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n%s", e.Value, e.Stack) }

// Unwrap returns the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
