// From coordgen v0.1.0, elector/redis/quorum_test.go a3c7551b5288. This file is yours.

//go:build servers

package redis

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/runtime/elector"
	"github.com/coordgen/coordgen/runtime/elector/electortest"
)

// Without a quorum you don't need this file.

// quorum are the addresses of five servers.
func quorum(t *testing.T) []string {
	const variable = "COORDGEN_REDIS_QUORUM_ADDRS"
	addrs := addresses(t, variable)
	require.Len(t, addrs, 5, variable)
	return addrs
}

func TestQuorumConforms(t *testing.T) { electortest.Run(t, factory(quorum(t))) }

// The quorum goes on without a minority of its servers, and the terms rise also
// when the minority is another one each time.
func TestQuorumWithoutMinority(t *testing.T) {
	rivals := open(t, quorum(t), "a", "b")
	last := uint64(0)
	for i := range 10 {
		gone := []int{i % 5, (i + 2) % 5}
		for _, c := range rivals {
			for _, server := range gone {
				c.lines[server].cut()
			}
		}
		leader, other := rivals[i%2], rivals[(i+1)%2]
		term := acquires(t, leader)
		assert.Greater(t, term, last)
		last = term
		won, err := other.TryAcquire(t.Context())
		require.NoError(t, err)
		assert.False(t, won)
		renewed, err := leader.Renew(t.Context())
		require.NoError(t, err)
		assert.True(t, renewed)
		name, err := other.CurrentLeader(t.Context())
		require.NoError(t, err)
		assert.Equal(t, leader.Identity(), name)
		require.NoError(t, leader.Release(t.Context()))
		for _, c := range rivals {
			for _, server := range gone {
				c.lines[server].mend()
			}
		}
	}
}

// Without a majority nobody begins to lead, and who leads can't renew.
func TestQuorumWithoutMajority(t *testing.T) {
	rivals := open(t, quorum(t), "a", "b")
	acquires(t, rivals[0])
	for _, c := range rivals {
		for _, l := range c.lines[:3] {
			l.cut()
		}
	}
	renewed, err := rivals[0].Renew(t.Context())
	assert.ErrorIs(t, err, elector.ErrUnreachable)
	assert.False(t, renewed)
	won, err := rivals[1].TryAcquire(t.Context())
	assert.ErrorIs(t, err, elector.ErrUnreachable)
	assert.False(t, won)
}
