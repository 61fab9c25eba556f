package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// own is the tool that the others are compared with.
const own = "coordgen"

// A row is one operation, with all tools that do it.
type row struct {
	operation string // as in "codec=json/message=order"
	tools     []entry
}

// An entry is what a tool needs for an operation.
type entry struct {
	tool          string
	nanos, allocs float64
}

func (e entry) String() string {
	return fmt.Sprintf("%s %s, %.0f", e.tool, digits(e.nanos), e.allocs)
}

// writeCodecs prints a row for each operation: coordgen, the fastest peer, and the
// other peers in order.
func writeCodecs(w io.Writer, all []*result) {
	rows := rowsOf(all)
	if len(rows) == 0 {
		return
	}
	fmt.Fprint(w, "\nNanoseconds and allocations for each call. A ratio below 1 says that coordgen is faster.\n\n")
	fmt.Fprint(w, "| codec | message | operation | coordgen | fastest peer | ratio | other peers |\n|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		slices.SortStableFunc(r.tools, func(a, b entry) int { return cmp.Compare(a.nanos, b.nanos) })
		ours, ratio := "-", "-"
		if i := slices.IndexFunc(r.tools, func(e entry) bool { return e.tool == own }); i >= 0 {
			e := r.tools[i]
			r.tools = slices.Delete(r.tools, i, i+1)
			ours = fmt.Sprintf("%s, %.0f", digits(e.nanos), e.allocs)
			if len(r.tools) > 0 {
				ratio = fmt.Sprintf("%.2f", e.nanos/r.tools[0].nanos)
			}
		}
		peers := make([]string, max(1, len(r.tools)))
		for i, e := range r.tools {
			peers[i] = e.String()
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", columns(r.operation), ours, peers[0], ratio, strings.Join(peers[1:], "; "))
	}
}

// rowsOf returns the operations in the order in which they were measured.
func rowsOf(all []*result) []*row {
	var rows []*row
	for _, r := range all {
		name, ok := strings.CutPrefix(r.name, "Codec/")
		if !ok {
			continue
		}
		operation, tool, _ := strings.Cut(name, "/tool=")
		i := slices.IndexFunc(rows, func(r *row) bool { return r.operation == operation })
		if i < 0 {
			i = len(rows)
			rows = append(rows, &row{operation: operation})
		}
		rows[i].tools = append(rows[i].tools, entry{tool, r.median("ns/op"), r.median("allocs/op")})
	}
	return rows
}

// columns turns "codec=json/message=order/op=decode/keys=shuffled" into the first
// columns of a row; variants stand behind the operation.
func columns(operation string) string {
	parts := strings.Split(operation, "/")
	for i, part := range parts {
		_, parts[i], _ = strings.Cut(part, "=")
	}
	first := min(2, len(parts))
	return strings.Join(parts[:first], " | ") + " | " + strings.Join(parts[first:], ", ")
}

// writeMetrics prints a row for each benchmark of a group, with the given units.
func writeMetrics(w io.Writer, all []*result, group string, units ...string) {
	header := false
	for _, r := range all {
		name, ok := strings.CutPrefix(r.name, group+"/")
		if !ok {
			continue
		}
		key, value, _ := strings.Cut(name, "=")
		if !header {
			fmt.Fprintf(w, "\n| %s | %s |\n|%s\n", key, strings.Join(units, " | "), strings.Repeat("---|", len(units)+1))
			header = true
		}
		fmt.Fprintf(w, "| %s |", value)
		for _, unit := range units {
			fmt.Fprintf(w, " %s |", digits(r.median(unit)))
		}
		fmt.Fprintln(w)
	}
}

// digits is a number with as many digits as mean something.
func digits(n float64) string {
	if n < 100 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}
