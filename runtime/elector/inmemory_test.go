package elector_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestInMemoryConforms(t *testing.T) {
	electortest.Run(t, electortest.Factory{
		Open: func(t electortest.TB, identities ...string) (rivals []elector.LeaderElector) {
			election := elector.NewShared()
			for _, identity := range identities {
				rivals = append(rivals, newInMemory(t, identity, election))
			}
			return rivals
		},
		Lose: func(ctx context.Context, e elector.LeaderElector) error {
			e.(*elector.InMemory).ForceLoseLeadership(ctx)
			return nil
		},
		Fenced: true,
	})
}

func newInMemory(t require.TestingT, identity string, election *elector.Shared) *elector.InMemory {
	e, err := elector.NewInMemory(identity, election)
	require.NoError(t, err)
	e.Logger = slog.New(slog.DiscardHandler)
	return e
}

func acquire(t require.TestingT, e elector.LeaderElector) bool {
	won, err := e.TryAcquire(context.Background())
	require.NoError(t, err)
	return won
}

func TestAnEmptyIdentityIsRefused(t *testing.T) {
	e, err := elector.NewInMemory("", elector.NewShared())
	require.EqualError(t, err, "elector: identity is empty; use the id of the instance")
	assert.Nil(t, e)
}

func TestAloneItAlwaysWins(t *testing.T) {
	a, b := newInMemory(t, "a", nil), newInMemory(t, "b", nil)
	for range 2 {
		assert.True(t, acquire(t, a))
		assert.True(t, acquire(t, b))
	}
}

func TestTheSameIdentityTwiceIsTwoRivals(t *testing.T) {
	election := elector.NewShared()
	a, b := newInMemory(t, "worker", election), newInMemory(t, "worker", election)
	assert.True(t, acquire(t, a))
	assert.False(t, acquire(t, b))
	require.NoError(t, b.Release(t.Context()))
	assert.True(t, a.IsLeader())
}

func TestAForcedLossTakesOnlyWhatIsHeld(t *testing.T) {
	election := elector.NewShared()
	a, b := newInMemory(t, "a", election), newInMemory(t, "b", election)
	acquire(t, a)
	b.ForceLoseLeadership(t.Context())
	assert.True(t, a.IsLeader())
	a.ForceLoseLeadership(t.Context())
	assert.False(t, a.IsLeader())
	assert.True(t, acquire(t, b))
}

func TestAFailingCallbackIsLogged(t *testing.T) {
	for name, use := range map[string]func(t *testing.T, e *elector.InMemory, log *slog.Logger){
		"own logger":     func(_ *testing.T, e *elector.InMemory, log *slog.Logger) { e.Logger = log },
		"default logger": setDefaultLogger,
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			e := newInMemory(t, "worker-1", nil)
			e.Logger = nil
			use(t, e, slog.New(slog.NewJSONHandler(&out, nil)))
			e.OnLeaderChange(func(context.Context, bool) error { return errors.New("no room") })
			acquire(t, e)

			var line map[string]any
			require.NoError(t, json.Unmarshal(out.Bytes(), &line))
			delete(line, "time")
			assert.Equal(t, map[string]any{
				"level": "ERROR", "msg": "callback failed", "event": "leader change",
				"identity": "worker-1", "leader": true, "error": "no room",
			}, line)
		})
	}
}

func setDefaultLogger(t *testing.T, _ *elector.InMemory, log *slog.Logger) {
	before := slog.Default()
	t.Cleanup(func() { slog.SetDefault(before) })
	slog.SetDefault(log)
}

// Whatever rivals do, one at most leads, its term is the number of leaderships so
// far, and each was told of its own changes by the time its call returned.
func TestElectionOfRivals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c"}
		election := elector.NewShared()
		var rivals []*elector.InMemory
		told := make([][]bool, len(names))
		for i, name := range names {
			e := newInMemory(t, name, election)
			e.OnLeaderChange(func(_ context.Context, leader bool) error {
				told[i] = append(told[i], leader)
				return nil
			})
			rivals = append(rivals, e)
		}

		const nobody = -1
		leader, term := nobody, uint64(0)
		want := make([][]bool, len(names))
		giveUp := func(i int) {
			if leader == i {
				leader = nobody
				want[i] = append(want[i], false)
			}
		}
		someone := rapid.IntRange(0, len(names)-1)
		t.Repeat(map[string]func(*rapid.T){
			"acquire": func(t *rapid.T) {
				i := someone.Draw(t, "who")
				if leader == nobody {
					leader, term = i, term+1
					want[i] = append(want[i], true)
				}
				assert.Equal(t, leader == i, acquire(t, rivals[i]))
			},
			"release": func(t *rapid.T) {
				i := someone.Draw(t, "who")
				giveUp(i)
				require.NoError(t, rivals[i].Release(context.Background()))
			},
			"lose": func(t *rapid.T) {
				i := someone.Draw(t, "who")
				giveUp(i)
				rivals[i].ForceLoseLeadership(context.Background())
			},
			"": func(t *rapid.T) {
				name := ""
				for i, e := range rivals {
					assert.Equal(t, leader == i, e.IsLeader())
					number := uint64(0)
					if leader == i {
						name, number = names[i], term
					}
					assert.Equal(t, number, e.Term())
					renewed, err := e.Renew(context.Background())
					require.NoError(t, err)
					assert.Equal(t, leader == i, renewed)
				}
				for _, e := range rivals {
					got, err := e.CurrentLeader(context.Background())
					require.NoError(t, err)
					assert.Equal(t, name, got)
				}
				assert.Equal(t, want, told)
			},
		})
	})
}
