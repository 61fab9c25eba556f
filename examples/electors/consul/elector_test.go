// From coordgen v0.1.0, elector/consul/elector_test.go 48eabc1d31d8. This file is yours.

//go:build servers

package consul

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/consul/api"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestConforms(t *testing.T) {
	ttl := ttl(t)
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Wait:   4 * ttl, // a session may last for two, and then there is the lock delay
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			key := "elector-test/" + rand.Text()
			for _, identity := range identities {
				rivals = append(rivals, open(t, key, identity, ttl))
			}
			return rivals
		},
		Lose: func(_ context.Context, e elector.LeaderElector) error {
			c := e.(*candidate)
			_, err := c.admin.KV().Delete(c.config.Key, nil)
			return err
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*candidate).line.cut.Store(true)
			return nil
		},
	})
}

// ttl is the least that the servers allow.
func ttl(t require.TestingT) time.Duration {
	ttl, err := time.ParseDuration(cmp.Or(os.Getenv("COORDGEN_CONSUL_TTL"), "10s"))
	require.NoError(t, err)
	return ttl
}

// A candidate is an elector, and the line by which it reaches Consul.
type candidate struct {
	*Elector
	line  *line
	admin *api.Client // of the test
}

func open(t electortest.TB, key, identity string, ttl time.Duration) *candidate {
	addr := os.Getenv("COORDGEN_CONSUL_ADDR")
	require.NotEmpty(t, addr, "COORDGEN_CONSUL_ADDR is not set: README.md says to what")
	c := &candidate{line: connect(t), admin: client(t, addr, connect(t))}
	e, err := New(client(t, addr, c.line), Config{Identity: identity, Key: key, TTL: ttl, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	c.Elector = e
	t.Cleanup(func() {
		c.line.cut.Store(false)
		require.NoError(t, e.Close(context.Background()))
		_, err := c.admin.KV().Delete(key, nil)
		require.NoError(t, err)
	})
	return c
}

func client(t require.TestingT, addr string, l *line) *api.Client {
	client, err := api.NewClient(&api.Config{Address: addr, HttpClient: &http.Client{Transport: l}})
	require.NoError(t, err)
	return client
}

// A line carries requests to Consul, and may be cut or lose the answers to those
// that lock a key.
type line struct {
	http.Transport
	cut, lossy atomic.Bool
}

func connect(t electortest.TB) *line {
	l := &line{}
	t.Cleanup(l.CloseIdleConnections)
	return l
}

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.cut.Load() {
		return nil, errors.New("the line is cut")
	}
	answer, err := l.Transport.RoundTrip(r)
	if err == nil && l.lossy.Load() && r.URL.Query().Has("acquire") {
		_ = answer.Body.Close()
		return nil, errors.New("the answer is lost")
	}
	return answer, err
}
