package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// zookeeper is one server, with short ticks.
func zookeeper(ctx context.Context, h *host) error {
	ports, err := freePorts(1)
	if err != nil {
		return err
	}
	if err := os.Mkdir(h.dir, 0o750); err != nil {
		return err
	}
	file := filepath.Join(h.dir, "zoo.cfg")
	config := fmt.Sprintf("tickTime=200\ndataDir=%s\nclientPort=%s\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\n"+
		"4lw.commands.whitelist=srvr\nmaxClientCnxns=0\n", h.dir, ports[0])
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return err
	}
	err = h.run("zookeeper.log", "java", "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1",
		"-cp", h.dir+":/usr/share/java/zookeeper.jar", "org.apache.zookeeper.server.quorum.QuorumPeerMain", file)
	if err != nil {
		return err
	}
	addr := net.JoinHostPort("127.0.0.1", ports[0])
	h.env = []string{"COORDGEN_ZOOKEEPER_ADDR=" + addr}
	return until(ctx, func(ctx context.Context) error {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		defer conn.Close()                                                    //nolint:errcheck // it was read
		if err := conn.SetDeadline(time.Now().Add(time.Second)); err != nil { // it may take a connection and not answer
			return err
		}
		if _, err := io.WriteString(conn, "srvr"); err != nil {
			return err
		}
		text, err := io.ReadAll(conn)
		if err == nil && !strings.Contains(string(text), "Mode: standalone") {
			err = errors.New("it does not serve yet")
		}
		return err
	})
}
