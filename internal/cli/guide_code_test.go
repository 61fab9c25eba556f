package cli_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/cli"
	"github.com/coordgen/coordgen/internal/consumer"
)

// rollingSchema has what the Go code of docs/rolling.md speaks of.
const rollingSchema = `syntax = "proto3";
package shop;
import "coordgen/options.proto";
import "google/protobuf/empty.proto";
option (coordgen.schema).version = 2;
message Order {
  option (coordgen.message).migrations = { name: "weight", version: 2, reversible: true };
  string id = 1;
  int64 grams = 2 [(coordgen.field).until = 1];
  double kilograms = 3 [(coordgen.field).since = 2];
  uint32 schema_version = 4 [(coordgen.field) = { since: 2, role: SCHEMA_VERSION }];
  Size size = 5;
}
enum Size { SIZE_UNSPECIFIED = 0; SIZE_HUGE = 1; }
service Orders {
  rpc Placed(Order) returns (google.protobuf.Empty) { option (coordgen.topic) = { name: "placed", strangers: PARK }; }
}
`

const rollingProgram = `package main

import (
	"context"

	"github.com/coordgen/coordgen/generated/coordination"
	"github.com/coordgen/coordgen/runtime/bus"
	"github.com/coordgen/coordgen/runtime/coord"
	"github.com/coordgen/coordgen/runtime/wire"

	"example.com/m/shop"
)

type broker interface {
	bus.Publisher
	bus.Subscriber
}

func main() {}

func program(ctx context.Context, broker broker, handler shop.OrdersHandler, order *shop.Order) {
`

// The Go code of the guide to rolling compiles, in the order in which it stands there:
// functions in the package of the schema, and the rest in a program.
func TestRollingCode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	text, err := os.ReadFile("../../docs/rolling.md")
	require.NoError(t, err)
	functions, program := "package shop\n\nimport \"math\"\n\n", rollingProgram
	for block := range strings.SplitSeq(string(text), "\n\n") {
		code := strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n    ", "\n"), "\n") + "\n"
		switch {
		case !strings.HasPrefix(block, "    "):
		case strings.HasPrefix(code, "func "):
			functions += code
		case strings.Contains(code, ":="), strings.HasPrefix(code, "if "):
			program += strings.ReplaceAll(code, "…", "_ = err")
		}
	}
	require.Contains(t, functions, "func revertOrderWeight")
	require.Contains(t, program, "c.FleetSupports(2)")
	require.Contains(t, program, "parking.Redeliver")
	m := consumer.New(t, "example.com/m")
	m.Write("shop/orders.proto", []byte(rollingSchema))
	m.Write("shop/weight.go", []byte(functions))
	m.Write("main.go", []byte(program+"_, _ = orders, unbind\n}\n"))
	t.Chdir(m.Dir)
	var out bytes.Buffer
	code := cli.Main(context.Background(), []string{"generate", "-I", "shop", "--out", "shop", "--module", "example.com/m/shop", "shop/orders.proto"},
		cli.Streams{Out: &out, Err: &out})
	require.Zero(t, code, out.String())
	m.Go("mod", "tidy")
	m.Go("vet", "./...")
}
