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
//   - A heartbeat of a greater incarnation than the one on record begins a new life
//     of the peer: it is recorded whenever it was sent, the notice of an earlier
//     life is forgotten at once, and the clock's offset is measured anew. One of a
//     smaller incarnation arrived late, and is dropped, unless the one on record is
//     stale; then the clock is taken to have been set back. A notice of a smaller
//     incarnation is dropped, and one of a greater is taken whatever is known of the
//     life before. Where one of the two messages names no incarnation, the other
//     rules decide alone.
//   - A peer that sends a heartbeat after its own deadline is alive again, and
//     its notice is forgotten. Without incarnations a restart within the drain
//     window can't be told from draining, which goes with heartbeats too, so it
//     counts as draining until then. If the peer's clock was set back meanwhile, it has to be heard
//     for one timeout more, counted from the first such heartbeat or, if that is
//     later, from the end of the window.
//   - A notice that was delivered before, that is older than the newest one known,
//     or whose deadline its sender is known to have outlived, is dropped.
//   - A notice's deadline is taken at its word, by this instance's clock, so that
//     one in the past means terminated at once. Only when the sender's heartbeats
//     have shown a clock that is off by more than the timeout is it corrected by
//     that offset, which is the smallest one seen since either clock was set.
//
// # The fleet's version
//
// A message is best written at the lowest schema version in the fleet, which
// [Coordinator.WriteVersion] tells. These rules err on the side of the lower one:
//
//   - Peers say their version in heartbeats. One that does not is at version 1.
//   - A peer that is draining counts, one that is terminated does not.
//   - A stale peer counts with the version it said last until it has been silent for
//     four heartbeat timeouts, or was removed: it may be cut off, and come back. If
//     it is what holds the version down, that is uncertain. So is a peer that leaves
//     and was never heard; it counts as one of version 1.
//   - An instance of version 1 of which nothing was heard is assumed to be there
//     until messages, be it this instance's own, have arrived for one heartbeat
//     timeout without a break as long; while none arrives; and for four timeouts
//     after a peer was refused, or forgotten too early, for lack of room.
//   - The lowest version falls at once when an older peer is heard.
//   - [Coordinator.PinVersion] overrides all that.
//
// An instance that starts is not known before its first heartbeat, and may get
// messages of a version that it lacks until then. Before instances of an older version
// are started, as in a rollback, pin that version in the whole fleet.
//
// Nothing proves what a peer says. Who can publish on the bus can hold the version
// down; pins are the remedy.
//
// # Fencing
//
// Of an elector that numbers leaderships, an elector.Fenced, the number goes with
// the heartbeats and the assignments of a leader. An assignment of a smaller number
// than the greatest that was seen, in an assignment or in a leader's heartbeat, is
// refused with [ErrStaleTerm]: it comes from a leader that another one has followed.
// One without a number is accepted, since peers of version 1 send none.
//
// The greatest number is kept for as long as the coordinator lives, also when who
// sent it is gone, because a leader that was followed may wake up at any time. It
// can't be bounded either: the numbers of some electors leap. So a forged number
// that is huge shuts out the true leaders, until the instances that saw it are
// restarted; the error of a refusal names the instance it came from. Let only those
// publish on the bus who may lead.
package coord
