package bustest

import (
	"bytes"
	"maps"
	"strings"

	"github.com/coordgen/coordgen/runtime/bus"
)

var contentCases = []Case{
	{
		Name: "payloads",
		Doc:  "Payloads arrive as they are: binary ones, text, empty ones.",
		run: func(p *probe) {
			var binary []byte
			for c := range 256 {
				binary = append(binary, byte(c))
			}
			in := p.subscribe(p.b, "orders")
			payloads := []string{string(binary), `{"id":"1"}`, "", "\x00", "one\r\ntwo\n"}
			p.publish(p.a, "orders", payloads...)
			in.expect("subscription", payloads...)
		},
	},
	{
		Name: "large-payload",
		Doc:  "A payload of MaxPayload bytes arrives whole.",
		run: func(p *probe) {
			in := p.subscribe(p.b, "orders")
			payload := strings.Repeat("0123456789abcdef", p.MaxPayload/16+1)[:p.MaxPayload]
			p.publish(p.a, "orders", payload)
			in.expect("subscription", payload)
		},
	},
	{
		Name: "topic-name",
		Doc:  "A message arrives with the topic that it was published on.",
		run: func(p *probe) {
			in := p.subscribe(p.b, "orders.placed")
			p.publish(p.a, "orders.placed", "1")
			in.expect("subscription", "1")
			if got, want := in.received()[0].Topic, p.prefix+"orders.placed"; got != want {
				p.fatalf("topic is %q, want %q", got, want)
			}
		},
	},
	{
		Name:  "headers",
		Doc:   "The content type and other headers arrive with their message.",
		needs: needsHeaders,
		run: func(p *probe) {
			in := p.subscribe(p.b, "orders")
			headers := []map[string]string{
				{bus.HeaderContentType: "application/msgpack", "x-trace": "00-4bf9;a=b, c"},
				{bus.HeaderContentType: "application/json"},
				nil,
			}
			for _, h := range headers {
				p.send(p.a, bus.Message{Topic: p.prefix + "orders", Header: h, Payload: []byte("1")})
				in.expect("subscription", "1")
				got := in.received()[0].Header
				for _, key := range []string{bus.HeaderContentType, "x-trace"} {
					if got[key] != h[key] {
						p.fatalf("header %q is %q, want %q", key, got[key], h[key])
					}
				}
				in.forget()
			}
		},
	},
	{
		Name: "reused-buffer",
		Doc:  "A publisher may use its payload and header again once Publish has returned.",
		run: func(p *probe) {
			in := p.subscribe(p.a, "orders")
			payload, header := []byte("first"), map[string]string{bus.HeaderContentType: "first"}
			p.send(p.a, bus.Message{Topic: p.prefix + "orders", Header: header, Payload: payload})
			if !bytes.Equal(payload, []byte("first")) || !maps.Equal(header, map[string]string{bus.HeaderContentType: "first"}) {
				p.fatalf("Publish changed its message: %q, %q", payload, header)
			}
			copy(payload, "other")
			header[bus.HeaderContentType] = "other"
			in.expect("subscription", "first")
			if got := in.received()[0].Header[bus.HeaderContentType]; p.Headers && got != "first" {
				p.fatalf("header is %q, want %q", got, "first")
			}
		},
	},
}
