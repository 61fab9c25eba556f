package cli

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/coordgen/coordgen/internal/load"
)

// loadAgainst loads the schemas of the requests as they are in a folder that looks like
// the current one, or were at a git revision. A request of which nothing was there has
// no result.
func loadAgainst(ctx context.Context, against string, requests []request) ([]*load.Result, error) {
	folder := against
	if info, err := os.Stat(against); err != nil || !info.IsDir() {
		extracted, err := os.MkdirTemp("", "coordgen-check-")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(extracted) }() // what is left of it hurts nobody
		if folder, err = extractRevision(ctx, against, extracted); err != nil {
			return nil, err
		}
	}
	results := make([]*load.Result, len(requests))
	for i, r := range requests {
		moved := r.in(folder)
		if len(moved.files) == 0 {
			continue
		}
		result, err := moved.load(ctx, newProgress(io.Discard))
		if err != nil {
			return nil, fmt.Errorf("the schemas of %s: %w", against, err)
		}
		results[i] = result
	}
	return results, nil
}

// in is the request with its paths in another folder, without the schemas that are not
// there.
func (r request) in(folder string) request {
	move := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(folder, path)
	}
	include := r.include
	if len(include) == 0 {
		include = []string{"."}
	}
	moved := r
	moved.files, moved.include = nil, nil
	for _, path := range include {
		if _, err := os.Stat(move(path)); err == nil {
			moved.include = append(moved.include, move(path))
		}
	}
	for _, path := range r.files {
		for _, place := range append([]string{""}, include...) {
			if at := move(filepath.Join(place, path)); exists(at) {
				moved.files = append(moved.files, at)
				break
			}
		}
	}
	return moved
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// extractRevision writes the schemas of a revision, and the locks beside them, into a
// folder, and returns what in it stands for the current folder.
func extractRevision(ctx context.Context, revision, into string) (string, error) {
	prefix, err := git(ctx, "rev-parse", "--show-prefix")
	if err != nil {
		return "", fmt.Errorf("--against %s is no folder, and the current one is not in a git repository: %w", revision, err)
	}
	root, err := git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return "", err
	}
	if _, err := git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}"); err != nil {
		return "", usagef("--against %s is neither a folder nor a git revision", revision)
	}
	top := strings.TrimSpace(string(root))
	archive, err := git(ctx, "-C", top, "archive", "--format=tar", revision, "--", ":(top,glob)**/*.proto", ":(top,glob)**/*.proto.lock")
	if err != nil { // without a lock
		archive, err = git(ctx, "-C", top, "archive", "--format=tar", revision, "--", ":(top,glob)**/*.proto")
	}
	if err != nil {
		return "", fmt.Errorf("read the schemas of %s: %w", revision, err)
	}
	folder := filepath.Join(into, filepath.FromSlash(strings.TrimSpace(string(prefix))))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return folder, unpack(archive, into)
}

func unpack(archive []byte, into string) error {
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := files.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case header.Typeflag != tar.TypeReg || !filepath.IsLocal(header.Name):
			continue
		}
		name := filepath.Join(into, filepath.FromSlash(header.Name))
		text, err := io.ReadAll(files)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return err
		}
	}
}

// git runs git and returns what it prints.
func git(ctx context.Context, args ...string) ([]byte, error) {
	var out, fault bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stdout, cmd.Stderr = &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(fault.String()))
	}
	return out.Bytes(), nil
}
