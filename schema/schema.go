// Package schema holds the .proto files that coordgen carries with it: the
// vocabulary of options and the built-in coordination protocol.
package schema

import "embed"

// Files holds "coordgen/options.proto" and "coordination.proto", by the paths
// under which a schema imports them.
//
//go:embed coordgen/options.proto coordination.proto
var Files embed.FS
