package coord

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"time"

	"github.com/coordgen/coordgen/runtime/elector"
)

// Defaults of a [Config].
const (
	// DefaultHeartbeatTimeout is that of the protocol.
	DefaultHeartbeatTimeout = 15 * time.Second
	// DefaultDrainWindow is that of the protocol.
	DefaultDrainWindow = 30 * time.Second
	// DefaultMaxPeers is far above any fleet that beats over one bus.
	DefaultMaxPeers = 10_000
)

// A Config says who an instance is and how patient it is. The zero value of each
// field but InstanceID is its default.
type Config struct {
	// InstanceID names this instance. Required, and unique in the fleet.
	InstanceID string

	// Elector is asked whether this instance leads. Nil means that it never does.
	// Its identity need not be InstanceID: it may say more, such as the pod's name.
	Elector elector.LeaderElector

	// HeartbeatTimeout is the silence after which a peer is stale. It defaults to
	// [DefaultHeartbeatTimeout] and should be the same in the whole fleet.
	HeartbeatTimeout time.Duration

	// DrainWindow is how long this instance takes to finish its work when it
	// leaves. It defaults to [DefaultDrainWindow].
	DrainWindow time.Duration

	// SchemaVersion is the version of the schema that this instance's code was made
	// from, which it tells its peers. It defaults to that of the coordination schema
	// itself in the constructor of a generated package, and to 1 without one. Where
	// the messages that evolve are of a schema of their own, set it to the version
	// of that one, in all programs of the fleet and from the first release on: the
	// numbers of two schemas can't be compared.
	SchemaVersion int

	// MaxPeers bounds the number of peers on record, so that a sender of ever new
	// ids can't exhaust the memory. It defaults to [DefaultMaxPeers]. When it
	// is reached, a new peer takes the place of the one that has been terminated
	// or silent the longest.
	MaxPeers int

	// Logger gets the failures of callbacks and what else an operator should
	// know. It defaults to [slog.Default].
	Logger *slog.Logger
}

// withDefaults returns c with its defaults filled in, or says what is wrong with it.
func (c Config) withDefaults() (Config, error) {
	switch {
	case c.InstanceID == "":
		return c, errors.New("coord: Config.InstanceID is empty; set it to a name that no other instance of the fleet has")
	case c.HeartbeatTimeout < 0:
		return c, fmt.Errorf("coord: Config.HeartbeatTimeout is %v; set a positive duration, or 0 for %v", c.HeartbeatTimeout, DefaultHeartbeatTimeout)
	case c.HeartbeatTimeout > math.MaxInt64/silentTimeouts:
		return c, fmt.Errorf("coord: Config.HeartbeatTimeout is %v; set at most %v", c.HeartbeatTimeout, time.Duration(math.MaxInt64/silentTimeouts))
	case c.DrainWindow < 0:
		return c, fmt.Errorf("coord: Config.DrainWindow is %v; set a positive duration, or 0 for %v", c.DrainWindow, DefaultDrainWindow)
	case c.SchemaVersion < 0 || c.SchemaVersion > math.MaxInt32:
		return c, fmt.Errorf("coord: Config.SchemaVersion is %d; set the version of a schema, from 1 to %d, or 0 for 1", c.SchemaVersion, math.MaxInt32)
	case c.MaxPeers < 0:
		return c, fmt.Errorf("coord: Config.MaxPeers is %d; set a positive number, or 0 for %d", c.MaxPeers, DefaultMaxPeers)
	}
	if c.HeartbeatTimeout == 0 {
		c.HeartbeatTimeout = DefaultHeartbeatTimeout
	}
	if c.DrainWindow == 0 {
		c.DrainWindow = DefaultDrainWindow
	}
	if c.SchemaVersion == 0 {
		c.SchemaVersion = 1
	}
	if c.MaxPeers == 0 {
		c.MaxPeers = DefaultMaxPeers
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return c, nil
}
