// Fleet runs three worker processes over an embedded NATS server and shows what
// coordination does for them: one leaves gracefully, the leader is killed, and
// the work of both is taken over. It exits with 1 when anything goes otherwise.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := runStory
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		run = runWorker
	}
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}
