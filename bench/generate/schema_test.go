// Package generate measures generators of Go code, side by side, on schemas of
// many messages.
package generate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// perFile is how many messages a file of a synthetic schema has. Each file is a
// Go package of its own.
const perFile = 100

// writeSchema writes a schema of the given number of messages into a folder and
// returns the files' import paths. A message has twelve fields of as many kinds
// and a comment on each.
func writeSchema(dir string, messages int) ([]string, error) {
	var paths []string
	for file := range messages / perFile {
		path := fmt.Sprintf("p%03d/p%03d.proto", file, file)
		var b strings.Builder
		fmt.Fprintf(&b, "syntax = \"proto3\";\n\n// Package p%03[1]d is one of many.\npackage bench.p%03[1]d;\n\n", file)
		b.WriteString("import \"google/protobuf/timestamp.proto\";\n")
		if file > 0 {
			fmt.Fprintf(&b, "import \"p%03[1]d/p%03[1]d.proto\";\n", file-1)
		}
		fmt.Fprintf(&b, "\noption go_package = \"example.com/bench/p%03d\";\n", file)
		b.WriteString("\n// Level is how urgent something is.\nenum Level {\n  LEVEL_UNSPECIFIED = 0;\n  LEVEL_LOW = 1;\n  LEVEL_HIGH = 2;\n}\n")
		for i := range perFile {
			other := fmt.Sprintf("M%02d", (i+1)%perFile)
			if file > 0 && i%10 == 0 {
				other = fmt.Sprintf("bench.p%03d.M%02d", file-1, i)
			}
			fmt.Fprintf(&b, message, i, other)
		}
		path = filepath.FromSlash(path)
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(path)), 0o750); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, path), []byte(b.String()), 0o600); err != nil {
			return nil, err
		}
		paths = append(paths, filepath.ToSlash(path))
	}
	return paths, nil
}

const message = `
// M%02[1]d is a message like the others of its file.
message M%02[1]d {
  // The name of the thing.
  string name = 1;
  // When it came to be.
  google.protobuf.Timestamp created_at = 2;
  // How many there are.
  int64 count = 3;
  // How many were there before, if that is known.
  optional uint32 previous_count = 4;
  // What one of them costs.
  double price = 5;
  // Whether it can be had.
  bool available = 6;
  // Its picture.
  bytes picture = 7;
  // Words by which it is found.
  repeated string tags = 8;
  // How many of them each place has.
  map<string, int32> stock = 9;
  // How urgent it is.
  Level level = 10;
  // What it belongs to.
  %[2]s parent = 11;
  // What belongs to it.
  repeated %[2]s children = 12;
}
`
