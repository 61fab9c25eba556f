// Fleet runs three worker processes over an embedded NATS server and shows what
// coordination does for them: one leaves gracefully, the leader is killed, and
// the work of both is taken over. It exits with 1 when anything goes otherwise.
package main

//go:generate go -C ../.. run ./cmd/coordgen generate --config examples/fleet/coordgen.yaml

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	do := runStory
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		do = runWorker
	}
	if err := do(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		return 1
	}
	return 0
}
