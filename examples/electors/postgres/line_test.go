// From coordgen v0.1.0, elector/postgres/line_test.go 8a8fdbcd0e03. This file is yours.

//go:build servers

package postgres

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"
)

// A line is how a pool reaches the server.
type line struct {
	mu     sync.Mutex
	down   bool
	losing string
	conns  []net.Conn
}

func (l *line) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return nil, errors.New("the line is cut")
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	l.conns = append(l.conns, conn)
	return &end{Conn: conn, line: l}, nil
}

func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.down = true
	for _, conn := range l.conns {
		_ = conn.Close()
	}
}

// loseAnswers has the answer to a request with this text not arrive, and the
// connection end.
func (l *line) loseAnswers(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.losing = text
}

func (l *line) loses(request []byte) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.losing != "" && bytes.Contains(request, []byte(l.losing))
}

// An end is the client's end of a connection.
type end struct {
	net.Conn
	line *line
	lost bool
}

func (e *end) Write(b []byte) (int, error) {
	e.lost = e.lost || e.line.loses(b)
	return e.Conn.Write(b)
}

func (e *end) Read(b []byte) (int, error) {
	n, err := e.Conn.Read(b)
	if e.lost && err == nil {
		return 0, errors.New("the answer was lost")
	}
	return n, err
}
