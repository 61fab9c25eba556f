package electortest_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

func TestHistoryOfAnElector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := elector.NewInMemory("a", nil)
		require.NoError(t, err)
		var h electortest.History
		ctx, cancel := context.WithCancel(t.Context())
		go h.Watch(ctx, e, time.Second)
		var began []time.Time
		for range 2 {
			time.Sleep(10 * time.Second)
			began = append(began, time.Now())
			_, err := e.TryAcquire(ctx)
			require.NoError(t, err)
			time.Sleep(10 * time.Second)
			require.NoError(t, e.Release(ctx))
		}
		cancel()
		synctest.Wait()
		reigns := h.Reigns()
		require.Len(t, reigns, 2)
		for i, r := range reigns {
			assert.Equal(t, "a", r.Identity)
			assert.WithinDuration(t, began[i], r.From, time.Second)
			assert.InDelta(t, 9, r.Until.Sub(r.From).Seconds(), 1)
		}
		assert.Greater(t, reigns[1].Term, reigns[0].Term)
		assert.Empty(t, h.Faults())
	})
}

func TestHistoryFindsFaults(t *testing.T) {
	start := time.Now()
	at := func(s int) time.Time { return start.Add(time.Duration(s) * time.Second) }
	for _, c := range []struct {
		name   string
		reigns []electortest.Reign
		faults []string
	}{
		{"one after the other", []electortest.Reign{{"a", 1, at(0), at(3)}, {"b", 2, at(3), at(5)}, {"a", 7, at(5), at(6)}}, nil},
		{"two at once", []electortest.Reign{{"b", 2, at(2), at(5)}, {"a", 1, at(0), at(3)}}, []string{`"a" and "b" led at once for 1s, in terms 1 and 2`}},
		{"one within another", []electortest.Reign{{"a", 1, at(0), at(9)}, {"b", 2, at(2), at(5)}, {"c", 3, at(6), at(7)}}, []string{
			`"a" and "b" led at once for 3s, in terms 1 and 2`, `"a" and "c" led at once for 1s, in terms 1 and 3`,
		}},
		{"a term twice", []electortest.Reign{{"a", 1, at(0), at(1)}, {"b", 1, at(2), at(3)}}, []string{`"b" led in term 1 after "a" in term 1`}},
		{"a term goes back", []electortest.Reign{{"a", 5, at(0), at(1)}, {"a", 4, at(2), at(3)}}, []string{`"a" led in term 4 after "a" in term 5`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var h electortest.History
			for _, r := range c.reigns {
				h.Add(r)
			}
			assert.Equal(t, c.faults, h.Faults())
		})
	}
}
