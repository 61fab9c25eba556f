package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/examples/rolling/worker"
)

// An orderID names an order.
type orderID struct {
	placedBy string
	number   int64
}

// A journey is what became of an order.
type journey struct {
	sender, packer int            // the versions of their programs, 0 if not known
	sent, back     map[string]any // as the sender has it
}

// An orderBook is what workers said of their orders.
type orderBook struct {
	journeys map[orderID]*journey
	seen     map[int]map[string]bool // the fields that programs of each version saw in orders of version 2
	wrong    []string                // what they should not have seen
}

func newOrderBook() *orderBook {
	return &orderBook{journeys: make(map[orderID]*journey), seen: map[int]map[string]bool{1: {}, 2: {}}}
}

func (b *orderBook) take(e worker.Event) {
	var fields map[string]any
	if err := json.Unmarshal(e.Order, &fields); err != nil {
		b.wrong = append(b.wrong, fmt.Sprintf("%s: %s", err, e.Order))
		return
	}
	maps.DeleteFunc(fields, func(_ string, value any) bool { return value == "" || value == 0.0 }) // as if absent
	number, _ := fields["number"].(float64)
	id := orderID{fmt.Sprint(fields["placed_by"]), int64(number)}
	j := b.journeys[id]
	if j == nil {
		j = &journey{}
		b.journeys[id] = j
	}
	switch e.Kind {
	case worker.Sent:
		j.sender, j.sent = e.Version, fields
	case worker.Back:
		j.back = fields
	case worker.Saw:
		if fields["packer"] == e.Worker {
			j.packer = e.Version
		}
		b.check(e, id, fields)
	}
}

// check checks what a reader saw: the names of its version, and the value that is
// made anew by a migration.
func (b *orderBook) check(e worker.Event, id orderID, fields map[string]any) {
	for field := range fields {
		b.seen[e.Version][field] = true
	}
	who, grams := fields["customer"], fields["grams"]
	if e.Version == 2 {
		kilograms, _ := fields["kilograms"].(float64)
		who, grams = fields["buyer"], kilograms*1000
	}
	weight, _ := grams.(float64)
	if who != "Ada" || int64(weight) != id.number%1000*250 {
		b.wrong = append(b.wrong, fmt.Sprintf("version %d saw %s", e.Version, e.Order))
	}
}

// A route is the versions of the programs that placed and packed an order.
type route struct{ sender, packer int }

// routes counts the orders that came back, by what they lacked or had otherwise.
func (b *orderBook) routes() map[route]map[string]int {
	routes := make(map[route]map[string]int)
	for _, j := range b.journeys {
		if j.sent == nil || j.back == nil || j.packer == 0 {
			continue // not packed, or a process was killed before it could say so
		}
		r := route{j.sender, j.packer}
		if routes[r] == nil {
			routes[r] = make(map[string]int)
		}
		routes[r][j.lacks()]++
	}
	return routes
}

// lacks returns the fields that are not as they were sent, or "".
func (j *journey) lacks() string {
	differ := make(map[string]bool)
	for _, side := range []map[string]any{j.sent, j.back} {
		for field := range side {
			if j.sent[field] != j.back[field] {
				differ[field] = true
			}
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(differ)), ", ")
}
