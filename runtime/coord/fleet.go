package coord

import (
	"context"
	"fmt"
	"time"
)

// silentTimeouts is for how many heartbeat timeouts a silent peer still counts for
// the fleet's version: one that was cut off, or is being restarted, is back by then.
const silentTimeouts = 4

// A FleetVersion is what the schema versions of a fleet's instances are at one
// moment. The package comment has the rules.
type FleetVersion struct {
	// Lowest is the lowest version in the fleet, and Highest the highest. This
	// instance is among them.
	Lowest, Highest int
	// Writing is the version at which messages should be written, so that the whole
	// fleet reads them: Lowest, or the one that is pinned.
	Writing int
	// Pinned says that Writing was set with PinVersion.
	Pinned bool
	// Uncertain says why Lowest is lower than the version of each instance that is
	// surely there, as a sentence for people. It is empty when it is not.
	Uncertain string
}

// A fleetState is what was found. It is never changed.
type fleetState struct {
	FleetVersion
	own     int
	sure    int       // the lowest version of those that are surely there
	doubted int       // the lowest version of those that may be there, or own
	until   time.Time // from then on it may be another although no message arrived
}

// FleetVersion returns what the schema versions of the fleet are.
func (c *Coordinator[H, S, A]) FleetVersion() FleetVersion {
	now := time.Now()
	if s := c.fleet.Load(); s != nil && now.Before(s.until) {
		return s.FleetVersion
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fleetVersion(now)
}

// WriteVersion returns the version at which messages should be written now. It is
// cheap enough to be called for each.
func (c *Coordinator[H, S, A]) WriteVersion() int { return c.FleetVersion().Writing }

// FleetSupports says whether messages are written at the version or a later one, so
// that what came with it may be used.
func (c *Coordinator[H, S, A]) FleetSupports(version int) bool { return c.WriteVersion() >= version }

// PinVersion sets the version at which messages are written, whatever the fleet's
// is: a lower one to hold a feature back, a higher one if what holds the fleet down is
// known not to matter. 0 takes the pin off. It is an error to pin a version that this
// instance's code does not have.
func (c *Coordinator[H, S, A]) PinVersion(ctx context.Context, version int) error {
	if own := c.config.SchemaVersion; version < 0 || version > own {
		return fmt.Errorf("coord: version %d can't be pinned, since the code of %q has the versions from 1 to %d; pin one of them, or 0 for none",
			version, c.config.InstanceID, own)
	}
	c.pin(version)
	c.tellFleetVersion(ctx)
	return nil
}

func (c *Coordinator[H, S, A]) pin(version int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pinned = version
	c.fleet.Store(nil)
}

// OnFleetVersion registers f to be called with the fleet's version when it is
// another: when a handled message, CheckPeerTimeouts or PinVersion shows it. Calls are
// made in the order of registration, under no lock, one change after the other and
// never two at once. What changes while they run, and changes back, is not told. The
// context does not end with that of the call that showed the change. The returned
// function removes f.
func (c *Coordinator[H, S, A]) OnFleetVersion(f func(ctx context.Context, v FleetVersion) error) (remove func()) {
	return c.versions.Add(f)
}

// tellFleetVersion calls the callbacks until they know of the newest state. While
// another call is at it, in another goroutine or further up in this one, it returns at
// once and leaves that to the other.
func (c *Coordinator[H, S, A]) tellFleetVersion(ctx context.Context) {
	for c.tellNextVersion(context.WithoutCancel(ctx)) {
	}
}

func (c *Coordinator[H, S, A]) tellNextVersion(ctx context.Context) bool {
	v, ok := c.takeVersion()
	if !ok {
		return false
	}
	defer c.versionTold() // deferred, because a callback may end its goroutine, as a failed test does
	c.versions.Call(ctx, v, c.log, "fleet version", "lowest", v.Lowest, "writing", v.Writing)
	return true
}

func (c *Coordinator[H, S, A]) takeVersion() (v FleetVersion, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v = c.fleetVersion(time.Now())
	if c.telling || v == c.toldVersion {
		return v, false
	}
	c.telling, c.toldVersion = true, v
	return v, true
}

func (c *Coordinator[H, S, A]) versionTold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.telling = false
}
