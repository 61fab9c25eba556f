// From coordgen v0.1.0, elector/kubernetes/faults_test.go 27b062702e00. This file is yours.

//go:build servers

package kubernetes

import (
	"context"
	"crypto/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/coordgen/coordgen/runtime/elector"
)

// rivals returns two in an election of their own.
func rivals(t *testing.T) (a, b *candidate) {
	name := "elector-test-" + strings.ToLower(rand.Text())
	return open(t, name, "a"), open(t, name, "b")
}

func acquires(t *testing.T, c *candidate, want bool) {
	t.Helper()
	won, err := c.TryAcquire(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, won)
}

func renews(t *testing.T, c *candidate, want bool) {
	t.Helper()
	renewed, err := c.Renew(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, renewed)
}

// edit changes the object as somebody else might.
func edit(t *testing.T, c *candidate, change func(*coordinationv1.Lease)) {
	t.Helper()
	lease, err := c.admin.Get(t.Context(), c.config.Name, metav1.GetOptions{})
	require.NoError(t, err)
	change(lease)
	_, err = c.admin.Update(t.Context(), lease, metav1.UpdateOptions{})
	require.NoError(t, err)
}

// What was written though the answer was lost is known as one's own: it is taken as
// a new leadership, or released.
func TestLostAnswer(t *testing.T) {
	for name, then := range map[string]func(t *testing.T, a, b *candidate, term uint64){
		"taken again": func(t *testing.T, a, _ *candidate, term uint64) {
			acquires(t, a, true)
			assert.Greater(t, a.Term(), term)
		},
		"released": func(t *testing.T, a, b *candidate, term uint64) {
			require.NoError(t, a.Release(t.Context()))
			acquires(t, b, true)
			assert.Greater(t, b.Term(), term)
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := rivals(t)
			a.line.lossy.Store(true)
			_, err := a.TryAcquire(t.Context())
			require.ErrorIs(t, err, elector.ErrUnreachable)
			assert.False(t, a.IsLeader())
			a.line.lossy.Store(false)
			lease, err := b.admin.Get(t.Context(), b.config.Name, metav1.GetOptions{})
			require.NoError(t, err)
			require.Equal(t, "a", identity(lease))
			term, err := strconv.ParseUint(lease.ResourceVersion, 10, 64)
			require.NoError(t, err)
			then(t, a, b, term)
		})
	}
}

// The times in the object are by another's clock, which may be wrong by years: who
// renews leads, and who does not leads no more.
func TestOthersClocks(t *testing.T) {
	for _, off := range []time.Duration{-10000 * time.Hour, 10000 * time.Hour} {
		t.Run(off.String(), func(t *testing.T) {
			a, b := rivals(t)
			acquires(t, a, true)
			renew := func() {
				edit(t, a, func(lease *coordinationv1.Lease) {
					now := metav1.NewMicroTime(time.Now().Add(off))
					lease.Spec.RenewTime = &now
				})
			}
			for range 20 {
				renew()
				acquires(t, b, false)
				time.Sleep(ttl / 10)
			}
			last := time.Now()
			require.Eventually(t, func() bool {
				won, err := b.TryAcquire(t.Context())
				return won && err == nil
			}, 5*ttl, 10*time.Millisecond)
			assert.Greater(t, time.Since(last), ttl-ttl/10)
		})
	}
}

// The first look says nothing about how long the leader has not renewed.
func TestFirstLook(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	time.Sleep(ttl + ttl/10)
	require.False(t, a.IsLeader())
	acquires(t, b, false)
	leader, err := b.CurrentLeader(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "a", leader)
	time.Sleep(ttl)
	leader, err = b.CurrentLeader(t.Context())
	require.NoError(t, err)
	assert.Empty(t, leader)
	acquires(t, b, true)
	require.NoError(t, a.Release(t.Context()))
	renews(t, b, true)
}

// What is another's by now is neither renewed nor released; a label is no loss.
func TestAnothers(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	edit(t, a, func(lease *coordinationv1.Lease) { lease.Labels = map[string]string{"team": "x"} })
	renews(t, a, true)
	edit(t, a, func(lease *coordinationv1.Lease) { lease.Spec.HolderIdentity = nil })
	acquires(t, b, true)
	require.NoError(t, a.Release(t.Context()))
	renews(t, b, true)
	acquires(t, a, false)

	edit(t, a, func(lease *coordinationv1.Lease) { lease.Spec.HolderIdentity = nil })
	acquires(t, a, true)
	renews(t, b, false)
	renews(t, a, true)
}

// Terms go on where the object begins anew.
func TestTermAfterDeletion(t *testing.T) {
	a, b := rivals(t)
	acquires(t, a, true)
	term := a.Term()
	lease, err := a.admin.Get(t.Context(), a.config.Name, metav1.GetOptions{})
	require.NoError(t, err)
	assert.Equal(t, lease.ResourceVersion, strconv.FormatUint(term, 10))
	require.NoError(t, a.admin.Delete(t.Context(), a.config.Name, metav1.DeleteOptions{}))
	renews(t, a, false)
	acquires(t, b, true)
	assert.Greater(t, b.Term(), term)
}

// A server that does not answer holds no call up beyond its deadline.
func TestDeadline(t *testing.T) {
	a, _ := rivals(t)
	acquires(t, a, true)
	require.NoError(t, a.Release(t.Context()))
	a.line.silent.Store(true)
	defer a.line.silent.Store(false)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := a.TryAcquire(ctx)
	require.ErrorIs(t, err, elector.ErrUnreachable)
	assert.Less(t, time.Since(begun), time.Second)
}

func TestConfig(t *testing.T) {
	for want, config := range map[string]Config{
		"elector: the Lease object has no name; set Config.Name":     {Identity: "a"},
		"elector: the identity is empty; use the id of the instance": {Name: "x"},
	} {
		_, err := New(nil, config)
		assert.EqualError(t, err, want)
	}
}
