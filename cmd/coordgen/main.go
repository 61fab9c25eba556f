// Command coordgen turns .proto schemas of messages, topics and callbacks into
// Go code. Run "coordgen --help" to begin.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/coordgen/coordgen/internal/cli"
)

func main() { os.Exit(run()) }

func run() int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // for a fifth more memory, a fifth less time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Main(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
}
