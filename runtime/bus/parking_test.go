package bus_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/bus"
)

// stranger is a message of a version; 0 is none.
func stranger(payload string, version int) bus.Message {
	m := bus.Message{Topic: "t", Payload: []byte(payload), Header: map[string]string{bus.HeaderContentType: "application/json"}}
	if version != 0 {
		m.Header[bus.HeaderSchemaVersion] = strconv.Itoa(version)
	}
	return m
}

// published is a publisher that takes some messages and then fails, be it by a panic.
type published struct {
	room     int
	panics   bool
	payloads []string
	marked   bool
	during   func()
}

var errNoRoom = errors.New("no room")

func (p *published) Publish(_ context.Context, m bus.Message) error {
	if p.during != nil {
		p.during()
	}
	if len(p.payloads) == p.room {
		if p.panics {
			panic(errNoRoom)
		}
		return errNoRoom
	}
	p.payloads = append(p.payloads, string(m.Payload))
	p.marked = m.Header[bus.HeaderRedelivered] != ""
	return nil
}

// redeliver is Redeliver to a publisher that may panic.
func (p *published) redeliver(ctx context.Context, parking *bus.Parking, version int) {
	defer func() { _ = recover() }()
	_, _ = parking.Redeliver(ctx, p, version)
}

// A Parking is a list: nothing of it is lost or comes in another order, whatever its
// publisher does.
func TestParkingIsAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parking := &bus.Parking{}
		var want []bus.Message
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			m := stranger(rapid.SampledFrom([]string{"", "a", "b", "c"}).Draw(t, "payload"), rapid.IntRange(0, 3).Draw(t, "version"))
			switch rapid.IntRange(0, 3).Draw(t, "step") {
			case 0:
				p := &published{room: rapid.IntRange(0, 5).Draw(t, "room"), panics: rapid.Bool().Draw(t, "panics")}
				version := rapid.IntRange(0, 3).Draw(t, "redelivered")
				p.redeliver(t.Context(), parking, version)
				var sent []string
				var rest, left []bus.Message
				for _, m := range want {
					switch written, _ := strconv.Atoi(m.Header[bus.HeaderSchemaVersion]); {
					case written > version:
						left = append(left, m)
					case len(sent) < p.room:
						sent = append(sent, string(m.Payload))
					default:
						rest = append(rest, m)
					}
				}
				want = slices.Concat(rest, left)
				assert.Equal(t, sent, p.payloads)
			case 1:
				m.Header[bus.HeaderRedelivered] = "1"
				require.NoError(t, parking.Park(t.Context(), m))
				if i := slices.IndexFunc(want, func(x bus.Message) bool { return bytes.Equal(x.Payload, m.Payload) }); i >= 0 {
					want = slices.Delete(want, i, i+1)
				}
			default:
				require.NoError(t, parking.Park(t.Context(), m))
				want = append(want, m)
			}
			assert.Equal(t, len(want), parking.Len())
		}
		var all []string
		for _, m := range want {
			all = append(all, string(m.Payload))
		}
		last := &published{room: 100}
		n, err := parking.Redeliver(t.Context(), last, 3)
		require.NoError(t, err)
		assert.Equal(t, len(want), n)
		assert.Equal(t, all, last.payloads)
	})
}

// Nothing that is kept is free, and what is being published is kept still.
func TestTheLimitOfAParking(t *testing.T) {
	empty := stranger("", 3)
	long := stranger("", 3)
	long.Header["x"] = strings.Repeat("x", 1000)
	full := func(p *bus.Parking, m bus.Message) (parked int) {
		for ; ; parked++ {
			if err := p.Park(t.Context(), m); err != nil {
				require.ErrorIs(t, err, bus.ErrParkingFull)
				return parked
			}
			require.Less(t, parked, 1000)
		}
	}
	assert.Less(t, full(&bus.Parking{Limit: 10_000}, empty), 40)
	assert.Less(t, full(&bus.Parking{Limit: 10_000}, long), 10)

	p := &bus.Parking{Limit: 10_000}
	n := full(p, empty)
	for range 3 {
		busy := &published{during: func() { require.ErrorIs(t, p.Park(t.Context(), empty), bus.ErrParkingFull) }}
		_, err := p.Redeliver(t.Context(), busy, 3)
		require.ErrorIs(t, err, errNoRoom)
		assert.Equal(t, n, p.Len())
	}
	_, err := p.Redeliver(t.Context(), &published{room: n}, 3)
	require.NoError(t, err)
	assert.Equal(t, n, full(p, empty), "all of it is free again")
}

func TestParkingMarksWhatItPublishes(t *testing.T) {
	p := &bus.Parking{}
	m := stranger("a", 3)
	require.NoError(t, p.Park(t.Context(), m))
	_, err := p.Redeliver(t.Context(), nil, 3)
	require.ErrorContains(t, err, "the bus is nil")
	to := &published{room: 1}
	_, err = p.Redeliver(t.Context(), to, 3)
	require.NoError(t, err)
	assert.True(t, to.marked)
	assert.NotContains(t, m.Header, bus.HeaderRedelivered, "a message is shared")
	require.ErrorContains(t, p.Park(t.Context(), bus.Message{Topic: "t"}), "without a header", "it could not be marked")
}

// unread is a message that can't be read: its code panics.
type unread struct{}

func (*unread) UnmarshalJSON([]byte) error { panic("a migration of the program's own") }

// A message whose code panics is one that can't be read, as any other.
func TestAPanicOfReadingIsNoLoss(t *testing.T) {
	p := &bus.Parking{}
	route := bus.On("t", func(context.Context, *unread) error { return nil }).ParkStrangers()
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		var told error
		_, err := bus.Bind(t.Context(), b, bus.Options{Park: p.Park, OnUndecodable: func(_ context.Context, _ bus.Message, err error) error {
			told = err
			return nil
		}}, route)
		require.NoError(t, err)
		require.NoError(t, b.Publish(t.Context(), stranger("{}", 0)))
		synctest.Wait()
		assert.Equal(t, 1, p.Len())
		require.ErrorContains(t, told, "a migration of the program's own")
		require.NoError(t, b.Close())
	})
}

// Programs whose schemas know nothing of each other may forward to each other.
func TestForwardingEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bus.NewInMemory(bus.InMemoryOptions{})
		var faults []string
		o := bus.Options{Forward: b, OnUndecodable: func(_ context.Context, m bus.Message, _ error) error {
			faults = append(faults, m.Topic)
			if len(faults) > 10 {
				return errors.New("it goes round")
			}
			return nil
		}}
		for _, way := range [][2]string{{"here", "there"}, {"there", "here"}} {
			_, err := bus.Bind(t.Context(), b, o, bus.On(way[0], func(context.Context, *unread) error { return nil }).ForwardStrangers(way[1]))
			require.NoError(t, err)
		}
		m := stranger("{}", 0)
		m.Topic = "here"
		require.NoError(t, b.Publish(t.Context(), m))
		synctest.Wait()
		assert.Equal(t, []string{"here", "there"}, faults)
		assert.NotContains(t, m.Header, bus.HeaderForwardedFrom)
		require.NoError(t, b.Close())
	})
}
