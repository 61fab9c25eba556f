package compat

import "strings"

// Codecs are a set of codecs.
type Codecs uint8

// The codecs.
const (
	JSON Codecs = 1 << iota
	Msgpack
	Protobuf

	// keyed are the codecs in which a field goes by its key, not by its number.
	keyed = JSON | Msgpack
	// All are all codecs.
	All = JSON | Msgpack | Protobuf
)

// Names are the names of the codecs, as the flags of the command have them.
func (c Codecs) Names() []string {
	var names []string
	for i, name := range []string{"json", "msgpack", "proto"} {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// String is the names, separated by commas.
func (c Codecs) String() string { return strings.Join(c.Names(), ", ") }

// CodecsOf are the codecs with those names; none means all.
func CodecsOf(names []string) Codecs {
	var c Codecs
	for i, name := range All.Names() {
		for _, n := range names {
			if n == name {
				c |= 1 << i
			}
		}
	}
	if c == 0 {
		return All
	}
	return c
}

// when is the codecs if the condition holds, or none.
func when(is bool, c Codecs) Codecs {
	if is {
		return c
	}
	return 0
}
