// Package templates holds the text of the files that coordgen writes once and
// that are the user's from then on. Each folder that holds files is a set, as
// package scaffold renders it.
package templates

import "embed"

// Files holds the sets. The name of a file is a template, too, with ".tmpl"
// behind it.
//
//go:embed elector handler project
var Files embed.FS
