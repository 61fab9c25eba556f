package wire

import (
	"bytes"
	"maps"
	"slices"
)

// ClonePointer returns a pointer to a copy of what p points to, or nil.
func ClonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

// CloneList returns a copy of a list, and of each value in it by the function.
func CloneList[T any](list []T, clone func(T) T) []T {
	list = slices.Clone(list)
	for i := range list {
		list[i] = clone(list[i])
	}
	return list
}

// CloneMap returns a copy of a map, and of each value in it by the function.
func CloneMap[K comparable, T any](m map[K]T, clone func(T) T) map[K]T {
	m = maps.Clone(m)
	for key, v := range m {
		m[key] = clone(v)
	}
	return m
}

// A cloner is a pointer to a message.
type cloner[T any] interface {
	*T
	Clone() *T
}

// CloneMessages returns a copy of a list of messages and of all of them.
func CloneMessages[T any, P cloner[T]](list []T) []T {
	list = slices.Clone(list)
	for i := range list {
		list[i] = *P(&list[i]).Clone()
	}
	return list
}

// CloneEntries returns a copy of a map of messages and of all of them.
func CloneEntries[K comparable, T any, P cloner[T]](m map[K]T) map[K]T {
	m = maps.Clone(m)
	for key, v := range m {
		m[key] = *P(&v).Clone()
	}
	return m
}

// CloneValue returns a copy of a free value: of the lists, objects and byte
// strings in it.
func CloneValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return CloneStruct(v)
	case []any:
		return CloneListValue(v)
	case []byte:
		return bytes.Clone(v)
	}
	return v
}

// CloneStruct returns a copy of a free object and of all in it.
func CloneStruct(s map[string]any) map[string]any { return CloneMap(s, CloneValue) }

// CloneListValue returns a copy of a free list and of all in it.
func CloneListValue(list []any) []any { return CloneList(list, CloneValue) }

// Clone returns a copy of the fields and of their bytes.
func (u Unknown) Clone() Unknown {
	u = slices.Clone(u)
	for i := range u {
		u[i].Raw = bytes.Clone(u[i].Raw)
	}
	return u
}
