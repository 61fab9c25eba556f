// Package plain has the messages of bench.proto as structs written by hand, for
// the generators and libraries that begin with a struct. Member by member they
// are written as coordgen writes its own: enums and durations are texts, a oneof
// is a pointer for each member. That favours them a little, since they neither
// check nor parse such texts.
package plain

//go:generate go tool msgp -file plain.go -o plain_msgp.go -io=false -tests=false
//go:generate go tool easyjson -all -no_std_marshalers plain.go

//msgp:tag json
//msgp:newtime
//msgp:clearomitted

import "time"

// Heartbeat is small, as most messages of coordination are.
type Heartbeat struct {
	InstanceID    string    `json:"instance_id" msgpack:"instance_id"`
	Timestamp     time.Time `json:"timestamp" msgpack:"timestamp"`
	Subscriptions []string  `json:"subscriptions" msgpack:"subscriptions"`
	InFlightCount int64     `json:"in_flight_count" msgpack:"in_flight_count"`
	IsLeader      bool      `json:"is_leader" msgpack:"is_leader"`
	LoadFactor    float64   `json:"load_factor" msgpack:"load_factor"`
}

// Notice has a free value.
type Notice struct {
	InstanceID           string         `json:"instance_id" msgpack:"instance_id"`
	Intent               string         `json:"intent" msgpack:"intent"`
	InitiatedAt          time.Time      `json:"initiated_at" msgpack:"initiated_at"`
	ExpectedCompletionAt time.Time      `json:"expected_completion_at" msgpack:"expected_completion_at"`
	Subscriptions        []string       `json:"subscriptions" msgpack:"subscriptions"`
	InFlightCount        int64          `json:"in_flight_count" msgpack:"in_flight_count"`
	Metadata             map[string]any `json:"metadata" msgpack:"metadata"`
}

// Order is large, and has a field of every kind.
type Order struct {
	ID            string             `json:"id" msgpack:"id"`
	PlacedAt      time.Time          `json:"placed_at" msgpack:"placed_at"`
	Status        string             `json:"status" msgpack:"status"`
	Items         []Item             `json:"items" msgpack:"items"`
	Labels        map[string]string  `json:"labels" msgpack:"labels"`
	Addresses     map[string]Address `json:"addresses" msgpack:"addresses"`
	Signature     []byte             `json:"signature" msgpack:"signature"`
	Note          *string            `json:"note,omitempty" msgpack:"note,omitempty"`
	Customer      *int64             `json:"customer,omitempty" msgpack:"customer,omitempty"`
	Discount      *float64           `json:"discount,omitempty" msgpack:"discount,omitempty"`
	Card          *Card              `json:"card,omitempty" msgpack:"card,omitempty"`
	Voucher       *string            `json:"voucher,omitempty" msgpack:"voucher,omitempty"`
	DeliverWithin string             `json:"deliver_within" msgpack:"deliver_within"`
	Total         float64            `json:"total" msgpack:"total"`
	Weight        float32            `json:"weight" msgpack:"weight"`
	Revision      uint64             `json:"revision" msgpack:"revision"`
	Ledger        []int64            `json:"ledger" msgpack:"ledger"`
	Priority      bool               `json:"priority" msgpack:"priority"`
}

// Item is a line of an order.
type Item struct {
	Sku        string   `json:"sku" msgpack:"sku"`
	Title      string   `json:"title" msgpack:"title"`
	Quantity   int32    `json:"quantity" msgpack:"quantity"`
	PriceCents int64    `json:"price_cents" msgpack:"price_cents"`
	Weight     float64  `json:"weight" msgpack:"weight"`
	Gift       bool     `json:"gift" msgpack:"gift"`
	Remark     *string  `json:"remark,omitempty" msgpack:"remark,omitempty"`
	Tags       []string `json:"tags" msgpack:"tags"`
	Status     string   `json:"status" msgpack:"status"`
}

// Address is where an order goes.
type Address struct {
	Street    string  `json:"street" msgpack:"street"`
	City      string  `json:"city" msgpack:"city"`
	Country   string  `json:"country" msgpack:"country"`
	Latitude  float64 `json:"latitude" msgpack:"latitude"`
	Longitude float64 `json:"longitude" msgpack:"longitude"`
}

// Card is a way to pay.
type Card struct {
	Holder string `json:"holder" msgpack:"holder"`
	Number string `json:"number" msgpack:"number"`
	Year   int32  `json:"year" msgpack:"year"`
	Month  int32  `json:"month" msgpack:"month"`
}
