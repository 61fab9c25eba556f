package main

import (
	"context"
	"net"
	"os"
)

// consul is an agent that is its own server. It allows sessions of a second, for
// tests not to take minutes.
func consul(ctx context.Context, h *host) error {
	program, err := build(ctx, "consul", "consul", "github.com/hashicorp/consul")
	if err != nil {
		return err
	}
	if err := os.Mkdir(h.dir, 0o750); err != nil {
		return err
	}
	ports, err := freePorts(4)
	if err != nil {
		return err
	}
	err = h.run("consul.log", program, "agent", "-dev", "-node=test", "-data-dir="+h.dir,
		"-bind=127.0.0.1", "-client=127.0.0.1", "-dns-port=-1", "-grpc-port=-1", "-grpc-tls-port=-1",
		"-http-port="+ports[0], "-serf-lan-port="+ports[1], "-serf-wan-port="+ports[2], "-server-port="+ports[3],
		"-hcl=disable_update_check=true", "-hcl=performance{raft_multiplier=1}", `-hcl=session_ttl_min="1s"`, "-log-level=warn")
	if err != nil {
		return err
	}
	addr := net.JoinHostPort("127.0.0.1", ports[0])
	h.env = []string{"COORDGEN_CONSUL_ADDR=" + addr, "COORDGEN_CONSUL_TTL=2s"}
	return until(ctx, fetches("http://"+addr+"/v1/status/leader", "", ":"))
}
