package codecs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/coordgen/coordgen/bench/codecs/plain"
)

func heartbeat() *plain.Heartbeat {
	return &plain.Heartbeat{
		InstanceID:    "worker-7f9c4d5b8-x2vqp",
		Timestamp:     time.Date(2026, 5, 4, 13, 37, 42, 123456000, time.UTC),
		Subscriptions: []string{"orders.created", "orders.cancelled", "payments.settled"},
		InFlightCount: 17,
		IsLeader:      true,
		LoadFactor:    0.4375,
	}
}

func notice() *plain.Notice {
	return &plain.Notice{
		InstanceID:           "worker-7f9c4d5b8-x2vqp",
		Intent:               "preemption",
		InitiatedAt:          time.Date(2026, 5, 4, 13, 37, 42, 123456000, time.UTC),
		ExpectedCompletionAt: time.Date(2026, 5, 4, 13, 39, 42, 123456000, time.UTC),
		Subscriptions:        []string{"orders.created", "orders.cancelled", "payments.settled"},
		InFlightCount:        17,
		Metadata: map[string]any{
			"provider": "spot",
			"warning":  true,
			"attempt":  3,
			"price":    0.0375,
			"node":     map[string]any{"zone": "eu-central-1b", "pool": "batch"},
			"queues":   []any{"fast", "slow"},
		},
	}
}

// order returns an order whose texts are made of the given words.
func order(words []string) *plain.Order {
	next := 0
	text := func(length int) string {
		part := make([]string, length)
		for i := range part {
			part[i] = words[next%len(words)]
			next++
		}
		return strings.Join(part, " ")
	}
	address := func(n int) plain.Address {
		return plain.Address{Street: text(2), City: text(1), Country: "DE", Latitude: 52.5 + float64(n)/8, Longitude: 13.404954}
	}
	note, customer, discount := text(8), int64(9_007_199_254_740_993), 12.5
	o := &plain.Order{
		ID:            "order-2026-05-04-000117",
		PlacedAt:      time.Date(2026, 5, 4, 13, 37, 42, 123456000, time.UTC),
		Status:        "paid",
		Labels:        map[string]string{"channel": "web", "campaign": text(2), "source": "newsletter"},
		Addresses:     map[string]plain.Address{"billing": address(1), "delivery": address(2)},
		Signature:     []byte("\x00\x01\xfe\xff a signature has sixty-four bytes, as those of ed25519 have. \x80"),
		Note:          &note,
		Customer:      &customer,
		Discount:      &discount,
		Card:          &plain.Card{Holder: text(2), Number: "4111-1111-1111-1111", Year: 2031, Month: 11},
		DeliverWithin: "172800.500s",
		Total:         1234.56,
		Weight:        17.25,
		Revision:      18_446_744_073_709_551_615,
		Ledger:        []int64{0, -1, 127, -32_768, 65_536, 1_777_901_862_123, -9_223_372_036_854_775_808},
		Priority:      true,
	}
	for i := range 20 {
		item := plain.Item{
			Sku:        fmt.Sprintf("SKU-%06d", 7919*i),
			Title:      text(4),
			Quantity:   int32(i%4 + 1),
			PriceCents: int64(i*i*997 + 99),
			Weight:     0.125 * float64(i+1),
			Gift:       i%5 == 0,
			Tags:       []string{text(1), text(1)},
			Status:     "shipped",
		}
		if i%3 == 0 {
			remark := text(3)
			item.Remark = &remark
		}
		o.Items = append(o.Items, item)
	}
	return o
}

var (
	ascii    = strings.Fields("a green teapot with two cups for the kitchen and \"one\" small spoon")
	nonASCII = strings.Fields("zielona Teekanne für die Küche наш чайник 緑の急須 и crème brûlée łyżka 🫖")
)

// convert sets to, a message of coordgen, protobuf or package plain, to what from
// holds, which is another. It goes by JSON.
func convert(t testing.TB, from, to any) {
	t.Helper()
	var text []byte
	var err error
	if message, ok := from.(proto.Message); ok {
		text, err = protojson.MarshalOptions{UseProtoNames: true, UseEnumNumbers: true}.Marshal(message)
	} else {
		text, err = json.Marshal(from)
	}
	if err != nil {
		t.Fatal(err)
	}
	if message, ok := to.(proto.Message); ok {
		err = protojson.Unmarshal([]byte(valueNames.Replace(string(text))), message)
	} else {
		err = json.Unmarshal(text, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// valueNames gives the values of enums the names that protobuf has for them.
var valueNames = strings.NewReplacer(
	`"intent":"preemption"`, `"intent":"INTENT_PREEMPTION"`,
	`"status":"paid"`, `"status":"STATUS_PAID"`,
	`"status":"shipped"`, `"status":"STATUS_SHIPPED"`,
)
