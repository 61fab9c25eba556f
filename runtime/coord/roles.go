package coord

import (
	"errors"
	"fmt"
	"time"
)

// Work is what an instance says about its load.
type Work struct {
	// Subscriptions are the ones that the instance works on.
	Subscriptions []string
	// InFlightCount is the number of items that it has begun and not finished.
	InFlightCount int64
	// LoadFactor is its load, from 0.0 to 1.0.
	LoadFactor float64
}

// A Heartbeat is what the coordinator reads of a heartbeat message and writes
// into one.
type Heartbeat struct {
	Work
	// InstanceID names the sender. Required.
	InstanceID string
	// SentAt is when the heartbeat was made, by the sender's clock. Required.
	SentAt time.Time
	// IsLeader says that the sender held the leadership then.
	IsLeader bool
	// SchemaVersion is the version of the schema that the sender's code was made
	// from. 0 means that it did not say it.
	SchemaVersion int
	// Incarnation is when the sender started, in microseconds since 1970 by its own
	// clock, so that it grows with each start under the same id. 0 means that it did
	// not say it.
	Incarnation int64
	// Term is the number of the leadership that the sender had. 0 means that it had
	// none, or that it is not numbered.
	Term uint64
}

// A Shutdown is what the coordinator reads of a shutdown notice and writes into
// one.
type Shutdown struct {
	// InstanceID names the leaving instance. Required.
	InstanceID string
	// Intent is why it leaves, as the wire names it. The coordinator passes it on,
	// known or not.
	Intent string
	// InitiatedAt is when it began to leave, by its own clock. Required.
	InitiatedAt time.Time
	// Deadline is when it will have finished, by its own clock. Required.
	Deadline time.Time
	// Subscriptions are the ones that it gives up.
	Subscriptions []string
	// InFlightCount is the number of items that it still has to finish.
	InFlightCount int64
	// Metadata is what the provider knows, such as a termination time.
	Metadata map[string]any
	// Incarnation is which life of the instance is leaving, as in its heartbeats.
	// 0 means that it did not say it.
	Incarnation int64
}

// An Assignment is what the coordinator reads of a work assignment and writes
// into one.
type Assignment struct {
	// Target names the instance that is to do the work. Required.
	Target string
	// Source names the instance that hands it out.
	Source string
	// Subscriptions are the ones to work on.
	Subscriptions []string
	// AssignedAt is when it was handed out, by the source's clock.
	AssignedAt time.Time
	// Priority is higher for more urgent work.
	Priority int64
	// Term is the number of the leadership in which it was handed out. 0 means that
	// the source did not say it.
	Term uint64
}

// Roles says what the fields of the user's messages mean: H is the heartbeat, S
// the shutdown notice, A the work assignment. Generated code supplies it; every
// function is required. Read functions get a message that is not nil and must
// not keep it. New functions may keep what they are given.
type Roles[H, S, A any] struct {
	ReadHeartbeat  func(*H) Heartbeat
	NewHeartbeat   func(Heartbeat) *H
	ReadShutdown   func(*S) Shutdown
	NewShutdown    func(Shutdown) *S
	ReadAssignment func(*A) Assignment
	NewAssignment  func(Assignment) *A
}

func (r Roles[H, S, A]) validate() error {
	for _, f := range []struct {
		name  string
		unset bool
	}{
		{"ReadHeartbeat", r.ReadHeartbeat == nil},
		{"NewHeartbeat", r.NewHeartbeat == nil},
		{"ReadShutdown", r.ReadShutdown == nil},
		{"NewShutdown", r.NewShutdown == nil},
		{"ReadAssignment", r.ReadAssignment == nil},
		{"NewAssignment", r.NewAssignment == nil},
	} {
		if f.unset {
			return fmt.Errorf("coord: Roles.%s is nil; set it, or use the constructor of the generated package", f.name)
		}
	}
	return nil
}

// validate says why the coordinator can't use h.
func (h Heartbeat) validate() error {
	switch {
	case h.InstanceID == "":
		return errors.New("coord: heartbeat has no instance id")
	case h.SentAt.IsZero():
		return fmt.Errorf("coord: heartbeat from %q: the time it was sent is missing", h.InstanceID)
	}
	return nil
}

// known returns h with what no sender can mean taken as not said. Who does not say a
// version is at the first.
func (h Heartbeat) known() Heartbeat {
	h.SchemaVersion = max(h.SchemaVersion, 1)
	h.Incarnation = max(h.Incarnation, 0)
	return h
}

// validate says why the coordinator can't use s.
func (s Shutdown) validate() error {
	switch {
	case s.InstanceID == "":
		return errors.New("coord: shutdown notice has no instance id")
	case s.InitiatedAt.IsZero():
		return fmt.Errorf("coord: shutdown notice from %q: the time it was initiated is missing", s.InstanceID)
	case s.Deadline.IsZero():
		return fmt.Errorf("coord: shutdown notice from %q: its deadline is missing", s.InstanceID)
	}
	return nil
}

// known returns s with what no sender can mean taken as not said.
func (s Shutdown) known() Shutdown {
	s.Incarnation = max(s.Incarnation, 0)
	return s
}

// validate says why the coordinator can't use a.
func (a Assignment) validate() error {
	if a.Target == "" {
		return errors.New("coord: work assignment has no target instance id")
	}
	return nil
}

// OrZero returns what p points to, or the zero value. Generated code reads fields
// with it that a message may lack.
func OrZero[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// OrNil returns a pointer to v, or nil for the zero value. Generated code leaves
// out with it what is not known.
func OrNil[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}
