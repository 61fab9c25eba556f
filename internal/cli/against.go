package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/lock"
)

// loadAgainst loads the schemas of the requests as they are in a folder that looks like
// the current one, or were at a git revision. A request of which nothing was there has
// no result.
func loadAgainst(ctx context.Context, against string, requests []request) ([]*load.Result, error) {
	root, folder := against, against
	if !isFolder(against) {
		extracted, err := os.MkdirTemp("", "coordgen-check-")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(extracted) }() // what is left of it hurts nobody
		if folder, err = extractRevision(ctx, against, extracted); err != nil {
			return nil, err
		}
		root = extracted
	}
	results := make([]*load.Result, len(requests))
	for i, r := range requests {
		moved := r.in(root, folder)
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
// there or not under the root.
func (r request) in(root, folder string) request {
	move := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		moved := filepath.Join(folder, path)
		if below, err := filepath.Rel(root, moved); err != nil || !filepath.IsLocal(below) {
			return ""
		}
		return moved
	}
	include := r.include
	if len(include) == 0 {
		include = []string{"."}
	}
	moved := r
	moved.files, moved.include = nil, nil
	for _, path := range include {
		if exists(move(path)) {
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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// extractRevision writes the schemas of a revision, and the locks beside them, into a
// folder, and returns what in it stands for the current folder.
func extractRevision(ctx context.Context, revision, into string) (string, error) {
	places, err := git(ctx, nil, "rev-parse", "--show-toplevel", "--show-prefix")
	if err != nil {
		return "", fmt.Errorf("--against %s is no folder, and the current one is not in a git repository: %w", revision, err)
	}
	root, prefix, _ := strings.Cut(string(places), "\n")
	verified, err := git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return "", usagef("--against %s is neither a folder nor a git revision; in a shallow clone, fetch it first", revision)
	}
	commit := strings.TrimSpace(string(verified)) // the revision's name could be an option
	if err := extractSchemas(ctx, strings.TrimSpace(root), commit, into); err != nil {
		return "", fmt.Errorf("read the schemas of %s: %w", revision, err)
	}
	folder := filepath.Join(into, filepath.FromSlash(strings.TrimSpace(prefix)))
	return folder, os.MkdirAll(folder, 0o700)
}

// extractSchemas writes the schemas of a commit, and the locks beside them, into a
// folder.
func extractSchemas(ctx context.Context, repository, commit, into string) error {
	tree, err := git(ctx, nil, "-C", repository, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return err
	}
	var names, objects []string
	for entry := range strings.SplitSeq(string(tree), "\x00") { // MODE blob OBJECT<tab>NAME
		about, name, _ := strings.Cut(entry, "\t")
		isSchema := strings.HasSuffix(name, ".proto") || strings.HasSuffix(name, ".proto"+lock.Extension)
		if facts := strings.Fields(about); len(facts) == 3 && strings.HasPrefix(facts[0], "100") && isSchema && filepath.IsLocal(name) {
			names, objects = append(names, name), append(objects, facts[2])
		}
	}
	contents, err := git(ctx, strings.NewReader(strings.Join(objects, "\n")+"\n"), "-C", repository, "cat-file", "--batch")
	if err != nil {
		return err
	}
	for i, name := range names {
		head, rest, _ := bytes.Cut(contents, []byte("\n")) // OBJECT blob SIZE
		var size int
		if _, err := fmt.Sscanf(string(head), objects[i]+" blob %d", &size); err != nil || size > len(rest) {
			return fmt.Errorf("git cat-file: %q for %s", head, name)
		}
		to := filepath.Join(into, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, rest[:size], 0o600); err != nil {
			return err
		}
		contents = bytes.TrimPrefix(rest[size:], []byte("\n"))
	}
	return nil
}

// git runs git and returns what it prints.
func git(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	var out, fault bytes.Buffer
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, &out, &fault
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(fault.String()))
	}
	return out.Bytes(), nil
}
