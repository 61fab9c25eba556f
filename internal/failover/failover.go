// Package failover measures how long a fleet is without a leader, with processes
// of its own that are killed.
package failover

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
)

// electionVar names the election to a process that is to lead until it is killed.
const electionVar = "COORDGEN_TEST_FAILOVER"

// A Backend is one on which to measure.
type Backend struct {
	// Open returns an elector that takes part in an election, in this process or in
	// another one of the same test. It closes it by t.Cleanup.
	Open func(t *testing.T, election, identity string) elector.LeaderElector
	// Lease is how long an elector leads that does not renew.
	Lease time.Duration
	// Killed is how long the backend may take to give the leadership of a process
	// that was killed to another that asks all the time.
	Killed time.Duration
}

// Run logs how long it takes until a rival leads, after the leader's process was
// killed and after it has released, and wants it to be within bounds. It is to be
// called by TestFailover, which is run in the other process, too.
func Run(t *testing.T, b Backend) {
	if election := os.Getenv(electionVar); election != "" {
		b.lead(t, election)
		return
	}
	retry := b.Lease / 3 // as campaigns do unless they are told otherwise
	for _, end := range []struct {
		name   string
		signal os.Signal
		within time.Duration
	}{
		{"released", os.Interrupt, 3 * retry},
		{"killed", os.Kill, b.Killed + 3*retry},
	} {
		t.Run(end.name, func(t *testing.T) {
			election := fmt.Sprintf("failover-%d", time.Now().UnixNano())
			leader := startLeader(t, election)
			leads := make(chan time.Time, 1)
			b.campaign(t, election, "rival", leads)
			time.Sleep(b.Lease / 2) // for the rival to have seen the leader
			require.Empty(t, leads)
			begun := time.Now()
			require.NoError(t, leader.Signal(end.signal))
			select {
			case led := <-leads:
				t.Logf("%s: a rival leads after %v, with a lease of %v", end.name, led.Sub(begun).Round(time.Millisecond), b.Lease)
			case <-time.After(end.within + time.Second):
				require.Fail(t, "no rival leads", "after %v", end.within+time.Second)
			}
		})
	}
}

// startLeader returns a process once it leads.
func startLeader(t *testing.T, election string) *os.Process {
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFailover$")
	cmd.Env = append(os.Environ(), electionVar+"="+election)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = os.Stderr
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it has ended, unless the test failed
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "leads\n", line)
	return cmd.Process
}

// lead is what the other process does: it leads until it is killed or interrupted.
func (b Backend) lead(t *testing.T, election string) {
	leads := make(chan time.Time, 1)
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt, syscall.SIGTERM)
	stop := b.campaign(t, election, "leader", leads)
	<-leads
	fmt.Println("leads")
	<-interrupted
	stop()
}

// campaign seeks the leadership until the end of the test, or until stop is called.
func (b Backend) campaign(t *testing.T, election, identity string, leads chan<- time.Time) (stop func()) {
	c, err := elector.NewCampaign(b.Open(t, election, identity), elector.CampaignConfig{
		Lease:  b.Lease,
		Logger: slog.New(slog.DiscardHandler),
		Lead: func(ctx context.Context, _ uint64) error {
			leads <- time.Now()
			<-ctx.Done()
			return nil
		},
	})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.Run(ctx)
	}()
	stop = func() {
		cancel()
		<-done
	}
	t.Cleanup(stop)
	return stop
}
