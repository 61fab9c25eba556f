package coord_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/runtime/coord"
)

// Everything at once, callbacks that call back included. The race detector judges.
func TestConcurrentUse(t *testing.T) {
	c := newCoordinator(t, func(c *coord.Config) { c.HeartbeatTimeout, c.SchemaVersion = 50*time.Microsecond, 3 })
	ctx := t.Context()
	c.OnHeartbeat(func(_ context.Context, p *pulse) error { c.Peer(p.Name); return nil })
	c.OnPeerTimeout(func(_ context.Context, id string) error { c.Peer(id); return nil })
	c.OnPeerLost(func(_ context.Context, l coord.Loss) error { c.RemovePeer(l.InstanceID); return nil })

	c.OnFleetVersion(func(ctx context.Context, v coord.FleetVersion) error { return c.PinVersion(ctx, v.Lowest) })

	// What each of the goroutines does, over and over.
	work := []func(peer string){
		func(peer string) {
			assert.NoError(t, c.HandleHeartbeat(ctx, &pulse{Name: peer, Made: time.Now(), Jobs: []string{"orders"}}))
		},
		func(peer string) {
			if err := c.HandleHeartbeat(ctx, &pulse{Name: peer, Made: time.Now(), Jobs: []string{"orders"}}); err == nil {
				_ = c.HandlePeerShutdown(ctx, &goodbye{Name: peer, Since: time.Now(), Until: time.Now().Add(time.Microsecond), Jobs: []string{"orders"}})
			}
		},
		func(peer string) {
			assert.NoError(t, c.HandleWorkAssignment(ctx, c.CreateWorkAssignment(peer, nil, 1)))
		},
		func(string) { c.CheckPeerTimeouts(ctx) },
		func(peer string) { c.RemovePeer(peer) },
		func(string) { c.OnHeartbeat(func(context.Context, *pulse) error { return nil })() },
		func(string) {
			c.CreateHeartbeat(coord.Work{})
			c.CreateShutdownNotice("graceful", coord.Leaving{})
		},
		func(string) {
			for _, p := range c.Peers() {
				if p.LastHeartbeat != nil {
					p.LastHeartbeat.Region = "changed"
				}
			}
			for _, jobs := range c.OrphanedSubscriptions() {
				jobs[0] = "changed"
			}
		},
		func(string) { c.ShutdownNotice() },
		func(peer string) {
			_ = c.HandleHeartbeat(ctx, &pulse{Name: peer, Made: time.Now(), Form: len(c.Peers()) % 4, Life: time.Now().UnixMicro(), Leads: true, Reign: 1})
			_ = c.HandleWorkAssignment(ctx, &order{To: "me", From: peer, Reign: 1})
		},
		func(string) {
			assert.LessOrEqual(t, c.WriteVersion(), 3)
			assert.NoError(t, c.PinVersion(ctx, 0))
			c.FleetSupports(2)
		},
		func(string) {
			c.Health()
			c.ShuttingDown()
			c.HealthyPeerCount()
			c.DrainingPeers()
		},
	}
	var group sync.WaitGroup
	for _, do := range work {
		group.Go(func() {
			for i := range 500 {
				do(fmt.Sprint("peer-", i%7))
			}
		})
	}
	group.Wait()
}
