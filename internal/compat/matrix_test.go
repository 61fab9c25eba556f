package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/coordgen/coordgen/internal/compat"
	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/internal/model"
)

// values are some of each type as JSON, its extremes among them.
func values() map[string][]string {
	int32s := []string{"0", "1", "-1", "2147483647", "-2147483648"}
	int64s := append([]string{"9223372036854775807", "-9223372036854775808", "9007199254740993"}, int32s...)
	uint32s := []string{"0", "1", "4294967295"}
	uint64s := append([]string{"18446744073709551615"}, uint32s...)
	return map[string][]string{
		"bool": {"false", "true"}, "int32": int32s, "sint32": int32s, "sfixed32": int32s,
		"int64": int64s, "sint64": int64s, "sfixed64": int64s,
		"uint32": uint32s, "fixed32": uint32s, "uint64": uint64s, "fixed64": uint64s,
		"float": {"0.0", "1.5", "0.1", "3.4028235e+38"}, "double": {"0.0", "1.5", "0.1", "0.10000000001", "1e+300"},
		"string": {`""`, `"a"`, `"é"`}, "bytes": {`""`, `"AQID"`, `"//79"`},
		"Color": {`"unspecified"`, `"red"`, `"7"`, `"-1"`}, "Point": {`{"x":0}`, `{"x":7}`},
		"google.protobuf.Int32Value": int32s, "google.protobuf.Int64Value": int64s, "google.protobuf.StringValue": {`""`, `"a"`},
		"google.protobuf.BytesValue": {`""`, `"//79"`},
		"google.protobuf.Timestamp":  {`"2024-02-29T12:00:00+00:00"`}, "google.protobuf.Duration": {`"1.500s"`},
		"google.protobuf.Struct": {`{"a":1.5}`}, "google.protobuf.Value": {`1.5`, `"a"`, `{"x":7}`, "[true]"}, "google.protobuf.ListValue": {`[true]`},
	}
}

const matrixHead = `syntax = "proto3";
import "google/protobuf/wrappers.proto"; import "google/protobuf/timestamp.proto"; import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
message Point { int32 x = 1; }
message M { %s f = 1; }
`

// A side is one of two schemas that read each other's messages.
type side struct {
	schema  *model.Schema
	message *model.Message
	convert *convert.Converter
}

// field is the one field.
func (s side) field() *model.Field { return s.message.Fields[0] }

func loadSide(t *testing.T, text, message string) side {
	t.Helper()
	r := loadText(t, text)
	for _, f := range r.Schema.Files {
		for _, m := range f.Messages {
			if m.Name == message {
				c, err := convert.New(m, r.Descriptor(m))
				require.NoError(t, err)
				return side{r.Schema, m, c}
			}
		}
	}
	require.Fail(t, "no message", message)
	return side{}
}

func codecs() map[compat.Codecs]string {
	return map[compat.Codecs]string{compat.JSON: convert.JSON, compat.Msgpack: convert.Msgpack, compat.Protobuf: convert.Protobuf}
}

// lost says whether a value that the one side writes is another when the other side
// reads it. It is the same if its JSON is, or, in protobuf, if it would be without its
// type, or else if the first side reads it when the other one writes it back.
func lost(t *testing.T, from, to side, codec, value string) bool {
	t.Helper()
	document := []byte(`{"f":` + value + `}`)
	wire, _, err := from.convert.Convert(document, convert.JSON, codec)
	if err != nil {
		return false // not a value that this codec can write
	}
	read, unknown, err := to.convert.Convert(wire, codec, convert.JSON)
	if err != nil || len(unknown) > 0 {
		return true
	}
	if assert.ObjectsAreEqual(field(t, document), field(t, read)) {
		return false
	}
	if codec == convert.Protobuf {
		return !assert.ObjectsAreEqual(plain(from.field().Type, field(t, document)), plain(to.field().Type, field(t, read)))
	}
	written, _, err := to.convert.Convert(wire, codec, codec)
	if err != nil {
		return true
	}
	back, _, err := from.convert.Convert(written, codec, convert.JSON)
	return err != nil || !assert.ObjectsAreEqual(field(t, document), field(t, back))
}

// field is the value of f in a JSON document.
func field(t *testing.T, text []byte) any {
	t.Helper()
	return parseTree(text)["f"]
}

// parseTree is a JSON document, with its numbers exact and in one form.
func parseTree(text []byte) map[string]any {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document map[string]any
	if err := decoder.Decode(&document); err != nil {
		return nil
	}
	for key, v := range document {
		document[key] = normal(v)
	}
	return document
}

func normal(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := new(big.Rat).SetString(v.String())
		return n.RatString()
	case map[string]any:
		for key := range v {
			v[key] = normal(v[key])
		}
	case []any:
		for i := range v {
			v[i] = normal(v[i])
		}
	}
	return v
}

// means says whether only people can tell what comes of a type read as another: text as
// an enum's name, and a number as the number of an enum's value.
func means(from, to string) bool {
	return to == "Color" && from != "Color" || isText(to) && isBytes(from)
}

func isText(name string) bool  { return name == "string" || name == "google.protobuf.StringValue" }
func isBytes(name string) bool { return name == "bytes" || name == "google.protobuf.BytesValue" }

// TestMatrix reads the values of each type as each other one, and compares what comes
// of that with what check says.
func TestMatrix(t *testing.T) {
	sides := map[string]side{}
	for name := range values() {
		sides[name] = loadSide(t, fmt.Sprintf(matrixHead, name), "M")
	}
	for a, from := range sides {
		for b, to := range sides {
			broken := lostBackward(compat.Compare(from.schema.Files[len(from.schema.Files)-1], to.schema))
			for codec, name := range codecs() {
				fails := false
				for _, v := range values()[a] {
					fails = fails || lost(t, from, to, name, v)
				}
				if means(a, b) {
					continue
				}
				assert.Equal(t, fails, broken&codec != 0, "%s read as %s in %s", a, b, name)
			}
		}
	}
}

// lostBackward are the codecs in which new code loses what old code writes.
func lostBackward(findings []compat.Finding) compat.Codecs {
	var all compat.Codecs
	for _, f := range findings {
		all |= f.Backward
	}
	return all
}
