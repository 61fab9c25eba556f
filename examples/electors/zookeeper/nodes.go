// From coordgen v0.1.0, elector/zookeeper/nodes.go 2b9b983b86b4. This file is yours.

package zookeeper

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/coordgen/coordgen/runtime/elector"
)

// take makes a node where there is none. What this instance still has goes first: it
// may have lapsed here and not in ZooKeeper, or have come with an answer that was
// lost.
func (e *Elector) take(ctx context.Context) (term uint64, won bool, err error) {
	if err := e.give(ctx); err != nil {
		return 0, false, err
	}
	if nodes, err := e.list(ctx); err != nil || len(nodes) > 0 { // a look costs ZooKeeper less than a node
		return 0, false, err
	}
	a := &attempt{name: rand.Text() + "-", given: make(chan struct{})}
	until := time.Now().Add(e.config.SessionTimeout - e.config.Margin)
	e.running.Go(func() { e.watch(a, until) })
	e.attempt = a
	if err := e.create(ctx, a.name); err != nil {
		return 0, false, err
	}
	nodes, err := e.list(ctx)
	if err != nil {
		return 0, false, err
	}
	if len(nodes) == 0 || !strings.HasPrefix(nodes[0], a.name) { // a rival was faster
		return 0, false, e.give(ctx)
	}
	stat, err := e.stat(ctx, nodes[0])
	if err != nil {
		return 0, false, err
	}
	a.session = stat.EphemeralOwner
	return uint64(stat.Czxid), true, nil
}

// extend sees that the node is there, which its session keeps alive. A session that
// is over is an error.
func (e *Elector) extend(ctx context.Context) (bool, error) {
	nodes, err := e.list(ctx)
	if errors.Is(err, zk.ErrSessionExpired) || e.client.SessionID() != e.attempt.session {
		return false, fmt.Errorf("%w: the session %#x is over", elector.ErrLost, e.attempt.session)
	}
	return len(nodes) > 0 && strings.HasPrefix(nodes[0], e.attempt.name), err
}

// give removes the node of the last attempt.
func (e *Elector) give(ctx context.Context) error {
	if e.attempt == nil {
		return nil
	}
	if err := e.remove(ctx, e.attempt.name); err != nil {
		return err
	}
	close(e.attempt.given)
	e.attempt = nil
	return nil
}

// watch removes the node of an attempt that leads no more, or never did because its
// answer was lost: while the session lives, which the client sees to, ZooKeeper
// does not.
func (e *Elector) watch(a *attempt, until time.Time) {
	for {
		select {
		case <-a.given:
			return
		case <-e.ended.Done():
			return
		case <-time.After(time.Until(until)):
		}
		if until = e.lease.Until(); !until.IsZero() {
			continue
		}
		ctx, cancel := context.WithTimeout(e.ended, e.config.SessionTimeout)
		err := e.remove(ctx, a.name)
		cancel()
		if err == nil {
			return
		}
		until = time.Now().Add(e.config.SessionTimeout / 10)
	}
}

// create makes a node, and the path when it is missing.
func (e *Elector) create(ctx context.Context, name string) error {
	node := func(path string, data string, flags int32) error {
		_, err := await(ctx, e, func() (string, error) {
			return e.client.Create(path, []byte(data), flags, e.config.ACL)
		})
		return err
	}
	path := e.config.Path + "/" + name
	err := node(path, e.config.Identity, zk.FlagEphemeral|zk.FlagSequence)
	if !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	for i := 1; i < len(path); i++ {
		if path[i] != '/' {
			continue
		}
		if err := node(path[:i], "", zk.FlagPersistent); err != nil && !errors.Is(err, zk.ErrNodeExists) {
			return err
		}
	}
	return node(path, e.config.Identity, zk.FlagEphemeral|zk.FlagSequence)
}

// list returns the names of the nodes, the leader's first. It is as new as what
// ZooKeeper's own leader has, which has to know of the session still.
func (e *Elector) list(ctx context.Context) ([]string, error) {
	nodes, err := await(ctx, e, func() ([]string, error) {
		if _, err := e.client.Sync(e.config.Path); err != nil {
			return nil, err
		}
		nodes, _, err := e.client.Children(e.config.Path)
		return nodes, err
	})
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return nil, fmt.Errorf("list %s: %w", e.config.Path, err)
	}
	slices.SortFunc(nodes, func(a, b string) int { return strings.Compare(number(a), number(b)) })
	return nodes, nil
}

// number is what ZooKeeper has added to the name of a node.
func number(node string) string { return node[strings.IndexByte(node, '-')+1:] }

func (e *Elector) stat(ctx context.Context, node string) (*zk.Stat, error) {
	return await(ctx, e, func() (*zk.Stat, error) {
		_, stat, err := e.client.Get(e.config.Path + "/" + node)
		return stat, err
	})
}

// remove removes the nodes of a name. There are two when the first answer was lost.
func (e *Elector) remove(ctx context.Context, name string) error {
	nodes, err := e.list(ctx)
	if err != nil {
		return err
	}
	for _, node := range nodes {
		if !strings.HasPrefix(node, name) {
			continue
		}
		_, err := await(ctx, e, func() (struct{}, error) {
			return struct{}{}, e.client.Delete(e.config.Path+"/"+node, -1)
		})
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return fmt.Errorf("remove %s/%s: %w", e.config.Path, node, err)
		}
	}
	return nil
}

// await makes a request that takes no context, and waits for its answer as long as
// ctx allows. The next request waits for it: what it did is to be seen by then.
func await[T any](ctx context.Context, e *Elector, request func() (T, error)) (value T, err error) {
	select {
	case e.turn <- struct{}{}:
	case <-ctx.Done():
		return value, ctx.Err()
	}
	type answer struct {
		value T
		err   error
	}
	answers := make(chan answer, 1)
	e.running.Go(func() {
		defer func() { <-e.turn }()
		value, err := request()
		answers <- answer{value, err}
	})
	select {
	case a := <-answers:
		return a.value, a.err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}
