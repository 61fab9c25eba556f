package cli

const vectorsLong = `Vectors writes samples of what each version of a schema writes, in each codec,
beside the generated code, and a test that reads all of them:

  testdata/vectors/orders/v1/Order.txt    what version 1 wrote of Order
  testdata/vectors/orders/v2/Order.txt    what version 2 does
  orders_vectors_test.go                  run by "go test"

What the files hold
  Samples of each message that a topic carries, or, without topics, of each that
  stands in no other: the least that a message can be, all fields with usual,
  lowest and highest values, and each member of a oneof and value of an enum.
  They are the same on any machine.

Versions
  They are those in the lock, and the schema's own. Its files follow the schema;
  those of older versions are history, which is never written again: delete one
  to have it made anew from the lock. Run "coordgen lock" first, then vectors,
  and commit what both write.

The test
  Each sample is decoded, says the same in all codecs, and loses nothing when it
  is written again. What the current version wrote comes out byte for byte. A
  sample that is no longer read because of a change that the schema waives is
  left out, with the waiver in a comment.

What is generated, and where, is said as it is for "coordgen generate".`

const vectorsExample = `  Beside code that was generated into the current folder:
    coordgen vectors orders.proto
  Of all that coordgen.yaml lists:
    coordgen vectors
  In continuous integration:
    coordgen vectors --check`
