package wire

import "unsafe"

// This file has all that needs unsafe.

// aliasOf returns a string that shares the memory of text, which must not change as
// long as the string is in use.
func aliasOf(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

// sizeOf is how many bytes a T takes.
func sizeOf[T any]() int {
	var zero T
	return int(unsafe.Sizeof(zero))
}
