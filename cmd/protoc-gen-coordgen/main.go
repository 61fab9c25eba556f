// Command protoc-gen-coordgen is coordgen as a plugin of protoc and buf. Run
// "protoc-gen-coordgen --help" to see how they call it.
package main

import (
	"os"

	"github.com/coordgen/coordgen/internal/plugin"
)

func main() {
	os.Exit(plugin.Main(os.Args[1:], plugin.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
