package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// postgres is one server, which lets everybody in.
func postgres(ctx context.Context, h *host) error {
	installed, err := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if err != nil {
		return err
	}
	bin := filepath.Dir(slices.Max(append(installed, "")))
	if found, err := exec.LookPath("pg_ctl"); err == nil {
		bin = filepath.Dir(found)
	}
	if bin == "." {
		return errors.New("pg_ctl is not installed")
	}
	addr, err := address()
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	if err := os.Mkdir(h.dir, 0o700); err != nil {
		return err
	}
	as, err := owner(h.dir)
	if err != nil {
		return err
	}
	data := filepath.Join(h.dir, "data")
	command := func(ctx context.Context, name string, args ...string) error {
		cmd := exec.CommandContext(ctx, filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = h.dir, as
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", name, err, out)
		}
		return nil
	}
	if err := command(ctx, "initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync"); err != nil {
		return err
	}
	h.onStop(func() { _ = command(context.WithoutCancel(ctx), "pg_ctl", "-D", data, "-m", "immediate", "stop") })
	h.env = []string{"COORDGEN_POSTGRES_URL=postgres://postgres@" + addr + "/postgres"}
	return command(ctx, "pg_ctl", "-D", data, "-w", "-t", "30", "-l", filepath.Join(h.dir, "log"),
		"-o", "-p "+port+" -c listen_addresses=127.0.0.1 -c unix_socket_directories="+h.dir, "start")
}

// owner gives a folder to the user that servers are to run as, because PostgreSQL
// refuses to run as root.
func owner(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return &syscall.SysProcAttr{}, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
	gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(uidErr, gidErr, os.Chown(dir, int(uid), int(gid))); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}
