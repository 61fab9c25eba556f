package plugin

const byHand = `protoc-gen-coordgen is a plugin of protoc and buf: they run it, and hand it the
schemas. Try
    protoc -I proto --coordgen_out=gen proto/orders.proto
or "protoc-gen-coordgen --help". The same code is written without them by
"coordgen generate".
`

const help = `protoc-gen-coordgen is coordgen as a plugin of protoc and buf. It writes the
code that "coordgen generate" writes: types, codecs, topics, callbacks, and
coordinators.

Usage:
  protoc -I proto --coordgen_out=gen --coordgen_opt=PARAMETER,... FILE...
  protoc-gen-coordgen --help | --version

With buf, in buf.gen.yaml; without "strategy: all", buf generates each folder on
its own, and names are not checked between folders:
  plugins:
    - local: protoc-gen-coordgen
      out: gen
      strategy: all
      opt: [module=example.com/shop/gen, codecs=json]

Parameters:
  codecs=CODECS   generate these codecs only, joined by + as in json+msgpack
                  (default: all)
  module=PATH     the import path of the output folder. It is left out of the
                  folders that code goes into, and a file without go_package
                  belongs below it, where its own path says
  paths=import    write code into the folder of its import path (the default)
  paths=source_relative
                  write code into the folder of its .proto file
  MPROTO=GO       the Go package of a .proto file, or of a folder of them, in
                  place of what they say; may be repeated

Schemas import coordgen/options.proto, which protoc and buf look for on disk:
"coordgen export" writes it.

Faults are told to protoc and buf, which print them. The exit code is 1 when the
request can't be read or the answer can't be written, and 2 for wrong use.
`
