// Services starts the servers that tests use, each on a port of its own on
// loopback, says in the environment where they are, and stops them in the end.
//
//	services COMMAND [ARG]...   while the command runs; the exit code is its
//	services                    until it is interrupted
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:])
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(max(1, exit.ExitCode())) //nolint:gocritic // nothing is left to stop
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "services:", err)
		os.Exit(1)
	}
}

// A service is started in a folder of its own, which is removed in the end. It
// returns once the servers serve.
type service struct {
	name  string
	start func(ctx context.Context, h *host) error
}

func services() []service {
	return []service{
		{"redis", redis},
		{"postgres", postgres},
		{"zookeeper", zookeeper},
		{"consul", consul},
		{"kubernetes", kubernetes},
	}
}

// run starts all services at once, then the command, and stops them after it.
func run(ctx context.Context, command []string) (err error) {
	dir, err := os.MkdirTemp("", "coordgen-services-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := os.Chmod(dir, 0o755); err != nil { // for servers that run as another user
		return err
	}
	all := services()
	hosts := make([]*host, len(all))
	errs := make([]error, len(all))
	var starting sync.WaitGroup
	for i, s := range all {
		hosts[i] = &host{dir: fmt.Sprintf("%s/%s", dir, s.name)}
		defer hosts[i].stop() //nolint:gocritic // there are few, and they end with the run
		starting.Go(func() {
			if errs[i] = s.start(ctx, hosts[i]); errs[i] != nil {
				errs[i] = fmt.Errorf("%s: %w", s.name, errs[i])
			}
		})
	}
	starting.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	var env []string
	for _, h := range hosts {
		env = append(env, h.env...)
	}
	if len(command) == 0 {
		for _, variable := range env {
			fmt.Println("export", variable)
		}
		<-ctx.Done()
		return nil
	}
	// The terminal interrupts the command, too.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// A host is where one service runs.
type host struct {
	dir   string   // not there yet
	env   []string // what tests have to know, as NAME=value
	stops []func()
}

// onStop has f called when the service is to end, the last one first.
func (h *host) onStop(f func()) { h.stops = append(h.stops, f) }

func (h *host) stop() {
	for _, stop := range slices.Backward(h.stops) {
		stop()
	}
}

// run starts a server as a process, and ends it when the service does. What it
// prints is in a file of that name in the service's folder.
func (h *host) run(log, name string, args ...string) error {
	out, err := os.Create(h.dir + "/" + log)
	if err != nil {
		return err
	}
	defer out.Close()                  //nolint:errcheck // the process has its own
	cmd := exec.Command(name, args...) //nolint:noctx // it ends with the service
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // the terminal does not interrupt it
	if err := cmd.Start(); err != nil {
		return err
	}
	h.onStop(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		kill := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		defer kill.Stop()
		_ = cmd.Wait()
	})
	return nil
}

// address is one on loopback that is free.
func address() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// freePorts are some on loopback that are free.
func freePorts(n int) ([]string, error) {
	ports := make([]string, n)
	for i := range ports {
		addr, err := address()
		if err != nil {
			return nil, err
		}
		if _, ports[i], err = net.SplitHostPort(addr); err != nil {
			return nil, err
		}
	}
	return ports, nil
}

// until waits until what a service needs holds, half a minute at most.
func until(ctx context.Context, holds func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		err := holds(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("not ready: %w", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// answers says whether something takes connections there.
func answers(addr string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", addr)
		if err != nil {
			return err
		}
		return conn.Close()
	}
}
