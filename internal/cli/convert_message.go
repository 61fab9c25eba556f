package cli

import (
	"fmt"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/coordgen/coordgen/internal/load"
	"github.com/coordgen/coordgen/internal/model"
)

// A candidate is a message that --message may name.
type candidate struct {
	message    *model.Message
	descriptor protoreflect.MessageDescriptor
}

// candidates are the messages of the schemas and of what they use of others, each
// one once, sorted by name.
func candidates(results []*load.Result) []candidate {
	var all []candidate
	for _, r := range results {
		for _, file := range r.Schema.Files {
			for _, m := range file.Messages {
				all = append(all, candidate{m, r.Descriptor(m)})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		if c := strings.Compare(a.message.Name, b.message.Name); c != 0 {
			return c
		}
		return a.message.Pos.Compare(b.message.Pos)
	})
	return slices.CompactFunc(all, func(a, b candidate) bool {
		return a.message.Name == b.message.Name && a.message.Pos == b.message.Pos
	})
}

func names(all []candidate) []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.message.Name
	}
	return slices.Compact(names)
}

// find returns the message with that full name, or the one whose name ends so.
func find(all []candidate, name string) (candidate, error) {
	called := func(is func(full string) bool) []candidate {
		return slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return !is(c.message.Name) })
	}
	found := called(func(full string) bool { return full == name })
	if len(found) == 0 {
		found = called(func(full string) bool { return strings.HasSuffix(full, "."+name) })
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return candidate{}, fmt.Errorf("no message %q in the schemas%s", name, meant(names(all), name))
	case found[0].message.Name == found[1].message.Name:
		places := make([]string, len(found))
		for i, c := range found {
			places[i] = fmt.Sprintf("%s:%d:%d", c.message.Pos.Path, c.message.Pos.Line, c.message.Pos.Col)
		}
		return candidate{}, fmt.Errorf("message %q is declared at %s; name one of the schemas on the command line", found[0].message.Name, strings.Join(places, " and "))
	}
	return candidate{}, fmt.Errorf("more than one message is called %q: %s; write more of the name", name, strings.Join(names(found), ", "))
}

// meant says which messages there are, or the one that is nearest to the name.
func meant(all []string, name string) string {
	const few = 10
	dots := strings.Count(name, ".")
	full := map[string]string{} // by as many parts as were written
	var ends []string
	for _, candidate := range all {
		parts := strings.Split(candidate, ".")
		end := strings.Join(parts[max(0, len(parts)-dots-1):], ".")
		full[end] = candidate
		ends = append(ends, end)
	}
	if nearest := load.Nearest(name, ends); nearest != "" {
		return fmt.Sprintf("; did you mean %s?", full[nearest])
	}
	if len(all) > few {
		return fmt.Sprintf("; they have %s and %d more", strings.Join(all[:few], ", "), len(all)-few)
	}
	return fmt.Sprintf("; they have %s", strings.Join(all, ", "))
}
