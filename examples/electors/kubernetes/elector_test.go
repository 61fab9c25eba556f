// From coordgen v0.1.0, elector/kubernetes/elector_test.go 57fd05dabb81. This file is yours.

//go:build servers

package kubernetes

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	client "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const ttl = 2 * time.Second

func TestConforms(t *testing.T) {
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  ttl,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			name := "elector-test-" + strings.ToLower(rand.Text())
			for _, identity := range identities {
				rivals = append(rivals, open(t, name, identity))
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			c := e.(*candidate)
			return c.admin.Delete(ctx, c.config.Name, metav1.DeleteOptions{})
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*candidate).line.cut.Store(true)
			return nil
		},
	})
}

// A candidate is an elector, and the line by which it reaches the API server.
type candidate struct {
	*Elector
	line  *line
	admin client.LeaseInterface // of the test
}

func open(t electortest.TB, name, identity string) *candidate {
	c := &candidate{line: &line{}}
	e, err := New(connect(t, c.line), Config{Identity: identity, Name: name, TTL: ttl, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	c.Elector, c.admin = e, connect(t, &line{})
	t.Cleanup(func() {
		c.line.cut.Store(false)
		require.NoError(t, e.Close(context.Background()))
		if err := c.admin.Delete(context.Background(), name, metav1.DeleteOptions{}); !apierrors.IsNotFound(err) {
			require.NoError(t, err)
		}
	})
	return c
}

func connect(t electortest.TB, l *line) client.LeaseInterface {
	path := os.Getenv("COORDGEN_KUBERNETES_CONFIG")
	require.NotEmpty(t, path, "COORDGEN_KUBERNETES_CONFIG is not set: README.md says to what")
	config, err := clientcmd.BuildConfigFromFlags("", path)
	require.NoError(t, err)
	config.QPS = -1 // the suite asks more often than clients are allowed by default
	config.Wrap(func(transport http.RoundTripper) http.RoundTripper {
		l.transport = transport
		return l
	})
	c, err := client.NewForConfig(config)
	require.NoError(t, err)
	t.Cleanup(func() { utilnet.CloseIdleConnectionsFor(l.transport) })
	return c.Leases("default")
}

// A line carries requests to the API server, and may be cut, or silent, or lose the
// answers to those that write.
type line struct {
	transport          http.RoundTripper
	cut, silent, lossy atomic.Bool
}

func (l *line) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.cut.Load() {
		return nil, errors.New("the line is cut")
	}
	if l.silent.Load() {
		select {
		case <-r.Context().Done():
		case <-time.After(3 * time.Second):
		}
		return nil, errors.New("no answer")
	}
	answer, err := l.transport.RoundTrip(r)
	if err == nil && l.lossy.Load() && r.Method != http.MethodGet {
		_ = answer.Body.Close()
		return nil, errors.New("the answer is lost")
	}
	return answer, err
}
