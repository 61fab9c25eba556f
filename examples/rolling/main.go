// Rolling builds two versions of one program and rolls a fleet of three processes from
// the first to the second and back, over an embedded NATS server. It exits with 1 when
// a message was lost, could not be read or was written at a version that somebody
// lacks.
package main

//go:generate go -C ../.. run ./cmd/coordgen generate --config examples/rolling/v1/coordgen.yaml
//go:generate go -C ../.. run ./cmd/coordgen generate --config examples/rolling/v2/coordgen.yaml

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// patience bounds the whole story, which takes a quarter of a minute on an idle machine.
const patience = 90 * time.Second

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rolling:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "rolling")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := build(ctx, dir); err != nil {
		return err
	}
	url, shutdown, err := startServer()
	if err != nil {
		return err
	}
	defer shutdown()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	f := newFleet(os.Stdout, dir, url)
	defer f.killAll()
	told := tell(ctx, f)
	if errors.Is(ctx.Err(), context.Canceled) {
		return told
	}
	return errors.Join(told, f.ledger.report(f.out))
}
