package natsbus

import (
	"log/slog"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/bus/bustest"
)

// serve starts a NATS server that ends with the test.
func serve(t *testing.T) string {
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(45*time.Second))
	return s.ClientURL()
}

func connect(t bustest.TB, url string) *nats.Conn {
	conn, err := nats.Connect(url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	return conn
}

func TestBus(t *testing.T) {
	url := serve(t)
	bustest.Run(t, bustest.Factory{
		Headers: true,
		Ordered: true,
		Open: func(t bustest.TB, instances int) []bus.Bus {
			buses := make([]bus.Bus, instances)
			for i := range buses {
				buses[i] = New(connect(t, url), slog.New(slog.DiscardHandler))
			}
			return buses
		},
	})
}

// A subscription that was too slow loses messages, and goes on.
func TestSlowConsumer(t *testing.T) {
	conn := connect(t, serve(t))
	sub, err := conn.SubscribeSync("topic")
	require.NoError(t, err)
	require.NoError(t, sub.SetPendingLimits(2, -1))
	for range 5 {
		require.NoError(t, conn.Publish("topic", []byte("payload")))
	}
	require.NoError(t, conn.Flush())
	s := source{sub, slog.New(slog.DiscardHandler)}
	for range 2 {
		m, err := s.Next(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "payload", string(m.Payload))
	}
}
