package main

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// redis is one server, and five more that know nothing of one another.
func redis(ctx context.Context, h *host) error {
	var addrs []string
	for range 6 {
		addr, err := address()
		if err != nil {
			return err
		}
		_, port, err := net.SplitHostPort(addr)
		if err != nil {
			return err
		}
		dir := filepath.Join(h.dir, port)
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return err
		}
		if err := h.run(port+".log", "redis-server", "--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", ""); err != nil {
			return err
		}
		if err := until(ctx, answers(addr)); err != nil {
			return err
		}
		addrs = append(addrs, addr)
	}
	h.env = []string{
		"COORDGEN_REDIS_ADDR=" + addrs[0],
		"COORDGEN_REDIS_QUORUM_ADDRS=" + strings.Join(addrs[1:], ","),
	}
	return nil
}
