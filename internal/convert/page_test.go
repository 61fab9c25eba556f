package convert_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/coordgen/coordgen/internal/convert"
	"github.com/coordgen/coordgen/runtime/wire"
)

var update = flag.Bool("update", false, "write what the tables of docs/wire.md should say")

const page = "../../docs/wire.md"

// fieldSchema is one of a message with the field.
const fieldSchema = `syntax = "proto3";
package table;
import "coordgen/options.proto";
import "google/protobuf/any.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/empty.proto";
import "google/protobuf/field_mask.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
option (coordgen.schema).json = %s;
enum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; }
message Point { int32 x = 1; }
message M { %s f = 1 %s; }
`

// cell matches what a cell shows as code.
var cell = regexp.MustCompile("^ `(.*)` $")

// The tables of the page say what the codecs do.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var got strings.Builder
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if !strings.HasPrefix(line, "| `") {
			got.WriteString(line)
			continue
		}
		rows++
		value := func(i int) string {
			if m := cell.FindStringSubmatch(cells[i]); m != nil {
				return m[1]
			}
			return ""
		}
		r := newRow(t, value(1))
		switch len(cells) {
		case 7:
			got.WriteString(table(value(1), r.written(t, value(2))...))
		case 6:
			codec := strings.TrimSpace(cells[2])
			fmt.Fprintf(&got, "| `%s` | %s | `%s` | %s |\n", value(1), codec, value(3), r.read(t, codec, value(3)))
		default:
			require.Fail(t, "no such table", line)
		}
	}
	require.Greater(t, rows, 100)
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(got.String()), 0o600))
	}
	require.Equal(t, got.String(), string(text), "run the test with -update")
}

func table(field string, cells ...string) string {
	line := "| `" + field + "` |"
	for _, c := range cells {
		if c == "" {
			line += " |"
		} else {
			line += " `" + c + "` |"
		}
	}
	return line + "\n"
}

// A row converts messages with one field.
type row struct {
	*convert.Converter
	protojson  *convert.Converter // of the same message in protojson's form
	descriptor protoreflect.MessageDescriptor
	free       bool // the field holds JSON of any shape
}

func newRow(t *testing.T, field string) row {
	folder := t.TempDir()
	file := filepath.Join(folder, "table.proto")
	typ, options, _ := strings.Cut(field, "[")
	if options != "" {
		options = "[" + options
	}
	in := func(form string) (*convert.Converter, protoreflect.MessageDescriptor) {
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, fieldSchema, form, typ, options), 0o600))
		return converter(t, folder, file, "table.M")
	}
	c, d := in("COORDGEN")
	form, _ := in("PROTOJSON")
	return row{c, form, d, d.Fields().Get(0).Message() != nil && d.Fields().Get(0).Message().ParentFile().Path() == "google/protobuf/struct.proto"}
}

// written is the value in each codec, and in protojson where that differs.
func (r row) written(t *testing.T, value string) []string {
	object := "{}"
	if value != "" {
		object = `{"f":` + value + `}`
	}
	in := func(codec string) []byte {
		out, _, err := r.Convert([]byte(object), convert.JSON, codec)
		if errors.Is(err, convert.ErrProtobuf) {
			return nil
		}
		require.NoError(t, err, object)
		back, _, err := r.Convert(out, codec, convert.JSON)
		require.NoError(t, err, object)
		// An integer in a free value is a float in protobuf.
		if codec != convert.Protobuf || !r.free {
			require.Equal(t, object, string(back))
		}
		return out
	}
	data := in(convert.Protobuf)
	m := dynamicpb.NewMessage(r.descriptor)
	require.NoError(t, proto.Unmarshal(data, m))
	if data != nil && !strings.Contains(string(data), "type.googleapis.com") {
		r.hasForm(t, data, m)
	}
	text, err := protojson.MarshalOptions{EmitDefaultValues: true}.Marshal(m)
	require.NoError(t, err)
	var other struct{ F json.RawMessage }
	require.NoError(t, json.Unmarshal(text, &other))
	var compact bytes.Buffer
	if other.F != nil {
		require.NoError(t, json.Compact(&compact, other.F))
	}
	pj := compact.String()
	if data == nil && value != "" && r.descriptor.Fields().Get(0).HasPresence() {
		pj = ""
	}
	if pj == value {
		pj = ""
	}
	return []string{value, spaced(bytes.TrimPrefix(in(convert.Msgpack)[1:], []byte("\xa1f"))), spaced(data), pj}
}

// hasForm checks that the message is written as protojson does it where the schema asks
// for that.
func (r row) hasForm(t *testing.T, data []byte, m proto.Message) {
	want, err := protojson.Marshal(m)
	require.NoError(t, err)
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, want))
	got, _, err := r.protojson.Convert(data, convert.Protobuf, convert.JSON)
	require.NoError(t, err)
	require.Equal(t, compact.String(), string(got))
	back, _, err := r.protojson.Convert(got, convert.JSON, convert.Protobuf)
	require.NoError(t, err)
	require.Equal(t, data, back)
}

// read is what is read for a value, or why it is refused.
func (r row) read(t *testing.T, codec, value string) string {
	data := []byte(`{"f":` + value + `}`)
	if codec != convert.JSON {
		raw, err := hex.DecodeString(strings.ReplaceAll(value, " ", ""))
		require.NoError(t, err)
		data = raw
		if codec == convert.Msgpack {
			data = append([]byte("\x81\xa1f"), raw...)
		}
	}
	out, leftOut, err := r.Convert(data, codec, convert.JSON)
	if fault, ok := errors.AsType[*wire.Error](err); ok {
		return "refused: " + strings.ReplaceAll(fault.Err.Error(), "|", "/")
	}
	require.NoError(t, err)
	if len(leftOut) > 0 {
		return "an unknown field"
	}
	text := strings.TrimSuffix(strings.TrimPrefix(string(out), `{"f":`), "}")
	if text == "{" {
		return "absent"
	}
	return "`" + text + "`"
}

func spaced(data []byte) string { return strings.TrimSpace(fmt.Sprintf("% x", data)) }
