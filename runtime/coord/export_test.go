package coord

import "time"

// FindFleetVersion returns what the schema versions of the fleet are, found from all
// peers whatever was found before, which it leaves as it is.
func (c *Coordinator[H, S, A]) FindFleetVersion() FleetVersion {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.findFleetVersion(time.Now()).FleetVersion
}
