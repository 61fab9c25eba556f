package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/bus/bustest"
	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// serve starts a NATS server that ends with the test.
func serve(t *testing.T) string {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
	})
	require.NoError(t, err)
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	require.True(t, s.ReadyForConnections(patience))
	return s.ClientURL()
}

func connect(t interface {
	Errorf(string, ...any)
	FailNow()
	Cleanup(func())
}, url string) *nats.Conn {
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
				buses[i] = &natsBus{conn: connect(t, url), log: slog.New(slog.DiscardHandler)}
			}
			return buses
		},
	})
}

func TestElector(t *testing.T) {
	const lease = 2 * time.Second
	url := serve(t)
	var elections atomic.Int64
	var conns sync.Map // of the electors
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  lease,
		Open: func(t electortest.TB, identities ...string) []elector.LeaderElector {
			name := fmt.Sprint("election", elections.Add(1))
			electors := make([]elector.LeaderElector, len(identities))
			for i, identity := range identities {
				conn := connect(t, url)
				kv, err := createBucket(context.Background(), conn, name, lease)
				require.NoError(t, err)
				e, err := newNATSElector(context.Background(), kv, identity, slog.New(slog.DiscardHandler))
				require.NoError(t, err)
				t.Cleanup(e.Close)
				electors[i] = e
				conns.Store(electors[i], conn)
			}
			return electors
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			return e.(*natsElector).kv.Purge(ctx, leaderKey)
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			conn, _ := conns.Load(e)
			conn.(*nats.Conn).Close()
			return nil
		},
	})
}
