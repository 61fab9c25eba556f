package cli

const convertLong = `Convert reads one message from standard input, in one codec, and writes it to
standard output in another: to read what a bus carries, or to make what it is
to carry. It needs no generated code and does what that would do.

The message
  --message takes the name that the schema gives, such as shop.orders.Order, or
  as much of its end as no other message has, such as Order.

Where it is looked for
  A FILE is a .proto file, a FOLDER stands for all .proto files below it. With
  neither, it is all that coordgen.yaml of the current folder lists, and without
  that, the built-in coordination.proto. What these files use of others counts.

The codecs
  json      as generated code writes it. --pretty indents it.
  msgpack   the same. What the schema does not know is kept between the two.
  protobuf  the binary wire format. It has numbers in place of names. So keys
            and enum values that the schema does not know are an error. Fields
            with numbers that it does not know are kept for protobuf; for the
            others, a warning says that they were left out.

  From a codec to itself is a check of the bytes. Faults are told with the field
  and, in the input, the byte. The input is at most 4 MiB.`

const convertExample = `  What did a worker publish?
    coordgen convert --message HeartbeatMessage --from msgpack --to json < beat
  From a log that shows bytes as hex digits:
    echo '0a 02 34 32' | coordgen convert --message shop.Order --hex \
        --from protobuf --to json orders.proto
  A payload for a test:
    coordgen convert --message Order --from json --to msgpack < order.json > x`
