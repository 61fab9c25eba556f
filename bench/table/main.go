// Table copies the output of "go test -bench" from its input, and prints behind it
// what the benchmarks of package codecs measured, as tables in Markdown.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "table:", err)
		os.Exit(1)
	}
}

func run(r io.Reader, w io.Writer) error {
	var all []*result
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		if _, err := fmt.Fprintln(w, lines.Text()); err != nil {
			return err
		}
		all = add(all, lines.Text())
	}
	if err := lines.Err(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	writeCodecs(out, all)
	writeMetrics(out, all, "Source", "bytes/message", "lines/message")
	writeMetrics(out, all, "Compile", "compile-ms", "compile-cpu-ms")
	return out.Flush()
}

// A result is what all runs of one benchmark measured.
type result struct {
	name   string // as in "Codec/codec=json"
	values map[string][]float64
}

var line = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// add adds what a line of output says, if it is a benchmark's.
func add(all []*result, text string) []*result {
	match := line.FindStringSubmatch(text)
	if match == nil {
		return all
	}
	i := slices.IndexFunc(all, func(r *result) bool { return r.name == match[1] })
	if i < 0 {
		i = len(all)
		all = append(all, &result{name: match[1], values: map[string][]float64{}})
	}
	measured := strings.Fields(match[2]) // as in "81.5 ns/op 0 allocs/op"
	for n := 0; n+1 < len(measured); n += 2 {
		if value, err := strconv.ParseFloat(measured[n], 64); err == nil {
			unit := measured[n+1]
			all[i].values[unit] = append(all[i].values[unit], value)
		}
	}
	return all
}

// median is the middle of the runs; -1 if there were none.
func (r *result) median(unit string) float64 {
	values := slices.Sorted(slices.Values(r.values[unit]))
	if len(values) == 0 {
		return -1
	}
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}
