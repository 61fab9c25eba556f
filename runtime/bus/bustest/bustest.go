// Package bustest is the conformance suite for buses. An adapter's test hands it
// a [Factory]:
//
//	func TestBus(t *testing.T) {
//		bustest.Run(t, bustest.Factory{Open: connect, Headers: true, Ordered: true})
//	}
//
// A bus that breaks the contract fails its case within [Factory.Wait]; it does
// not hang the test. Run it with the race detector on.
package bustest

import (
	"slices"
	"testing"
	"time"

	"github.com/coordgen/coordgen/runtime/bus"
)

// A Factory connects to a broker, and declares what it can do. What it does not
// declare is not tested.
type Factory struct {
	// Open returns the buses of so many instances, each with a connection of its
	// own to the same broker, and closes them by t.Cleanup. Each call is for one
	// case. The broker need not be a new one: topics have names of their own in
	// every case.
	Open func(t TB, instances int) []bus.Bus

	// Headers says that headers travel with a message.
	Headers bool
	// Ordered says that the messages of one publisher arrive in the order in
	// which it published them.
	Ordered bool
	// MaxPayload is the size in bytes of the largest payload that is tried.
	// 0 means 512 KiB.
	MaxPayload int
	// TopicCharacters are characters that a topic may hold besides letters,
	// digits, and "._-", which every bus must take; such as "/: ".
	TopicCharacters string

	// Wait bounds every step: a message that takes longer is a lost one. 0 means
	// 10 seconds.
	Wait time.Duration
	// Quiet is how long the suite listens where nothing more may come. 0 means
	// 50 milliseconds.
	Quiet time.Duration
}

// TB is the part of [testing.TB] that the suite uses.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	FailNow()
	Cleanup(func())
}

// A Case is one demand on a bus.
type Case struct {
	// Name is short and unique.
	Name string
	// Doc is the demand, in a sentence.
	Doc string

	needs func(f Factory) (capability string, declared bool)
	run   func(p *probe)
}

// LeftOut says why the case does not concern the factory's buses. It returns ""
// when it does.
func (c Case) LeftOut(f Factory) string {
	if c.needs != nil {
		if capability, declared := c.needs(f); !declared {
			return "left out: the factory does not declare " + capability
		}
	}
	return ""
}

// Run runs the case on fresh buses and reports to t.
func (c Case) Run(t TB, f Factory) {
	t.Helper()
	c.run(open(t, f))
}

// Cases returns the whole suite.
func Cases() []Case {
	return slices.Concat(deliveryCases, orderCases, contentCases, topicCases, stopCases, handlerCases, publishCases)
}

// Run runs every case as a subtest, and skips what the factory does not declare.
func Run(t *testing.T, f Factory) {
	for _, c := range Cases() {
		t.Run(c.Name, func(t *testing.T) {
			if why := c.LeftOut(f); why != "" {
				t.Skip(why)
			}
			t.Log(c.Doc)
			c.Run(t, f)
		})
	}
}

func needsHeaders(f Factory) (string, bool) { return "Headers", f.Headers }

func needsOrder(f Factory) (string, bool) { return "Ordered", f.Ordered }
