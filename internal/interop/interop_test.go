//go:build servers

// Package interop has a program that knows nothing of coordgen, in Python's
// standard library, exchange messages with the generated code. It needs Python,
// so it is run by "make test-servers" only.
package interop

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/generated/coordination"
)

// A python is the script peer.py, which answers each line with one.
type python struct {
	t   *testing.T
	in  *bufio.Writer
	out *bufio.Reader
}

func start(t *testing.T) *python {
	cmd := exec.Command("python3", "-u", "peer.py")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	require.NoError(t, cmd.Start(), "python3 is needed")
	t.Cleanup(func() {
		require.NoError(t, in.Close())
		require.NoError(t, cmd.Wait(), stderr.String())
	})
	return &python{t, bufio.NewWriter(in), bufio.NewReader(out)}
}

// exchange hands a message to Python, which reads it, checks it and writes it
// anew from its own values.
func (p *python) exchange(kind string, message []byte) []byte {
	_, err := fmt.Fprintf(p.in, "%s %s\n", kind, message)
	require.NoError(p.t, err)
	require.NoError(p.t, p.in.Flush())
	line, err := p.out.ReadBytes('\n')
	require.NoError(p.t, err)
	require.True(p.t, json.Valid(line), "python: %s for %s", line, message)
	return line
}

// texts are any but those with a character that UTF-8 has no form for.
var texts = rapid.String()

// instants are those that Python's datetime holds: whole microseconds of the
// years that a fleet may see.
var instants = rapid.Custom(func(t *rapid.T) time.Time {
	return time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "microseconds")).UTC()
})

var counts = rapid.Int64()

var loads = rapid.Float64().Filter(func(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) })

func lists(t *rapid.T) []string {
	l := rapid.SliceOfN(texts, 0, 4).Draw(t, "subscriptions")
	if len(l) == 0 {
		return nil
	}
	return l
}

// news are values of the fields that Python does not know, often absent.
func news[T any](t *rapid.T, values *rapid.Generator[T], label string) *T {
	if rapid.Bool().Draw(t, "without "+label) {
		return nil
	}
	v := values.Draw(t, label)
	return &v
}

func TestHeartbeatsPassThroughPython(t *testing.T) {
	p := start(t)
	rapid.Check(t, func(t *rapid.T) {
		sent := coordination.HeartbeatMessage{
			InstanceID:    texts.Draw(t, "id"),
			Timestamp:     instants.Draw(t, "timestamp"),
			Subscriptions: lists(t),
			InFlightCount: counts.Draw(t, "in flight"),
			IsLeader:      rapid.Bool().Draw(t, "leader"),
			LoadFactor:    loads.Draw(t, "load"),
			SchemaVersion: news(t, rapid.Uint32(), "version"),
			Incarnation:   news(t, counts, "incarnation"),
			Term:          news(t, rapid.Uint64(), "term"),
		}
		var received coordination.HeartbeatMessage
		relay(t, p, "heartbeat", sent, &received)
		sent.SchemaVersion, sent.Incarnation, sent.Term = nil, nil, nil
		require.Equal(t, sent, received)
	})
}

func TestNoticesPassThroughPython(t *testing.T) {
	p := start(t)
	rapid.Check(t, func(t *rapid.T) {
		sent := coordination.ShutdownNotification{
			InstanceID: texts.Draw(t, "id"),
			Intent: rapid.SampledFrom([]coordination.ShutdownIntent{
				coordination.ShutdownIntentGraceful, coordination.ShutdownIntentPreemption,
				coordination.ShutdownIntentHealthFailure, coordination.ShutdownIntentMaintenance,
			}).Draw(t, "intent"),
			InitiatedAt:          instants.Draw(t, "initiated"),
			ExpectedCompletionAt: instants.Draw(t, "completion"),
			Subscriptions:        lists(t),
			InFlightCount:        counts.Draw(t, "in flight"),
			Metadata: map[string]any{
				"text":  texts.Draw(t, "text"),
				"big":   counts.Draw(t, "big"),
				"float": loads.Draw(t, "float"),
				"list":  []any{nil, true, map[string]any{}},
			},
			Incarnation: news(t, counts, "incarnation"),
		}
		var received coordination.ShutdownNotification
		relay(t, p, "shutdown", sent, &received)
		sent.Incarnation = nil
		require.Equal(t, sent, received)
	})
}

func TestAssignmentsPassThroughPython(t *testing.T) {
	p := start(t)
	rapid.Check(t, func(t *rapid.T) {
		sent := coordination.WorkAssignment{
			TargetInstanceID: texts.Draw(t, "target"),
			Subscriptions:    lists(t),
			SourceInstanceID: texts.Draw(t, "source"),
			AssignedAt:       instants.Draw(t, "assigned"),
			Priority:         counts.Draw(t, "priority"),
			Term:             news(t, rapid.Uint64(), "term"),
		}
		var received coordination.WorkAssignment
		relay(t, p, "assignment", sent, &received)
		sent.Term = nil
		require.Equal(t, sent, received)
	})
}

func relay(t *rapid.T, p *python, kind string, sent json.Marshaler, received json.Unmarshaler) {
	message, err := sent.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, received.UnmarshalJSON(p.exchange(kind, message)))
}
