package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/wire"
)

// OrderPlaced stands for a generated message.
type OrderPlaced struct {
	ID        string `json:"id" msgpack:"id"`
	Warehouse string `json:"warehouse" msgpack:"warehouse"`
}

type plainOrder OrderPlaced // without methods

func (m *OrderPlaced) AppendJSON(b []byte) ([]byte, error) {
	if m.ID == "" {
		return b, &wire.Error{Message: "orders.OrderPlaced", Field: "id", Offset: -1, Err: wire.ErrMissing}
	}
	data, err := json.Marshal((*plainOrder)(m))
	return append(b, data...), err
}

func (m *OrderPlaced) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, (*plainOrder)(m))
}

func (m *OrderPlaced) AppendMsgpack(b []byte) ([]byte, error) {
	data, err := msgpack.Marshal((*plainOrder)(m))
	return append(b, data...), err
}

func (m *OrderPlaced) UnmarshalMsgpack(data []byte) error {
	return msgpack.Unmarshal(data, (*plainOrder)(m))
}

// A counter counts messages that have code for JSON alone.
type counter struct{ N int }

func (m *counter) AppendJSON(b []byte) ([]byte, error) { return append(b, `{}`...), nil }

// An orderHandler stands for what implements a generated handler interface.
type orderHandler struct{ placed, shipped []string }

func (h *orderHandler) HandleOrderPlaced(_ context.Context, m *OrderPlaced) error {
	h.placed = append(h.placed, m.ID)
	return nil
}

func (h *orderHandler) HandleOrderShipped(_ context.Context, m *OrderPlaced) error {
	h.shipped = append(h.shipped, m.ID)
	return nil
}

// OrderCallback is what a generated callback type looks like.
type OrderCallback func(ctx context.Context, m *OrderPlaced) error

// bindOrders is what a generated Bind looks like.
func bindOrders(ctx context.Context, s bus.Subscriber, o bus.Options, h *orderHandler) (func() error, error) {
	return bus.Bind(ctx, s, o,
		bus.On("orders.placed", h.HandleOrderPlaced),
		bus.OnAddressed("orders.shipped", func(m *OrderPlaced) string { return m.Warehouse }, h.HandleOrderShipped),
	)
}

func TestBind(t *testing.T) {
	for _, format := range []wire.Format{wire.JSON, wire.Msgpack} {
		t.Run(format.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := bus.NewInMemory(bus.InMemoryOptions{})
				var h orderHandler
				unbind, err := bindOrders(t.Context(), b, bus.Options{InstanceID: "north"}, &h)
				require.NoError(t, err)

				publish := func(topic string, m *OrderPlaced) {
					require.NoError(t, bus.Publish(t.Context(), b, topic, bus.Encoding{Format: format}, m))
				}
				publish("orders.placed", &OrderPlaced{ID: "1", Warehouse: "south"})
				publish("orders.shipped", &OrderPlaced{ID: "2", Warehouse: "south"})
				publish("orders.shipped", &OrderPlaced{ID: "3", Warehouse: "north"})
				synctest.Wait()
				require.NoError(t, unbind())
				require.NoError(t, unbind())
				publish("orders.placed", &OrderPlaced{ID: "4"})
				synctest.Wait()

				assert.Equal(t, []string{"1"}, h.placed)
				assert.Equal(t, []string{"3"}, h.shipped)
			})
		})
	}
}

func TestOnTakesCallbackTypes(t *testing.T) {
	var called OrderCallback = func(context.Context, *OrderPlaced) error { return nil }
	_, err := bus.Bind(t.Context(), bus.NewInMemory(bus.InMemoryOptions{}), bus.Options{}, bus.On("orders.placed", called))
	assert.NoError(t, err)
}

func TestEachCallGetsItsOwnMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		var got []*OrderPlaced
		unbind, err := bus.Bind(t.Context(), b, bus.Options{}, bus.On("orders", func(_ context.Context, m *OrderPlaced) error {
			got = append(got, m)
			return nil
		}))
		require.NoError(t, err)
		for _, payload := range []string{`{"id":"1","warehouse":"north"}`, `{"id":"2"}`} {
			require.NoError(t, b.Publish(t.Context(), message(payload)))
		}
		synctest.Wait()
		require.NoError(t, unbind())
		assert.Equal(t, []*OrderPlaced{{ID: "1", Warehouse: "north"}, {ID: "2"}}, got)
	})
}

// A recordingBus keeps what is published and refuses topics.
type recordingBus struct {
	bus.Bus
	refuse    string
	published []bus.Message
	live      map[string]bool
	stopErr   error
}

var errRefused = errors.New("not authorized")

func (b *recordingBus) Publish(_ context.Context, m bus.Message) error {
	if m.Topic == b.refuse {
		return errRefused
	}
	b.published = append(b.published, m)
	return nil
}

func (b *recordingBus) Subscribe(_ context.Context, topic string, _ bus.Handler) (func() error, error) {
	if topic == b.refuse {
		return nil, errRefused
	}
	b.live[topic] = true
	return func() error { delete(b.live, topic); return b.stopErr }, nil
}

func TestPublish(t *testing.T) {
	b := &recordingBus{refuse: "secret"}
	m := &OrderPlaced{ID: "1"}
	require.NoError(t, bus.Publish(t.Context(), b, "orders", bus.Encoding{Format: wire.JSON}, m))
	assert.Equal(t, []bus.Message{{
		Topic:   "orders",
		Header:  map[string]string{"content-type": "application/json"},
		Payload: []byte(`{"id":"1","warehouse":""}`),
	}}, b.published)
	require.NoError(t, bus.Publish(t.Context(), b, "orders", bus.Encoding{Format: wire.Msgpack}, m))
	assert.Equal(t, "application/msgpack", b.published[1].Header[bus.HeaderContentType])

	err := bus.Publish(t.Context(), b, "secret", bus.Encoding{Format: wire.JSON}, m)
	assert.EqualError(t, err, `bus: publish to "secret": not authorized`)
	assert.ErrorIs(t, err, errRefused)

	err = bus.Publish(t.Context(), b, "orders", bus.Encoding{Format: wire.JSON}, &OrderPlaced{})
	assert.EqualError(t, err, `bus: publish to "orders": orders.OrderPlaced: id: required field is missing`)
	assert.ErrorIs(t, err, wire.ErrMissing)

	assert.ErrorIs(t, bus.Publish(t.Context(), b, "orders", bus.Encoding{Format: wire.Msgpack}, &counter{}), wire.ErrFormat)
	assert.Len(t, b.published, 2)

	closed := bus.NewInMemory(bus.InMemoryOptions{})
	require.NoError(t, closed.Close())
	err = bus.Publish(t.Context(), closed, "orders", bus.Encoding{Format: wire.JSON}, m)
	assert.EqualError(t, err, `bus: publish to "orders": the bus is closed`)
	assert.ErrorIs(t, err, bus.ErrClosed)
}

func TestBindAllOrNothing(t *testing.T) {
	var h orderHandler
	b := &recordingBus{refuse: "orders.shipped", live: map[string]bool{}}
	_, err := bindOrders(t.Context(), b, bus.Options{InstanceID: "north"}, &h)
	assert.EqualError(t, err, `bus: subscribe to "orders.shipped": not authorized`)
	assert.ErrorIs(t, err, errRefused)
	assert.Empty(t, b.live)

	b = &recordingBus{live: map[string]bool{}}
	_, err = bindOrders(t.Context(), b, bus.Options{}, &h)
	assert.EqualError(t, err, `bus: topic "orders.shipped" carries messages for one instance each: set Options.InstanceID to the id of this one`)
	assert.Empty(t, b.live)
}

func TestUnbindJoinsErrors(t *testing.T) {
	var h orderHandler
	b := &recordingBus{live: map[string]bool{}, stopErr: errors.New("broker is gone")}
	unbind, err := bindOrders(t.Context(), b, bus.Options{InstanceID: "north"}, &h)
	require.NoError(t, err)
	assert.EqualError(t, unbind(), "broker is gone\nbroker is gone")
	assert.Empty(t, b.live)
}

// While unbind waits for a handler, the handler can unbind too.
func TestUnbindWithinHandler(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	var unbind func() error
	running, finish := make(chan struct{}), make(chan struct{})
	unbind, err := bus.Bind(t.Context(), b, bus.Options{}, bus.On("orders", func(context.Context, *OrderPlaced) error {
		close(running)
		<-finish
		return unbind()
	}))
	require.NoError(t, err)
	require.NoError(t, b.Publish(t.Context(), message(`{}`)))
	<-running
	var wg sync.WaitGroup
	wg.Go(func() { assert.NoError(t, unbind()) })
	close(finish)
	wg.Wait()
}

func TestUndecodable(t *testing.T) {
	tooLong := `{"id":"` + strings.Repeat("1", 100) + `"}`
	for name, c := range map[string]struct {
		payload string
		header  string
		cause   error
		text    string
	}{
		"neither format":   {"<order/>", "", wire.ErrSyntax, "malformed: neither a JSON object nor a msgpack map"},
		"no bytes":         {"", "", wire.ErrSyntax, "malformed: neither a JSON object nor a msgpack map"},
		"not what it says": {`{"id":"1"}`, "application/msgpack", nil, ""},
		"too large":        {tooLong, "", bus.ErrTooLarge, "bus: payload is too large: 109 bytes, and Options.MaxBytes is 100"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				var h orderHandler
				b := bus.NewInMemory(bus.InMemoryOptions{Logger: slog.New(slog.DiscardHandler)})
				o := bus.Options{MaxBytes: 100, Logger: slog.New(slog.NewTextHandler(&log, nil))}
				routes := bus.On("orders", h.HandleOrderPlaced)
				unbind, err := bus.Bind(t.Context(), b, o, routes)
				require.NoError(t, err)

				var handed []error
				o.OnUndecodable = func(_ context.Context, m bus.Message, err error) error {
					assert.Equal(t, c.payload, string(m.Payload))
					handed = append(handed, err)
					panic("contained")
				}
				unbindHanded, err := bus.Bind(t.Context(), b, o, routes)
				require.NoError(t, err)

				bad, good := message(c.payload), message(`{"id":"1"}`)
				bad.Header = map[string]string{bus.HeaderContentType: c.header}
				require.NoError(t, b.Publish(t.Context(), bad))
				synctest.Wait()
				assert.Contains(t, log.String(), `level=WARN msg="message can't be read" topic=orders version="" bytes=`)
				assert.Contains(t, log.String(), c.text)
				require.Len(t, handed, 1)
				if c.cause != nil {
					assert.ErrorIs(t, handed[0], c.cause)
					assert.EqualError(t, handed[0], c.text)
				}

				require.NoError(t, unbindHanded())
				require.NoError(t, b.Publish(t.Context(), good))
				synctest.Wait()
				assert.Equal(t, []string{"1"}, h.placed, "the next message is served")
				require.NoError(t, unbind())
			})
		})
	}
}

func TestMaxBytesDefault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		var h orderHandler
		var refused []error
		o := bus.Options{OnUndecodable: func(_ context.Context, _ bus.Message, err error) error {
			refused = append(refused, err)
			return nil
		}}
		unbind, err := bus.Bind(t.Context(), b, o, bus.On("orders", h.HandleOrderPlaced))
		require.NoError(t, err)
		largest := `{"id":"1"}` + strings.Repeat(" ", 4<<20-len(`{"id":"1"}`))
		require.NoError(t, b.Publish(t.Context(), message(largest)))
		require.NoError(t, b.Publish(t.Context(), message(largest+" ")))
		synctest.Wait()
		require.NoError(t, unbind())
		assert.Equal(t, []string{"1"}, h.placed)
		require.Len(t, refused, 1)
		assert.ErrorIs(t, refused[0], bus.ErrTooLarge)
	})
}

func TestUnhandled(t *testing.T) {
	err := bus.Unhandled("orders.placed")
	assert.EqualError(t, err, `bus: no handler for "orders.placed"`)
	assert.ErrorIs(t, err, bus.ErrUnhandled)
}

func TestNothingIsRefused(t *testing.T) {
	b := bus.NewInMemory(bus.InMemoryOptions{})
	err := bus.Publish[OrderPlaced](t.Context(), b, "orders", bus.Encoding{Format: wire.JSON}, nil)
	assert.EqualError(t, err, `bus: publish to "orders": the message is nil`)
	err = bus.Publish(t.Context(), nil, "orders", bus.Encoding{Format: wire.JSON}, &OrderPlaced{})
	assert.EqualError(t, err, `bus: publish to "orders": the bus is nil`)
	_, err = bus.Bind(t.Context(), nil, bus.Options{})
	assert.EqualError(t, err, "bus: bind: the bus is nil")
}
