package compat_test

import (
	"strings"
	"testing"

	"github.com/coordgen/coordgen/internal/compat"
)

// fields are forms that the fields of a message may have.
const fields = `
int32 f = 1;
optional int32 f = 1;
repeated int32 f = 1;
repeated int32 f = 1 [packed = false];
map<string, int32> f = 1;
map<string, int64> f = 1;
int64 f = 1;
sint32 f = 1;
optional int64 f = 1;
int64 f = 1 [jstype = JS_STRING];
string f = 1;
optional string f = 1;
repeated string f = 1;
bytes f = 1;
google.protobuf.Int32Value f = 1;
google.protobuf.Timestamp f = 1;
Color f = 1;
optional Color f = 1;
repeated Color f = 1;
Point f = 1;
repeated Point f = 1;
map<string, Point> f = 1;
int32 f = 1 [(coordgen.field).required = true];
optional int32 f = 1 [(coordgen.field).required = true];
string f = 1 [(coordgen.field).required = true];
Color f = 1 [(coordgen.field).required = true];
Point f = 1 [(coordgen.field).required = true];
repeated int32 f = 1 [(coordgen.field).required = true];
int32 f = 1 [(coordgen.field).default = "5"];
int32 f = 1 [(coordgen.field).default = "0"];
optional int32 f = 1 [(coordgen.field).default = "5"];
optional int32 f = 1 [(coordgen.field).default = "0"];
optional int64 f = 1 [(coordgen.field).default = "5"];
optional string f = 1 [(coordgen.field).default = "\"x\""];
Color f = 1 [(coordgen.field).default = "\"red\""];
int32 g = 1;
int32 g = 1 [(coordgen.field).name = "f"];
int32 g = 1 [(coordgen.field).aliases = "f"];
int32 f = 2;
int32 f = 1 [(coordgen.field).name = "g"];
int32 f = 1 [(coordgen.field) = { name: "g", aliases: "f" }];
int32 f = 1 [(coordgen.field).aliases = "g"];
string g = 1; int32 f = 2;
int32 f = 1; int32 g = 2;
int32 g = 1; int32 f = 2;
oneof o { int32 f = 1; }
oneof o { int32 f = 1; int32 g = 2; }
oneof o { int32 g = 1; int32 f = 2; }
oneof o { int32 f = 1; } int32 g = 2;
oneof o { Point f = 1; string g = 2; }
oneof o { bytes f = 1; int32 h = 3; }
oneof o { int32 h = 3; } int32 f = 1;
bytes f = 1; int32 h = 3;
oneof o { int32 f = 1; } oneof p { int32 g = 2; }
oneof o { string f = 1; int32 g = 2; }
optional int32 f = 1; optional int32 g = 2;
reserved 1; reserved "f";
string h = 3;
`

// enumValues are forms that an enum may have.
const enumValues = `
A = 0; B = 1;
A = 0; B = 1; C = 2;
A = 0; B = 2;
A = 0; B = 2; C = 1;
A = 0; C = 1;
A = 0;
A = 0; B = 1 [(coordgen.value).name = "c"];
A = 0; B = 1 [(coordgen.value) = { name: "c", aliases: "b" }];
A = 0; B = 1 [(coordgen.value).aliases = "c"];
A = 0; C = 1 [(coordgen.value).name = "b"];
A = 0; C = 1 [(coordgen.value).aliases = "b"];
option allow_alias = true; A = 0; B = 1; C = 1;
option allow_alias = true; A = 0; C = 1; B = 1;
option allow_alias = true; A = 0; C = 1; B = 1 [(coordgen.value).name = "d"];
option allow_alias = true; A = 0; A_TOO = 0; B = 1;
A = 0; B = 1 [(coordgen.value).aliases = "a_too"];
A = 0 [(coordgen.value).aliases = "a_too"]; B = 1;
reserved 1; reserved "B"; A = 0;
B = 0; A = 1;
`

// types are those that a field may have.
func types() []string {
	return []string{
		"bool", "int32", "sint32", "sfixed32", "int64", "sint64", "sfixed64", "uint32", "fixed32", "uint64", "fixed64",
		"float", "double", "string", "bytes", "Color", "Point", "google.protobuf.Int32Value", "google.protobuf.Int64Value",
		"google.protobuf.StringValue", "google.protobuf.BytesValue", "google.protobuf.Timestamp", "google.protobuf.Duration",
		"google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue",
	}
}

const pairHead = `syntax = "proto3";
import "coordgen/options.proto"; import "google/protobuf/wrappers.proto"; import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto"; import "google/protobuf/struct.proto"; import "google/protobuf/field_mask.proto";
`

func fieldSchema(form string) string {
	return pairHead + "message M {" + form + "}\nenum Color { COLOR_UNSPECIFIED = 0; COLOR_RED = 1; COLOR_BLUE = 2; }\nmessage Point { int32 x = 1; }\n"
}

func enumSchema(form string) string {
	return pairHead + "message M { E f = 1; repeated E list = 2; optional E maybe = 3; }\nenum E {" + form + "}\n"
}

// TestPairs takes each form of a field and of an enum for an old version of each other
// one, and shows by random messages that what check says of the two is so. It reads
// messages as [TestProof] does.
func TestPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a million messages")
	}
	ofTypes := strings.Join(types(), " f = 1;\n") + " f = 1;"
	for name, forms := range map[string]string{"types": ofTypes, "fields": fields, "values": enumValues} {
		schema := fieldSchema
		if name == "values" {
			schema = enumSchema
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pairs(t, forms, schema)
		})
		t.Run("protojson "+name, func(t *testing.T) {
			t.Parallel()
			pairs(t, only(forms), protojson(schema))
		})
	}
}

// protojson gives a schema protojson's form of JSON.
func protojson(schema func(form string) string) func(form string) string {
	return func(form string) string {
		text := strings.ReplaceAll(schema(form), `"\"red\""`, `"\"COLOR_RED\""`)
		return strings.Replace(text, ";\n", ";\noption (coordgen.schema) = { json: PROTOJSON };\n", 1)
	}
}

// only are the forms that there are with protojson's form, but for types of any shape,
// of which it does not show all.
func only(forms string) string {
	var all strings.Builder
	for form := range strings.Lines(forms) {
		must := strings.Contains(form, "required") || strings.Contains(form, "default")
		named := strings.Contains(form, "name")
		free := strings.Contains(form, ".Struct ") || strings.Contains(form, ".Value ") || strings.Contains(form, ".ListValue ")
		if !named && !free && (!must || strings.Contains(form, "optional")) {
			all.WriteString(form)
		}
	}
	return all.String()
}

func pairs(t *testing.T, forms string, schema func(form string) string) {
	t.Helper()
	var all []*party
	for form := range strings.Lines(strings.TrimSpace(forms)) {
		form = strings.TrimSpace(form)
		l := loaded{name: form, Result: loadText(t, schema(form))}
		all = append(all, newParty(t, l, l.file().Messages[0], converter))
	}
	for _, old := range all {
		if strings.HasPrefix(old.name, "reserved") {
			continue // what had the name is not among these versions
		}
		for _, next := range all {
			if merges(old.name, next.name) {
				continue
			}
			m := measurement{}
			m.exchange(old, next, false)
			m.exchange(next, old, true)
			said := &compat.Report{Findings: compat.Compare(old.file(), next.Schema)}
			m.compare(t, said, old.name+" -> "+next.name)
		}
	}
}

// merges says whether two values become one, which check calls a break of both whatever
// old code makes of it.
func merges(old, next string) bool {
	return strings.Contains(old, "B =") && strings.Contains(old, "C =") && !strings.Contains(old, "allow_alias") && strings.Contains(next, "allow_alias")
}
