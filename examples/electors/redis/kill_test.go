//go:build servers

package redis

import (
	"context"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A leader goes on when a minority of the servers is killed, or hangs, and another
// can take over with a greater term. The killed ones come back and have forgotten
// all.
func TestFaultyMinority(t *testing.T) {
	for name, harm := range map[string]struct{ fail, recover func(s *process) }{
		"killed": {(*process).kill, (*process).start},
		"hung":   {func(s *process) { s.signal(syscall.SIGSTOP) }, func(s *process) { s.signal(syscall.SIGCONT) }},
	} {
		t.Run(name, func(t *testing.T) {
			servers := make([]*process, 5)
			addrs := make([]string, 5)
			for i := range servers {
				servers[i] = newProcess(t)
				addrs[i] = servers[i].addr
			}
			rivals := open(t, addrs, "a", "b")
			a, b := rivals[0], rivals[1]
			first := acquires(t, a)
			for _, s := range servers[:2] {
				harm.fail(s)
			}
			begun := time.Now()
			renewed, err := a.Renew(t.Context())
			require.NoError(t, err)
			assert.True(t, renewed)
			assert.Less(t, time.Since(begun), ttl/4, "it waits for no minority")
			won, err := b.TryAcquire(t.Context())
			require.NoError(t, err)
			assert.False(t, won)
			require.NoError(t, a.Release(t.Context()))
			second := acquires(t, b)
			assert.Greater(t, second, first)

			for _, s := range servers[:2] {
				harm.recover(s)
			}
			won, err = a.TryAcquire(t.Context())
			require.NoError(t, err)
			assert.False(t, won, "what came back gives it no majority")
			harm.fail(servers[4]) // one that remembers
			require.NoError(t, b.Release(t.Context()))
			assert.Greater(t, acquires(t, a), second)
			harm.recover(servers[4])
		})
	}
}

// A process is a Redis server of the test's own, which keeps nothing.
type process struct {
	t    *testing.T
	addr string
	cmd  *exec.Cmd
}

func newProcess(t *testing.T) *process {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	s := &process{t: t, addr: l.Addr().String()}
	s.start()
	t.Cleanup(s.kill)
	return s
}

func (s *process) start() {
	_, port, err := net.SplitHostPort(s.addr)
	require.NoError(s.t, err)
	s.cmd = exec.CommandContext(context.Background(), "redis-server", "--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", s.t.TempDir())
	require.NoError(s.t, s.cmd.Start())
	require.Eventually(s.t, func() bool {
		conn, err := net.Dial("tcp", s.addr)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}, 10*time.Second, 10*time.Millisecond)
}

func (s *process) signal(sig os.Signal) { require.NoError(s.t, s.cmd.Process.Signal(sig)) }

func (s *process) kill() {
	s.signal(syscall.SIGKILL)
	_ = s.cmd.Wait()
}
