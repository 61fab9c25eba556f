package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// An earlier is what the schemas of a request were.
type earlier struct {
	// Result is nil where nothing was there.
	*load.Result
	// former are the schemas that are gone, each by itself, if not all of those that
	// the request names were there: they may have had other names.
	former []*load.Result
	// missing are the schemas that the request names and that were not there.
	missing []string
}

// loadAgainst loads the schemas of the requests as they are in a folder that looks like
// the current one, or were at a git revision.
func loadAgainst(ctx context.Context, against string, requests []request) ([]earlier, error) {
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
	all := make([]earlier, len(requests))
	for i, r := range requests {
		moved, missing := r.in(root, folder)
		all[i].missing = missing
		if len(missing) > 0 {
			all[i].former = moved.former(ctx, folder)
		}
		if len(moved.files) == 0 {
			continue
		}
		result, err := moved.load(ctx, newProgress(io.Discard))
		var faults load.Errors
		switch {
		case errors.As(err, &faults):
			return nil, faultsOf(faults, against, root)
		case err != nil:
			return nil, fmt.Errorf("the schemas of %s: %w", against, err)
		}
		all[i].Result = result
	}
	return all, nil
}

// faultsOf are faults of the schemas of a revision, which the user has not where they
// were found.
func faultsOf(faults load.Errors, revision, root string) load.Errors {
	if revision == root {
		return faults
	}
	shown := func(text string) string {
		return strings.ReplaceAll(strings.ReplaceAll(text, root+string(filepath.Separator), revision+":"), root, revision)
	}
	for i, f := range faults {
		faults[i].Pos.Path, faults[i].Message = shown(f.Pos.Path), shown(f.Message)
	}
	return faults
}

// in is the request with its paths in another folder, without the schemas that are not
// there or not under the root, which are missing.
func (r request) in(root, folder string) (moved request, missing []string) {
	include := r.include
	if len(include) == 0 {
		include = []string{"."}
	}
	moved = r
	moved.files, moved.include = nil, nil
	for _, path := range include {
		switch at := move(path, root, folder); {
		case at != "":
			moved.include = append(moved.include, at)
		case filepath.IsAbs(path) && exists(path): // it is no part of what is compared
			moved.include = append(moved.include, path)
		}
	}
	for _, path := range r.files {
		found := false
		for _, place := range append([]string{""}, include...) {
			if filepath.IsAbs(path) {
				place = ""
			}
			if at := move(filepath.Join(place, path), root, folder); at != "" {
				moved.files = append(moved.files, at)
				found = true
				break
			}
		}
		if !found {
			missing = append(missing, path)
		}
	}
	return moved, missing
}

// move is the path, as it is seen from the current folder, in a folder that stands for
// that, or "" if it is not there or not under the root.
func move(path, root, folder string) string {
	paths := []string{path}
	if filepath.IsAbs(path) {
		paths = fromHere(path)
	}
	for _, path := range paths {
		moved := filepath.Join(folder, path)
		if below, err := filepath.Rel(root, moved); err == nil && filepath.IsLocal(below) && exists(moved) {
			return moved
		}
	}
	return ""
}

// fromHere is a path as it is seen from the current folder, which may be known by the
// name of a link.
func fromHere(path string) []string {
	var all []string
	here, err := os.Getwd()
	for _, resolved := range []bool{false, true} {
		if resolved && err == nil {
			here, err = filepath.EvalSymlinks(here)
		}
		if below, relErr := filepath.Rel(here, path); err == nil && relErr == nil {
			all = append(all, below)
		}
	}
	return all
}

// former loads, each by itself, the schemas in the include folders that are not there
// today. What does not compile without others is none of them.
func (r request) former(ctx context.Context, folder string) []*load.Result {
	var all []*load.Result
	seen := map[string]bool{}
	for _, include := range r.include {
		inFolder(include, func(name string) {
			now, err := filepath.Rel(folder, name)
			if err != nil || seen[name] || filepath.Ext(name) != ".proto" || exists(now) {
				return
			}
			seen[name] = true
			alone := r
			alone.files = []string{name}
			if result, err := alone.load(ctx, newProgress(io.Discard)); err == nil {
				all = append(all, result)
			}
		})
	}
	return all
}

// histories are those of the schemas as they were. What is missing is compared with
// what had its elements, or told of.
func (e earlier) histories(now *load.Result, against string) (all []compat.History, warnings []load.Diagnostic) {
	add := func(r *load.Result, wanted func(*model.File) bool) {
		for _, file := range r.Schema.Files {
			if file.Target && wanted(file) {
				l := r.Locks[file.Path]
				all = append(all, compat.History{Versions: []*model.File{file}, Open: l != nil && l.Latest() < file.Version})
			}
		}
	}
	if e.Result != nil {
		add(e.Result, func(*model.File) bool { return true })
	}
	renamed := map[string]bool{}
	for _, former := range e.former {
		add(former, func(old *model.File) bool {
			shared := false
			for _, file := range now.Schema.Files {
				if slices.Contains(e.missing, file.Pos.Path) && share(old, file) {
					renamed[file.Pos.Path], shared = true, true
				}
			}
			return shared
		})
	}
	for _, name := range e.missing {
		if !renamed[name] {
			warnings = append(warnings, load.Diagnostic{Pos: model.Pos{Path: name}, Message: "the schema is not in " + against + ", so it was not compared"})
		}
	}
	return all, warnings
}

// share says whether two files have a message, an enum or a service in common.
func share(a, b *model.File) bool {
	names := map[string]bool{}
	for _, m := range a.Messages {
		names[m.Name] = true
	}
	for _, e := range a.Enums {
		names[e.Name] = true
	}
	for _, s := range a.Services {
		names[s.FullName()] = true
	}
	return slices.ContainsFunc(b.Messages, func(m *model.Message) bool { return names[m.Name] }) ||
		slices.ContainsFunc(b.Enums, func(e *model.Enum) bool { return names[e.Name] }) ||
		slices.ContainsFunc(b.Services, func(s *model.Service) bool { return names[s.FullName()] })
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
