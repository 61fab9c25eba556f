// Package coord keeps track of the peers of one instance in a fleet: who is
// alive, who is leaving, who fell silent, and whose work is orphaned.
//
// A [Coordinator] is fed with the messages that arrive and makes the ones to be
// sent. It publishes nothing, subscribes to nothing, starts no goroutine and no
// timer, and never starts, claims or reassigns work: all of that is the
// application's. State is in memory only and is safe for concurrent use.
//
// The messages are the user's own; generated code tells the coordinator what
// their fields mean, by a value of [Roles], and wraps it with typed methods.
//
// # Time
//
// Clocks of a fleet disagree, and messages arrive late or twice. These rules
// keep that from making a live peer look dead or a dead one alive:
//
//   - One duration, [Config].HeartbeatTimeout, decides when a peer is stale, for
//     its status and for [Coordinator.CheckPeerTimeouts] alike: when its age is
//     greater than the timeout, not when it is equal.
//   - The age of a heartbeat is the time since its receipt by this instance's
//     monotonic clock. The sender's clock has no part in it.
//   - A heartbeat that was sent before the one on record arrived late, and is
//     dropped. But if the one on record is stale, the sender's clock is taken to
//     have been set back, and the heartbeat is a sign of life. One that was sent
//     at the same time as the one on record replaces it, but is a second delivery
//     and no sign of life.
//   - A peer that sends a heartbeat after its own deadline is alive again, and
//     its notice is forgotten. A restart within the drain window can't be told
//     from draining, which goes with heartbeats too, so it counts as draining
//     until then. If the peer's clock was set back meanwhile, it has to be heard
//     for one timeout more, counted from the first such heartbeat or, if that is
//     later, from the end of the window.
//   - A notice that was delivered before, that is older than the newest one known,
//     or whose deadline its sender is known to have outlived, is dropped.
//   - A notice's deadline is taken at its word, by this instance's clock, so that
//     one in the past means terminated at once. Only when the sender's heartbeats
//     have shown a clock that is off by more than the timeout is it corrected by
//     that offset, which is the smallest one seen since either clock was set.
package coord
