package main

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/coordgen/coordgen/runtime/coord"
)

// lookAfterOrphans reports the work whose owner is leaving or lost, and, on the
// leader, gives it to whoever has the least.
func (w *worker) lookAfterOrphans(ctx context.Context) {
	orphaned := w.coord.OrphanedSubscriptions()
	load := w.load()
	for _, peer := range slices.Sorted(maps.Keys(orphaned)) {
		work := orphaned[peer]
		if w.firstTime(peer) {
			w.report(event{Kind: eventOrphans, Peer: peer, Work: work})
		}
		if !w.elector.IsLeader() {
			continue
		}
		open := w.unowned(work, load)
		if p, _ := w.coord.Peer(peer); len(open) == 0 && p.Status != coord.StatusDraining {
			w.coord.RemovePeer(peer) // all of it has a new owner
		}
		for _, s := range open {
			w.assign(ctx, s, load)
		}
	}
}

// firstTime says whether the peer's orphans are news.
func (w *worker) firstTime(peer string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	news := !w.noted[peer]
	w.noted[peer] = true
	return news
}

// load returns what each instance works on that is there to stay, this one
// included.
func (w *worker) load() map[string][]string {
	load := map[string][]string{w.coord.InstanceID(): w.holds()}
	for _, p := range w.coord.Peers() {
		if p.Status == coord.StatusHealthy {
			load[p.InstanceID] = p.Subscriptions
		}
	}
	return load
}

// unowned returns the work that nobody has, and that was not given to anybody a
// moment ago.
func (w *worker) unowned(work []string, load map[string][]string) []string {
	owned := slices.Concat(slices.Collect(maps.Values(load))...)
	w.mu.Lock()
	defer w.mu.Unlock()
	var open []string
	for _, s := range work {
		switch {
		case slices.Contains(owned, s):
			delete(w.assigned, s)
		case time.Since(w.assigned[s]) > heartbeatTimeout:
			open = append(open, s)
		}
	}
	return open
}

// assign gives a subscription to the instance that has the fewest.
func (w *worker) assign(ctx context.Context, subscription string, load map[string][]string) {
	target := slices.MinFunc(slices.Sorted(maps.Keys(load)), func(a, b string) int { return len(load[a]) - len(load[b]) })
	m := w.coord.CreateWorkAssignment(target, []string{subscription}, 1)
	if err := w.publisher.PublishWorkAssignment(ctx, m); err != nil {
		w.log.WarnContext(ctx, "not assigned", "subscription", subscription, "error", err)
		return
	}
	load[target] = append(load[target], subscription)
	w.mu.Lock()
	w.assigned[subscription] = time.Now()
	w.mu.Unlock()
	w.report(event{Kind: eventAssigned, Peer: target, Work: []string{subscription}})
}
