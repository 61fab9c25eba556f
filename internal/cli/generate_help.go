package cli

import (
	"errors"
	"strings"
)

const generateLong = `Generate writes the Go code of .proto schemas: types, codecs, topics, callbacks,
and the coordinator of a schema that has the roles of one.

What is generated
  A FILE is a .proto file, a FOLDER stands for all .proto files below it. With
  either on the command line, the flags say the rest and no configuration is
  read. With neither, coordgen.yaml of the current folder says it all, and the
  flags that describe schemas are refused:

    generate:
      - schemas: [orders.proto]         # files, and folders of them
        include: [., ../proto]          # -I        (default: the file's folder)
        out: internal/orders            # --out     (default: the file's folder)
        module: example.com/shop        # --module  (default: none)
        packages:                       # --package (default: go_package)
          google/type: example.com/shop/gen/google/type
        codecs: [json]                  # --codecs  (default: all)

  Paths in it are relative to the file. Only "schemas" is needed.

Where it goes
  Schemas of one Go package (option go_package) go right into the output folder.
  Those of several need --module, the import path of that folder: with
  --module example.com/shop, the package example.com/shop/api/v1 goes into
  api/v1 below it. With --module a single package is placed so too, and a file
  without go_package goes where its import path says.

  With --package a file, or a folder of files with all below it, gets another Go
  package than its go_package says. So the schemas of others can be generated as
  they are: code needs coordgen's types of all that its schema imports. A
  go_package can stand for the files too: with
  --package github.com/a/api=example.com/shop/api, what says github.com/a/api/v1
  becomes example.com/shop/api/v1. One like "./v1" is below the module.

How it is written
  All code is made before any is written, and a run changes all of its files or
  none. A file that is as it should be is not touched, nor is one for Windows'
  line ends. Files (*.gen.go) that an earlier run made of the same schema in the
  same folder, and this run does not, are removed. A run by coordgen.yaml
  removes those of schemas that are gone, too: that lie neither in its include
  folders nor anywhere below it or its output folders. With a module it looks
  in all folders below "out" that have no coordgen.yaml or go.mod of their own.
  Other files stay, those generated from other schemas among them. A file that
  coordgen did not write is never replaced.

  With --check nothing is written. A file that differs only in the version of
  coordgen that made it counts as up to date.

  With --watch it goes on: the folders of all schemas that were read, and of the
  configuration, are watched, and what a change of them makes is written. Faults
  are told and waited out.

What it keeps to
  Go names that are in the lock beside a schema stay as they are, and a change
  that breaks readers of the version on record is warned of. See "coordgen lock"
  and "coordgen check".

Generate prints nothing when all went well, but for warnings, with --watch the
files that it wrote, and with -v all of them.`

const generateExample = `  Generate a schema into the current folder:
    coordgen generate orders.proto
  All schemas below a folder, of several Go packages:
    coordgen generate -I proto --out gen --module example.com/shop/gen proto
  In a Go file, with coordgen.yaml beside it, so that "go generate" does it:
    //go:generate go tool coordgen generate
  In continuous integration:
    coordgen generate --check`

// toldBy makes the error that nothing is named speak of another command.
func toldBy(command string, err error) error {
	if errors.Is(err, usageError(nothingToGenerate)) {
		return usageError(strings.Replace(nothingToGenerate, "coordgen generate", command, 1))
	}
	return err
}

// nothingToGenerate tells how to begin.
const nothingToGenerate = `no schema is named, and the current folder has no coordgen.yaml.

Name a schema:
    coordgen generate orders.proto
or list what to generate in coordgen.yaml:
    generate:
      - schemas: [orders.proto]
`
