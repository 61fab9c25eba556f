//go:build unix

package elector_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// pausedVar tells this test that it is the process to be paused.
const pausedVar = "COORDGEN_TEST_PAUSED"

// A process that was stopped for longer than its lease finds its leadership over
// when it looks.
func TestPausedProcess(t *testing.T) {
	if os.Getenv(pausedVar) != "" {
		leadInLoop(t)
		return
	}
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPausedProcess$")
	cmd.Env = append(os.Environ(), pausedVar+"=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	lines := make(chan string, 100)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(out); in.Scan(); {
			lines <- in.Text()
		}
	}()
	require.Equal(t, "leads", <-lines)
	for found := 0; found < 3; {
		require.NoError(t, cmd.Process.Signal(syscall.SIGSTOP))
		time.Sleep(2 * pausedLease)
		require.NoError(t, cmd.Process.Signal(syscall.SIGCONT))
		time.Sleep(pausedLease / 2)
		for range len(lines) {
			if line := <-lines; line != "leads" {
				require.Equal(t, "paused, leads: false, error: context canceled", line)
				found++
			}
		}
	}
	require.NoError(t, cmd.Process.Kill())
	for range lines { // to its end
	}
	_ = cmd.Wait()
}

const pausedLease = 400 * time.Millisecond

// leadInLoop looks again and again whether it leads, and says what it saw first after
// a pause.
func leadInLoop(t *testing.T) {
	e := newLeased(t, "a", &backend{ttl: pausedLease})
	c := newCampaign(t, e, elector.CampaignConfig{
		Lease: pausedLease, Retry: time.Millisecond, Logger: discard,
		Lead: func(ctx context.Context, _ uint64) error {
			fmt.Println("leads")
			for last := time.Now(); ; time.Sleep(time.Millisecond) {
				now := time.Now() // before what is asked, so that the answers are later than the pause
				leads, err := e.IsLeader(), ctx.Err()
				if now.Sub(last) > pausedLease {
					fmt.Printf("paused, leads: %t, error: %v\n", leads, err)
					return nil
				}
				last = now
			}
		},
	})
	require.NoError(t, c.Run(t.Context()))
}
