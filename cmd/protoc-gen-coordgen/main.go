// Command protoc-gen-coordgen is coordgen as a plugin of protoc and buf. Run
// "protoc-gen-coordgen --help" to see how they call it.
package main

import (
	"os"
	"runtime/debug"

	"github.com/coordgen/coordgen/internal/plugin"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200) // for a fifth more memory, a fifth less time
	}
	os.Exit(plugin.Main(os.Args[1:], plugin.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
}
