// From coordgen v0.1.0, elector/zookeeper/elector_test.go e494cc9da421. This file is yours.

//go:build servers

package zookeeper

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// timeout is that of sessions. Servers grant it that have ticks of two seconds, the
// default, or of less, down to a fifth.
const timeout = 4 * time.Second

func TestConforms(t *testing.T) {
	electortest.Run(t, electortest.Factory{
		Fenced: true,
		Lease:  timeout / 2,
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			path := newPath(t)
			for _, identity := range identities {
				rivals = append(rivals, open(t, path, identity, timeout))
			}
			return rivals
		},
		Lose: func(_ context.Context, e elector.LeaderElector) error {
			c := e.(*candidate)
			nodes, _, err := c.admin.Children(c.config.Path)
			if err != nil || len(nodes) == 0 {
				return err
			}
			return c.admin.Delete(c.config.Path+"/"+nodes[0], -1)
		},
		Disconnect: func(_ context.Context, e elector.LeaderElector) error {
			e.(*candidate).line.cut()
			return nil
		},
	})
}

// A candidate is an elector, and the line by which it reaches ZooKeeper.
type candidate struct {
	*Elector
	line  *line
	admin *zk.Conn // of the test
}

// newPath returns one that is removed in the end.
func newPath(t electortest.TB) string {
	path := "/elector-test-" + rand.Text()
	admin := connect(t, address(t), &line{})
	t.Cleanup(func() {
		nodes, _, err := admin.Children(path)
		if errors.Is(err, zk.ErrNoNode) {
			return
		}
		require.NoError(t, err)
		for _, node := range nodes { // of those whose line is cut
			require.NoError(t, admin.Delete(path+"/"+node, -1))
		}
		require.NoError(t, admin.Delete(path, -1))
	})
	return path
}

func open(t electortest.TB, path, identity string, sessionTimeout time.Duration) *candidate {
	c := &candidate{line: &line{}, admin: connect(t, address(t), &line{})}
	client := connect(t, address(t), c.line)
	e, err := New(client, Config{Identity: identity, Path: path, SessionTimeout: sessionTimeout, Logger: slog.New(slog.DiscardHandler)})
	require.NoError(t, err)
	c.Elector = e
	t.Cleanup(func() {
		if c.line.isCut() {
			_ = e.Close(context.Background())
			c.line.mend()
			return
		}
		require.NoError(t, e.Close(context.Background()))
	})
	return c
}

func address(t require.TestingT) string {
	addr := os.Getenv("COORDGEN_ZOOKEEPER_ADDR")
	require.NotEmpty(t, addr, "COORDGEN_ZOOKEEPER_ADDR is not set: README.md says to what")
	return addr
}

func connect(t electortest.TB, addr string, l *line) *zk.Conn {
	client, events, err := zk.Connect(strings.Split(addr, ","), timeout, zk.WithDialer(l.dial), zk.WithLogger(silence{}))
	require.NoError(t, err)
	t.Cleanup(func() {
		client.Close()
		for range events { // until it is closed
		}
	})
	return client
}

type silence struct{}

func (silence) Printf(string, ...any) {}

// A line carries requests to ZooKeeper. It may be cut, or lose the answers to those
// that create a node.
type line struct {
	lossy atomic.Bool

	mu    sync.Mutex
	isOff bool
	conns []net.Conn
}

func (l *line) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isOff {
		return nil, errors.New("the line is cut")
	}
	conn, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	return &lossyConn{Conn: conn, line: l}, nil
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isOff = true
	for _, conn := range l.conns {
		_ = conn.Close()
	}
}

func (l *line) mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.isOff = false
}

func (l *line) isCut() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.isOff
}

// A lossyConn is closed by the answer to a request whose answer is to be lost.
type lossyConn struct {
	net.Conn
	line *line
	deaf atomic.Bool
}

func (c *lossyConn) Write(b []byte) (int, error) {
	const create = 1 // the operation, behind the length and the number of the request
	if c.line.lossy.Load() && len(b) > 12 && binary.BigEndian.Uint32(b[8:]) == create {
		c.deaf.Store(true)
	}
	return c.Conn.Write(b)
}

func (c *lossyConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.deaf.Load() {
		_ = c.Conn.Close()
		return 0, errors.New("the answer is lost")
	}
	return n, err
}
