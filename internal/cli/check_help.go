package cli

const checkLong = `Check compares schemas with what they were, and tells each change that keeps old
and new code from reading each other's messages: the rule, who breaks, in which
codec, and how to mend it. docs/evolution.md has all rules.

With what it compares
  With the last version before the schema's own that the lock beside it has (see
  "coordgen lock"), or, with --against, with the schemas of a git revision or
  of a folder.

What it asks
  backward  does new code read what old code writes?
  forward   does old code read what new code writes?
  full      both, as a fleet needs in which old and new instances run together.
  With -transitive behind it, it asks this of all versions on record.

What it answers
  A finding a line, and an order in which to roll the version out. A change that
  is meant is waived in the schema, with a reason:

    option (coordgen.message).waive =
        { rule: "FIELD_RENAMED", reason: "nothing sends it yet" };

The exit code is 1 when something breaks that is not waived, and 2 when there is
no lock to compare with.`

const checkExample = `  Compare with the version on record:
    coordgen check orders.proto
  In a pull request, with the branch that it goes into:
    coordgen check --against origin/main --format github
  All that coordgen.yaml lists, with every version on record:
    coordgen check --mode full-transitive`
