package cli

const lockLong = `Lock records what schemas are at their version in a file beside each, such as
orders.proto.lock: messages, fields, enums, topics, and the Go names of all. The
locks belong into version control.

What it is for
  "coordgen check" compares a schema with the versions on record. A Go name that
  is on record stays, whatever is added to the schema later. What was removed
  keeps its number, its key and its Go name: they are given to nothing else.

When to run it
  When a version goes out: raise (coordgen.schema).version, then lock. A schema
  that is not what is on record under its version is refused. With --amend the
  version is recorded anew, which is right only while nobody runs it. Lock what
  a schema imports, too: check compares it with what it was at that version.

Merges
  Each line of a lock stands for itself, and their order does not matter. Where
  a merge stops, keep the lines of both sides and run lock again. With the line
  "*.proto.lock merge=union" in .gitattributes git does the first by itself.

Lock prints what it recorded, and nothing when all was on record.
docs/evolution.md has an example.`

const lockExample = `  Record the version of a schema:
    coordgen lock orders.proto
  Of all that coordgen.yaml lists:
    coordgen lock
  In continuous integration:
    coordgen lock --check`
