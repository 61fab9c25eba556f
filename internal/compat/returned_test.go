package compat_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/coordgen/coordgen/internal/compat"
)

// What was gone in the last version is compared with what it was before, in the modes
// that ask about the last version, too.
func TestReturned(t *testing.T) {
	const head = "syntax = \"proto3\"; package s; import \"coordgen/options.proto\"; import \"google/protobuf/empty.proto\"; option (coordgen.schema).version = %d;\n"
	const topic = "message M { string a = 1; } message N { int32 a = 1; } service S { rpc A(%s) returns (google.protobuf.Empty) { option (coordgen.topic).name = \"a\"; } }"
	const gone = "message M { reserved 1; reserved \"f\"; }"
	for name, c := range map[string]struct{ was, between, is, rule string }{
		"how many":                          {"message M { repeated string f = 1; }", gone, "message M { string f = 1; }", compat.FieldCardinalityChanged},
		"a type":                            {"message M { string f = 1; }", gone, "message M { int32 f = 1; }", compat.FieldTypeChanged},
		"a number":                          {"message M { string f = 1; }", gone, "message M { string f = 2; }", compat.FieldNumberChanged},
		"a default":                         {"message M { optional int32 f = 1 [(coordgen.field).default = \"5\"]; }", gone, "message M { optional int32 f = 1; }", compat.FieldDefaultChanged},
		"contents":                          {"message M { N f = 1; } message N { string a = 1; }", gone, "message M { O f = 1; } message O { int32 a = 1; }", compat.FieldTypeChanged},
		"an alias":                          {"message M { string f = 1 [(coordgen.field) = { name: \"g\" aliases: \"f\" }]; }", gone, "message M { string f = 1; }", compat.FieldKeyChanged},
		"a value":                           {"enum E { A = 0; B = 1; }", "enum E { A = 0; reserved 1; reserved \"B\"; }", "enum E { A = 0; B = 2; }", compat.EnumValueNumberChanged},
		"a name":                            {"enum E { A = 0; B = 1; }", "enum E { A = 0; reserved 1; reserved \"B\"; }", "enum E { A = 0; B = 1 [(coordgen.value).name = \"c\"]; }", compat.EnumValueRenamed},
		"a payload":                         {fmt.Sprintf(topic, "M"), "message M { string a = 1; } message N { int32 a = 1; }", fmt.Sprintf(topic, "N"), compat.FieldTypeChanged},
		"a reserved number":                 {"message M { reserved 1; string a = 2; }", "message M { string a = 2; }", "message M { string a = 2; string b = 1; }", compat.FieldNumberReused},
		"a reserved name":                   {"message M { reserved \"b\"; string a = 2; }", "message M { string a = 2; }", "message M { string a = 2; string b = 1; }", compat.FieldKeyReused},
		"a value's reserved number":         {"enum E { reserved 1; A = 0; }", "enum E { A = 0; }", "enum E { A = 0; B = 1; }", compat.EnumValueNumberReused},
		"both reserved":                     {"message M { reserved 1; reserved \"b\"; string a = 2; }", "message M { string a = 2; }", "message M { string a = 2; string b = 1; }", ""},
		"a value's both":                    {"enum E { reserved 1; reserved \"B\"; A = 0; }", "enum E { A = 0; }", "enum E { A = 0; B = 1; }", ""},
		"a reserved number, in use by then": {"message M { reserved 1; string a = 2; }", "message M { string a = 2; string b = 1; }", "message M { string a = 2; string b = 1; }", ""},
		"a value's reserved number, in use by then": {"enum E { reserved 1; A = 0; }", "enum E { A = 0; B = 1; }", "enum E { A = 0; B = 1; }", ""},
		"a reserved number, of what was renamed":    {"message M { reserved 1; string a = 2; }", "message M { string a = 2; string b = 1; }", "message M { string a = 2; string c = 1 [(coordgen.field).name = \"b\"]; }", ""},
		"as it was":                                 {"message M { string f = 1; }", gone, "message M { string f = 1; }", ""},
		"another name":                              {"message M { string f = 1; }", gone, "message M { reserved 1; reserved \"f\"; string g = 2; }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			h := compat.History{Whole: true}
			for i, text := range []string{c.was, c.between} {
				h.Versions = append(h.Versions, loaded{Result: loadText(t, fmt.Sprintf(head, i+1)+text)}.file())
			}
			next := loadText(t, fmt.Sprintf(head, 3)+c.is)
			r := compat.Check([]compat.History{h}, next.Schema, compat.Options{Mode: compat.Full, Codecs: compat.All})
			var rules []string
			for _, f := range r.Breaks() {
				rules = append(rules, f.Rule)
			}
			if c.rule == "" {
				assert.Empty(t, rules)
				return
			}
			assert.Contains(t, rules, c.rule)
		})
	}
}
