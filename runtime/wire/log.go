package wire

import (
	"cmp"
	"fmt"
	"log/slog"
	"strconv"
)

// Sensitive stands in a log line for the value of a sensitive field.
const Sensitive = "[sensitive]"

// LogMessages is a list of messages as a log line shows it: a group in which each
// has its index as the key. As a plain list, a log's JSON would hold what the
// messages keep out of it.
func LogMessages[T slog.LogValuer](list []T) slog.Value {
	group := make([]slog.Attr, len(list))
	for i, m := range list {
		group[i] = slog.Any(strconv.Itoa(i), m)
	}
	return slog.GroupValue(group...)
}

// LogEntries is a map of messages as a log line shows it: a group in the order of
// the keys.
func LogEntries[K cmp.Ordered, T slog.LogValuer](m map[K]T) slog.Value {
	return logGroup(SortedKeys(m), m)
}

// LogBoolEntries is a map that has booleans as keys as a log line shows it: a
// group, since JSON has no such map.
func LogBoolEntries[T any](m map[bool]T) slog.Value { return logGroup(SortedBoolKeys(m), m) }

func logGroup[K comparable, T any](keys []K, m map[K]T) slog.Value {
	group := make([]slog.Attr, len(keys))
	for i, key := range keys {
		group[i] = slog.Any(fmt.Sprint(key), m[key])
	}
	return slog.GroupValue(group...)
}
