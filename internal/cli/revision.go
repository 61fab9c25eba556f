package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/coordgen/coordgen/internal/lock"
)

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

// extractSchemas writes the schemas of a commit, the locks beside them, and links, into
// a folder.
func extractSchemas(ctx context.Context, repository, commit, into string) error {
	tree, err := git(ctx, nil, "-C", repository, "ls-tree", "-r", "-z", commit)
	if err != nil {
		return err
	}
	var names, objects []string
	var links []bool
	for entry := range strings.SplitSeq(string(tree), "\x00") { // MODE blob OBJECT<tab>NAME
		about, name, _ := strings.Cut(entry, "\t")
		isSchema := strings.HasSuffix(name, ".proto") || strings.HasSuffix(name, ".proto"+lock.Extension)
		facts := strings.Fields(about)
		if len(facts) != 3 || !filepath.IsLocal(name) {
			continue
		}
		isLink := facts[0] == "120000"
		if isLink || strings.HasPrefix(facts[0], "100") && isSchema {
			names, objects, links = append(names, name), append(objects, facts[2]), append(links, isLink)
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
		if links[i] {
			err = link(name, string(rest[:size]), to)
		} else {
			err = os.WriteFile(to, rest[:size], 0o600)
		}
		if err != nil {
			return err
		}
		contents = bytes.TrimPrefix(rest[size:], []byte("\n"))
	}
	return nil
}

// link makes a symbolic link, unless it leads out of the repository. Behind what leads
// up, its target leads only down, so that one link can't lead another one out.
func link(name, target, to string) error {
	target = strings.TrimSuffix(target, "/")
	if path.IsAbs(target) || path.Clean(target) != target || !filepath.IsLocal(path.Join(path.Dir(name), target)) {
		return nil
	}
	return os.Symlink(filepath.FromSlash(target), to)
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
