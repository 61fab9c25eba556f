package main

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/coordgen/coordgen/runtime/coord"
)

// lookAfterOrphans reports the work whose owner is leaving or lost, and, on the
// leader, gives it to whoever has the least. It goes on until a heartbeat shows
// that somebody does the work: assignments may get lost, as may those who got them.
func (w *worker) lookAfterOrphans(ctx context.Context) {
	orphaned := w.coord.OrphanedSubscriptions()
	w.reportOrphans(orphaned)
	if !w.coord.IsLeader() {
		return
	}
	done, load := w.survey()
	for _, peer := range slices.Sorted(maps.Keys(orphaned)) {
		settled := true
		for _, s := range orphaned[peer] {
			if !done[s] {
				settled = false
				w.assign(ctx, s, load)
			}
		}
		if p, _ := w.coord.Peer(peer); settled && p.Status != coord.StatusDraining {
			w.coord.RemovePeer(peer)
		}
	}
}

// reportOrphans reports those that are news.
func (w *worker) reportOrphans(orphaned map[string][]string) {
	maps.DeleteFunc(w.noted, func(peer string, _ bool) bool { return orphaned[peer] == nil }) // it is back
	for _, peer := range slices.Sorted(maps.Keys(orphaned)) {
		if !w.noted[peer] {
			w.noted[peer] = true
			w.report(event{Kind: eventOrphans, Peer: peer, Work: orphaned[peer]})
		}
	}
}

// survey returns the work that somebody does who is there to stay, and how much
// each of those has, this instance included.
func (w *worker) survey() (done map[string]bool, load map[string]int) {
	done, load = make(map[string]bool), make(map[string]int)
	add := func(id string, work []string) {
		load[id] = len(work)
		for _, s := range work {
			done[s] = true
			delete(w.assigned, s)
		}
	}
	add(w.coord.InstanceID(), w.holds())
	for _, p := range w.coord.Peers() {
		if p.Status == coord.StatusHealthy {
			add(p.InstanceID, p.Subscriptions)
		}
	}
	return done, load
}

// assign gives a subscription to the instance that has the fewest, unless it was
// given away a moment ago.
func (w *worker) assign(ctx context.Context, subscription string, load map[string]int) {
	if given, ok := w.assigned[subscription]; ok && time.Since(given) < heartbeatTimeout {
		return
	}
	target := slices.MinFunc(slices.Sorted(maps.Keys(load)), func(a, b string) int { return load[a] - load[b] })
	m := w.coord.CreateWorkAssignment(target, []string{subscription}, 1)
	if err := w.publisher.PublishWorkAssignment(ctx, m); err != nil {
		w.log.WarnContext(ctx, "not assigned", "subscription", subscription, "error", err)
		return
	}
	load[target]++
	w.assigned[subscription] = time.Now()
	w.report(event{Kind: eventAssigned, Peer: target, Work: []string{subscription}})
}
