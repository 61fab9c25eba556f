package main

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// line prints a line of the timeline.
func (f *fleetView) line(who, what string) {
	colour, plain := "", ""
	if onTerminal() {
		colour, plain = colourOf(who), "\x1b[0m"
	}
	fmt.Fprintf(f.out, "%6.2f s  %s%-9s%s %s\n", time.Since(f.begun).Seconds(), colour, who, plain, what)
}

func colourOf(who string) string {
	switch who {
	case "worker-a":
		return "\x1b[36m"
	case "worker-b":
		return "\x1b[33m"
	case "worker-c":
		return "\x1b[35m"
	}
	return "\x1b[1m"
}

func onTerminal() bool {
	info, err := os.Stdout.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("NO_COLOR") == ""
}

// words says an event in plain words.
func words(e event) string {
	work := strings.Join(e.Work, ", ")
	switch e.Kind {
	case eventUp:
		return fmt.Sprintf("is up (%s) and works on %s", e.Detail, work)
	case eventMet:
		return fmt.Sprintf("hears %s (%s)", e.Peer, e.Detail)
	case eventLeads:
		return fmt.Sprintf("leads, term %d", e.Term)
	case eventLost:
		return "no longer leads"
	case eventLeaving:
		return fmt.Sprintf("hears that %s is leaving: %s", e.Peer, e.Detail)
	case eventTimeout:
		return fmt.Sprintf("has not heard %s for %s: lost", e.Peer, e.Detail)
	case eventOrphans:
		return fmt.Sprintf("sees orphaned work of %s: %s", e.Peer, work)
	case eventAssigned:
		return fmt.Sprintf("assigns %s to %s", work, e.Peer)
	case eventWorks:
		return "works on " + work
	case eventDrained:
		return "has finished its work in progress"
	case eventLate:
		return fmt.Sprintf("was held up for %s and does not trust its own view", e.Detail)
	}
	return e.Kind
}
