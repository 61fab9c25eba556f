// From coordgen v0.1.0, elector/etcd/elector_test.go 783cb5265be0. This file is yours.

package etcd

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

const ttl = 2 * time.Second // etcd's minimum

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConforms(t *testing.T) {
	addr := serve(t)
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			key := "elector-test/" + rand.Text()
			for _, identity := range identities {
				rivals = append(rivals, open(t, addr, key, identity))
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			_, err := e.(*Elector).client.Delete(ctx, e.(*Elector).config.Key)
			return err
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			return e.(*Elector).client.Close()
		},
	})
}

// open returns an elector with a client of its own.
func open(t electortest.TB, addr, key, identity string) *Elector {
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{addr}, Logger: zap.NewNop()})
	require.NoError(t, err)
	return with(t, client, key, identity)
}

// with returns an elector with a client, and closes both.
func with(t electortest.TB, client *clientv3.Client, key, identity string) *Elector {
	e, err := New(client, Config{Identity: identity, Key: key, TTL: ttl, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	t.Cleanup(func() {
		if client.Ctx().Err() != nil { // the test has closed it
			_ = e.Close(context.Background())
			return
		}
		require.NoError(t, e.Close(context.Background()))
		require.NoError(t, client.Close())
	})
	return e
}

// serve starts an etcd in this process and returns its address.
func serve(t *testing.T) string {
	free := url.URL{Scheme: "http", Host: "127.0.0.1:0"}
	local := []url.URL{free}
	config := embed.NewConfig()
	config.Dir = t.TempDir()
	config.ListenClientUrls, config.AdvertiseClientUrls = local, local
	config.ListenPeerUrls, config.AdvertisePeerUrls = local, local
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	config.UnsafeNoFsync = true
	config.LogLevel = "fatal"
	server, err := embed.StartEtcd(config)
	require.NoError(t, err)
	t.Cleanup(server.Close)
	select {
	case <-server.Server.ReadyNotify():
	case <-time.After(time.Minute):
		require.Fail(t, "etcd does not get ready")
	}
	return server.Clients[0].Addr().String()
}
