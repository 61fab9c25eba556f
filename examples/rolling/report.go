package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A verdict is something that had to hold.
type verdict struct {
	what string
	ok   bool
}

// report shows what was counted, and fails if something did not hold.
func (l *ledger) report(out io.Writer) error {
	fmt.Fprintln(out, "\nAll the while")
	var failed error
	for _, v := range append(l.count().verdicts(), l.orders.verdicts()...) {
		how := "ok    "
		if !v.ok {
			how = "FAILED"
			failed = errors.New("not all that had to hold did")
		}
		fmt.Fprintf(out, "  %s  %s\n", how, v.what)
	}
	return failed
}

func (c count) verdicts() []verdict {
	var written []string
	total := 0
	for _, format := range slices.Sorted(maps.Keys(c.written)) {
		written = append(written, fmt.Sprintf("%d %s", c.written[format], format))
		total += c.written[format]
	}
	return []verdict{
		{fmt.Sprintf("%d messages were published: %s", total, strings.Join(written, ", ")), len(written) == 3},
		{fmt.Sprintf("they had to be read %d times by those who took orders: %d lost, %d read twice", c.due, c.lost, c.double),
			c.due > 0 && c.lost == 0 && c.double == 0},
		{fmt.Sprintf("%d messages could not be read%s", len(c.unreadable), example(c.unreadable)), len(c.unreadable) == 0},
		{fmt.Sprintf("version 2 wrote %d messages at version 1 and %d at version 2", c.byFirst, c.bySecond), c.byFirst > 0 && c.bySecond > 0},
		{fmt.Sprintf("%d of those at version 2 while an instance of version 1 was there; the last was begun %.1f ms after one joined", c.foreign, 1000*c.fallBack.Seconds()),
			c.foreign == 0},
	}
}

// example is the first of what should not be.
func example(wrong []string) string {
	if len(wrong) == 0 {
		return ""
	}
	return ", such as: " + wrong[0]
}

func (b *orderBook) verdicts() []verdict {
	verdicts := []verdict{
		{fmt.Sprintf("%d orders were seen wrong%s", len(b.wrong), example(b.wrong)), len(b.wrong) == 0},
		b.saw(1, "customer, grams, note, number, packer, placed_by, priority"),
		b.saw(2, "buyer, channel, kilograms, note, number, packer, placed_by, priority, schema_version"),
	}
	routes := b.routes()
	for _, r := range []route{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
		verdicts = append(verdicts, r.verdict(routes[r]))
	}
	return verdicts
}

func (b *orderBook) saw(version int, fields string) verdict {
	saw := strings.Join(slices.Sorted(maps.Keys(b.seen[version])), ", ")
	return verdict{fmt.Sprintf("version %d saw the fields %s", version, saw), saw == fields}
}

// verdict says how orders came back. Version 1 passes on the note, which it does not
// know. What is written at version 1 lacks the channel. Where that begins while an
// order is on its way, its priority is one that version 1 has.
func (r route) verdict(back map[string]int) verdict {
	var how []string
	var may []string
	switch r {
	case route{2, 1}:
		may = []string{"channel"}
	case route{2, 2}:
		may = []string{"", "channel", "channel, priority"}
	default:
		may = []string{""}
	}
	ok := len(back) > 0
	for _, lack := range slices.Sorted(maps.Keys(back)) {
		ok = ok && slices.Contains(may, lack)
		if lack == "" {
			how = append(how, fmt.Sprintf("%d whole", back[lack]))
		} else {
			how = append(how, fmt.Sprintf("%d without their %s", back[lack], lack))
		}
	}
	if r == (route{2, 2}) {
		ok = ok && back[""] > 0 && back["channel"] > 0
	}
	return verdict{fmt.Sprintf("orders of version %d that version %d packed came back: %s", r.sender, r.packer, strings.Join(how, ", ")), ok}
}
