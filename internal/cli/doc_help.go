package cli

const docLong = `Doc writes what people and tools read about schemas: their topics, messages and
enums, and what stands on the wire.

What is documented
  A FILE is a .proto file, a FOLDER stands for all .proto files below it. With
  neither, it is all that coordgen.yaml of the current folder lists. What these
  files use of others is documented too.

The formats
  markdown  a reference for people: tables of topics, fields and values, with
            the schema's comments and with links. The comments are shown as they
            stand in the schema.
  asyncapi  an AsyncAPI 3.0 document in YAML or JSON, for tools: a channel for
            each topic, operations to send and to receive on it, a message for
            each codec, and a JSON Schema (draft 7) of each message's JSON.

Where it goes
  To standard output, or into the file of --out, which is replaced as a whole,
  and only when it changes. A file that coordgen did not write is never
  replaced.

  With --check nothing is written. A file that differs only in the version of
  coordgen that made it counts as up to date.`

const docExample = `  A reference for people:
    coordgen doc --out docs/orders.md orders.proto
  An AsyncAPI document of all that coordgen.yaml lists:
    coordgen doc --format asyncapi --out asyncapi.yaml
  In JSON, for a tool that reads standard input:
    coordgen doc --format asyncapi --json -I proto proto/orders
  In continuous integration:
    coordgen doc --check --out docs/orders.md orders.proto`
