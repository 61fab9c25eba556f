package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/coordgen/coordgen/runtime/wire"
)

// tell rolls a fleet of three from version 1 to version 2 and back. It ends with the
// first thing that does not come about; what must not happen meanwhile is for the
// ledger to find.
func tell(ctx context.Context, f *fleet) error {
	for _, act := range []struct {
		title string
		do    func(context.Context, *fleet) error
	}{
		{"Three workers of version 1 start", begin},
		{"They are replaced one by one by version 2; one of them is killed meanwhile", update},
		{"Somebody starts version 1 by mistake, and ends it again", mistake},
		{"Back to version 1: it is pinned before the first one starts", pinned},
		{"Back to version 1, one by one", rollback},
	} {
		fmt.Fprintf(f.out, "\n%s\n", act.title)
		if err := act.do(ctx, f); err != nil {
			return fmt.Errorf("%s: %w", act.title, err)
		}
	}
	return nil
}

func begin(ctx context.Context, f *fleet) error {
	for _, id := range []string{"w1", "w2", "w3"} {
		if _, err := f.start(id, 1); err != nil {
			return err
		}
	}
	if err := f.await(ctx, "all take orders", func() bool { return f.every(1, takesOrders) }); err != nil {
		return err
	}
	return f.await(ctx, "all write at version 1 in each format", func() bool { return f.every(1, writesAt(1)) })
}

func update(ctx context.Context, f *fleet) error {
	if err := f.replace(ctx, "w1 v1", "w4", 2); err != nil {
		return err
	}

	// One that is killed counts until it has been silent for four heartbeat timeouts,
	// or comes back under its id.
	if err := f.kill(f.all["w2 v1"]); err != nil {
		return err
	}
	f.line("w2 v1", "is killed, and started again as version 2")
	if err := f.startAndAwait(ctx, "w2", 2); err != nil {
		return err
	}
	if err := f.await(ctx, "while w3 has version 1, all write at it", func() bool { return f.every(2, writesAt(1)) }); err != nil {
		return err
	}

	if err := f.replace(ctx, "w3 v1", "w5", 2); err != nil {
		return err
	}
	return f.await(ctx, "all write at version 2 in each format", func() bool { return f.every(2, writesAt(2)) })
}

func mistake(ctx context.Context, f *fleet) error {
	late, err := f.start("w6", 1)
	if err != nil {
		return err
	}
	if err := f.await(ctx, "all others write at version 1 again", func() bool { return f.every(2, followsVersion(1)) }); err != nil {
		return err
	}
	if err := f.await(ctx, "w6 takes orders", func() bool { return takesOrders(late) && writesAt(1)(late) }); err != nil {
		return err
	}
	if err := f.leave(ctx, late); err != nil {
		return err
	}
	return f.await(ctx, "all write at version 2 again", func() bool { return f.every(2, followsVersion(2)) })
}

func pinned(ctx context.Context, f *fleet) error {
	if err := f.pin(1); err != nil {
		return err
	}
	if err := f.await(ctx, "all have version 1 pinned", func() bool {
		return f.every(2, func(p *process) bool { return p.fleet.Pinned && p.fleet.Writing == 1 })
	}); err != nil {
		return err
	}
	if err := f.replace(ctx, "w4 v2", "w7", 1); err != nil {
		return err
	}
	if err := f.pin(0); err != nil {
		return err
	}
	return f.await(ctx, "the pins are off, and all write at version 1 because of w7", func() bool {
		return f.every(2, func(p *process) bool { return !p.fleet.Pinned && p.fleet.Writing == 1 })
	})
}

func rollback(ctx context.Context, f *fleet) error {
	if err := f.replace(ctx, "w2 v2", "w8", 1); err != nil {
		return err
	}
	if err := f.replace(ctx, "w5 v2", "w9", 1); err != nil {
		return err
	}
	if err := f.await(ctx, "all write at version 1 in each format", func() bool { return f.every(1, writesAt(1)) }); err != nil {
		return err
	}
	for _, p := range f.running() {
		if err := f.stop(p); err != nil {
			return err
		}
	}
	return f.await(ctx, "all have left", func() bool {
		return !slices.ContainsFunc(slices.Collect(maps.Values(f.all)), func(p *process) bool { return !p.gone })
	})
}

// replace starts the new one before the old one leaves.
func (f *fleet) replace(ctx context.Context, old, id string, version int) error {
	if err := f.startAndAwait(ctx, id, version); err != nil {
		return err
	}
	return f.leave(ctx, f.all[old])
}

func (f *fleet) startAndAwait(ctx context.Context, id string, version int) error {
	p, err := f.start(id, version)
	if err != nil {
		return err
	}
	return f.await(ctx, p.name+" takes orders", func() bool { return takesOrders(p) })
}

func (f *fleet) leave(ctx context.Context, p *process) error {
	if err := f.stop(p); err != nil {
		return err
	}
	return f.await(ctx, p.name+" has left", func() bool { return p.gone })
}

func takesOrders(p *process) bool { return p.works }

// followsVersion says whether a process said last that it writes at the version.
func followsVersion(version int) func(*process) bool {
	return func(p *process) bool { return p.fleet.Writing == version }
}

// writesAt says whether a process has written at the version in each format.
func writesAt(version int) func(*process) bool {
	return func(p *process) bool {
		for _, format := range []wire.Format{wire.JSON, wire.Msgpack, wire.Proto} {
			if !p.wrote[fmt.Sprint(version, " ", format.ContentType())] {
				return false
			}
		}
		return true
	}
}
