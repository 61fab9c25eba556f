package vectors_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coordgen/coordgen/internal/model"
)

// TestRandomSchemas does for random schemas what [TestCorpus] does, and has a later
// version, in which some fields and values came, went or changed, read the vectors, as
// [TestExamples] does.
func TestRandomSchemas(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		d := drawSchema(r)
		var recorded []*model.Schema
		for range rapid.IntRange(1, 2).Draw(r, "versions") {
			s := loadText(t, d.text())
			checkOwn(r, s)
			recorded = append(recorded, s)
			d.change(r)
		}
		now := loadText(t, d.text())
		checkHistory(r, recorded, now)
	})
}

const (
	messages = 3
	null     = "google.protobuf.NullValue"
)

// A drawn is a random schema of messages M0, M1, ... and an enum E.
type drawn struct {
	version   int
	protojson bool
	proto2    bool
	fields    [messages][]drawnField
	values    []int
}

type drawnField struct {
	number                     int
	name, label, kind, options string
	oneof                      bool
}

func drawSchema(r *rapid.T) *drawn {
	d := &drawn{version: 1, protojson: rapid.Bool().Draw(r, "protojson"), proto2: rapid.Bool().Draw(r, "proto2"), values: []int{0, 1}}
	for m := range d.fields {
		for range rapid.IntRange(0, 6).Draw(r, "fields") {
			d.add(r, m)
		}
	}
	return d
}

// add adds a field to a message.
func (d *drawn) add(r *rapid.T, m int) {
	number := 1
	for _, f := range d.fields[m] {
		number = max(number, f.number+1)
	}
	f := drawnField{number: number, name: fmt.Sprintf("f_%d", number), kind: rapid.SampledFrom(kinds()).Draw(r, "kind")}
	label := rapid.SampledFrom([]string{"optional ", "", "repeated ", "map", "oneof"}).Draw(r, "label")
	switch {
	case label == "map" && !strings.HasPrefix(f.kind, "map"):
		key := rapid.SampledFrom([]string{"string", "bool", "int32", "uint64", "sint64", "fixed32"}).Draw(r, "key")
		f.kind = "map<" + key + ", " + f.kind + ">"
	case label == "oneof":
		f.oneof = true
	case label == "" && d.proto2:
		f.label = "optional "
	case label != "map":
		f.label = label
	}
	if f.label == "optional " && f.kind == "int64" && rapid.Bool().Draw(r, "default") {
		f.options = ` [(coordgen.field).default = "7"]`
	}
	if f.label == "optional " && f.kind == "string" && rapid.Bool().Draw(r, "required") {
		f.options = ` [(coordgen.field).required = true]`
	}
	d.fields[m] = append(d.fields[m], f)
}

// change makes the next version: fields go, come, and get another type, name or label,
// and values of the enum come and go.
func (d *drawn) change(r *rapid.T) {
	d.version++
	for m := range d.fields {
		if n := len(d.fields[m]); n > 0 {
			i := rapid.IntRange(0, n-1).Draw(r, "which")
			switch rapid.IntRange(0, 4).Draw(r, "change") {
			case 0:
				d.fields[m] = slices.Delete(d.fields[m], i, i+1)
			case 1:
				if f := &d.fields[m][i]; !strings.HasPrefix(f.kind, "map") && f.options == "" {
					if to := rapid.SampledFrom(kinds()).Draw(r, "kind"); to != null { // in protojson it reads no number
						f.kind = to
					}
				}
			case 2:
				d.fields[m][i].name += "x"
			case 3:
				if f := &d.fields[m][i]; f.label == "" && !f.oneof && !strings.HasPrefix(f.kind, "map") {
					f.label = "optional "
				}
			}
		}
		d.add(r, m)
	}
	d.values = append(d.values, d.values[len(d.values)-1]+1)
	if rapid.Bool().Draw(r, "remove") {
		d.values = slices.Delete(d.values, 1, 2)
	}
}

func kinds() []string {
	return []string{
		"bool", "int32", "sint32", "sfixed32", "int64", "sint64", "sfixed64", "uint32", "fixed32", "uint64", "fixed64",
		"float", "double", "string", "bytes", "E", "M0", "M1", "M2", "google.protobuf.Int32Value", "google.protobuf.BytesValue",
		"google.protobuf.StringValue", "google.protobuf.DoubleValue", "google.protobuf.Timestamp", "google.protobuf.Duration",
		"google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue", "google.protobuf.FieldMask",
		"google.protobuf.Any", "google.protobuf.Empty", null,
	}
}

func (d *drawn) text() string {
	var b strings.Builder
	b.WriteString(map[bool]string{false: "syntax = \"proto3\";\n", true: "syntax = \"proto2\";\n"}[d.proto2])
	for _, file := range []string{"any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"} {
		fmt.Fprintf(&b, "import \"google/protobuf/%s.proto\";\n", file)
	}
	fmt.Fprintf(&b, "import \"coordgen/options.proto\";\noption (coordgen.schema) = { version: %d", d.version)
	if d.protojson {
		b.WriteString(" json: PROTOJSON")
	}
	b.WriteString(" };\nenum E {")
	for _, v := range d.values {
		fmt.Fprintf(&b, " E_%d = %d;", v, v)
	}
	b.WriteString(" }\n")
	for m, fields := range d.fields {
		fmt.Fprintf(&b, "message M%d {\n", m)
		oneof := ""
		for _, f := range fields {
			line := fmt.Sprintf("  %s%s %s = %d%s;\n", f.label, f.kind, f.name, f.number, f.options)
			if f.oneof {
				oneof += line
			} else {
				b.WriteString(line)
			}
		}
		if oneof != "" {
			fmt.Fprintf(&b, "  oneof o {\n%s  }\n", oneof)
		}
		b.WriteString("}\n")
	}
	return b.String()
}
