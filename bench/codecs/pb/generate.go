// Package pb has the code that protobuf's plugins make of bench.proto.
package pb

//go:generate go run ./gen
