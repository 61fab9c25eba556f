package main

import (
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	in := `goos: linux
BenchmarkCodec/codec=json/message=order/op=decode-fresh/keys=shuffled/tool=coordgen-2   10  300.0 ns/op  12 MB/s  64 B/op  2 allocs/op
BenchmarkCodec/codec=json/message=order/op=decode-fresh/keys=shuffled/tool=coordgen-2   10  100.0 ns/op  12 MB/s  64 B/op  2 allocs/op
BenchmarkCodec/codec=json/message=order/op=decode-fresh/keys=shuffled/tool=slow-2       10  900 ns/op  12 MB/s  64 B/op  9 allocs/op
BenchmarkCodec/codec=json/message=order/op=decode-fresh/keys=shuffled/tool=json-v2-2    10  80.04 ns/op  12 MB/s  64 B/op  1 allocs/op
BenchmarkCodec/codec=protobuf/message=order/op=encode-nil/tool=other                    10  80.04 ns/op  12 MB/s  64 B/op  1 allocs/op
BenchmarkSource/tool=coordgen-2  1  1234 bytes/message  56.25 lines/message
PASS
`
	want := in + `
Nanoseconds and allocations for each call. A ratio below 1 says that coordgen is faster.

| codec | message | operation | coordgen | fastest peer | ratio | other peers |
|---|---|---|---|---|---|---|
| json | order | decode-fresh, shuffled | 200, 2 | json-v2 80.0, 1 | 2.50 | slow 900, 9 |
| protobuf | order | encode-nil | - | other 80.0, 1 | - |  |

| tool | bytes/message | lines/message |
|---|---|---|
| coordgen | 1234 | 56.2 |
`
	var out strings.Builder
	if err := run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}
